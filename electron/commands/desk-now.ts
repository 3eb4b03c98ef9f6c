import type { PairRow } from '../contract/book.ts';
import type { Attention, ExposureRow } from '../contract/desk-view.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { DeskError } from '../protocol/desk-error.ts';

/** What the desk shows at this moment beside its trading states. */
export interface DeskNow {
  exposure: ExposureRow[];
  /** `alarm`: the rows of the journal that stand until somebody acknowledges them, oldest first; the last is the number of the alarm. */
  alerts: (Pick<Attention, 'code' | 'level' | 'title' | 'detail'> & { alarm?: number[] })[];
  /** Pairs with a side that is not quoted, and why. */
  unquoted: (Pick<PairRow, 'chainId' | 'pair'> & NonNullable<PairRow['unquoted']>)[];
}

export async function deskNow(desk: DeskClient): Promise<DeskNow> {
  const stop = new AbortController();
  try {
    for await (const { exposure, attention, pairs } of await desk.desk.watch(undefined, { signal: stop.signal })) {
      const alerts = (attention ?? []).map(({ code, level, title, detail, action }) => {
        const told = { code, level, title, detail };
        return action?.kind === 'acknowledge' ? { ...told, alarm: action.seqs } : told;
      });
      const unquoted = (pairs ?? []).flatMap(({ chainId, pair, unquoted: why }) =>
        why === undefined || (why.bids === null && why.asks === null) ? [] : [{ chainId, pair, ...why }],
      );
      return { exposure: exposure ?? [], alerts, unquoted };
    }
  } finally {
    stop.abort();
  }
  throw new DeskError('no_answer', 'The desk does not say what state it is in.', { remedy: 'Try again.' });
}
