import type { Draft } from '../../../electron/contract/book.ts';
import type { Ladder } from '../../../electron/contract/desk-file.ts';
import { type Reprice, repriced } from '../../../electron/contract/repriced-ladder.ts';
import type { WhatIfSettings } from '../../../electron/contract/what-if.ts';
import type { Console } from '../../state/console.tsx';
import { type ListedPair, pairKey } from '../../state/live-desk.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { editsBetween, type LadderValues } from '../prices/ladder-values.ts';
import { editElsewhere } from '../prices/use-draft.ts';

/** What became of it, by `pairKey`: whose drafts are `made`, whose may be or not, and why others are not. */
export interface MadeDrafts {
  made: ReadonlySet<string>;
  /** The answer was lost: a second time it might be done twice. */
  doubtful: ReadonlySet<string>;
  refused: readonly { pair: ListedPair; sentence: string }[];
}

export const NONE_MADE: MadeDrafts = { made: new Set(), doubtful: new Set(), refused: [] };

/**
 * Puts changes of ladders into the drafts of their pairs, but for those of which `before` says that they have them, or may; nothing is
 * published. A draft that has changes of somebody already, also of an earlier result, stays as it is: what was tried was tried on what is
 * live. A pair that fails stops no other one.
 */
export async function makeDrafts(
  deskConsole: Console,
  ladders: NonNullable<WhatIfSettings['ladders']>,
  before: MadeDrafts,
): Promise<MadeDrafts> {
  const [made, doubtful] = [new Set(before.made), new Set(before.doubtful)];
  const refused: { pair: ListedPair; sentence: string }[] = [];
  for (const pair of deskConsole.desk.view().listed) {
    const changes = ladders.flatMap((one) =>
      one.pairs?.includes(pair.pair) === false || one.chains?.includes(pair.chainId) === false ? [] : one.changes,
    );
    const key = pairKey(pair);
    if (changes.length === 0 || made.has(key) || doubtful.has(key)) continue;
    const fault = await makeDraft(deskConsole, pair, changes);
    if (fault === null) made.add(key);
    else refused.push({ pair, sentence: fault.sentence });
    if (fault?.isDoubtful) doubtful.add(key);
  }
  return { made, doubtful, refused };
}

/** Resolves to why not, and whether it may be there all the same; null where it is made. */
async function makeDraft(
  deskConsole: Console,
  { chainId, pair }: ListedPair,
  changes: readonly Reprice[],
): Promise<{ sentence: string; isDoubtful: boolean } | null> {
  const { ladders } = deskConsole.connection.client;
  let seen: Draft;
  try {
    const { ladder } = await ladders.published({ chainId, pair });
    seen = await ladders.draft({ chainId, pair });
    if (isChanged(seen, ladder)) {
      return { sentence: 'Its draft has changes already: publish or discard them first.', isDoubtful: false };
    }
  } catch (error) {
    // Nothing was written yet, also where no answer came.
    return { sentence: refusalOf(error).sentence, isDoubtful: false };
  }
  let isMade = false;
  const refusal = await editElsewhere(deskConsole, seen, (now) => {
    let after: LadderValues | null = now;
    for (const change of changes) after = after === null ? null : repriced(after, change, false);
    isMade = after !== null && now.bids.length + now.asks.length > 0;
    return after === null ? [] : editsBetween(now, after);
  });
  if (refusal !== null) return { sentence: refusal.sentence, isDoubtful: refusal.code === 'no_answer' };
  return isMade ? null : { sentence: 'It has no ladder that can be changed so.', isDoubtful: false };
}

/** Whether anybody has changed anything in it. What it is begun on may have moved with the reference since it was read. */
function isChanged(draft: Draft, live: Ladder): boolean {
  return (['bids', 'asks'] as const).some(
    (side) =>
      draft[side].length !== live[side].length ||
      draft[side].some(({ price, amount }) => price.editor !== null || amount.editor !== null),
  );
}
