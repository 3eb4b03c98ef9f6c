import type { Status } from '../../electron/contract/trading.ts';
import type { Connection } from './connection.ts';
import { applyUpdate, type DeskView, UNHEARD } from './live-desk.ts';

/** How often the line is tried while it is silent, and how long an answer may take. Milliseconds. */
const ASK_EVERY = 3_000;
const ANSWER_WITHIN = 3_000;

export interface DeskStore {
  view(): DeskView;
  subscribe(listener: () => void): () => void;
  /** Takes over what an acknowledgement said, ahead of the stream. */
  acknowledge(status: Status): void;
  /** Unix milliseconds by the desk's clock. */
  now(): number;
}

/** Follows desk.watch over every line the connection opens, and gives up a line that stopped answering. */
export function openDeskStore(connection: Connection): DeskStore {
  const listeners = new Set<() => void>();
  let view = UNHEARD;
  let followed = 0;

  const set = (next: DeskView) => {
    view = next;
    for (const listener of [...listeners]) listener();
  };

  const follow = async (epoch: number) => {
    try {
      let whole = true;
      for await (const update of await connection.client.desk.watch()) {
        connection.heard(epoch);
        set(applyUpdate(view, update, whole, Date.now()));
        whole = false;
      }
      connection.drop(epoch, 'The desk ended the stream.');
    } catch (error) {
      connection.drop(epoch, error instanceof Error ? error.message : 'The stream broke off.');
    }
  };

  const ask = async () => {
    const { epoch, heardAt } = connection.line();
    if (heardAt !== null && Date.now() - heardAt < ASK_EVERY) return;
    const late = setTimeout(() => connection.drop(epoch, 'The desk does not answer any more.'), ANSWER_WITHIN);
    try {
      await connection.client.trading.status();
      connection.heard(epoch);
    } catch {
      // A broken line is noticed by the stream as well; a refusal is an answer.
    } finally {
      clearTimeout(late);
    }
  };

  const sync = () => {
    const line = connection.line();
    if (line.state !== 'connected' || line.epoch === followed) return;
    followed = line.epoch;
    void follow(line.epoch);
  };
  connection.subscribe(sync);
  sync();
  setInterval(() => {
    if (connection.line().state === 'connected') void ask();
  }, ASK_EVERY);

  return {
    view: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    acknowledge: (status) => set({ ...view, status }),
    now: () => Date.now() + view.skewMs,
  };
}
