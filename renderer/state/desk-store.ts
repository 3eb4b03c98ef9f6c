import type { Status } from '../../electron/contract/trading.ts';
import { beatWithFigures } from './beat.ts';
import type { Connection } from './connection.ts';
import { createEmitter } from './emitter.ts';
import { applyUpdate, type DeskView, UNHEARD } from './live-desk.ts';

/** How often it is looked whether the desk was heard, milliseconds; it beats once a second. */
const LOOK_EVERY = 1_000;
/** So many looks in a row may hear nothing. Counted, not timed: a computer that slept has missed none of them. */
const QUIET_LOOKS = 3;
/** A desk that starts, or has much to do before its first word, is given longer. */
const FIRST_WORD_LOOKS = 10;
/** Each line on which no word came is followed by one with twice as long: asked anew each time, a slow desk would never get to it. */
const MOST_LOOKS = 60;

export interface DeskStore {
  view(): DeskView;
  subscribe(listener: () => void): () => void;
  /** Takes over what the answer to a stop said, ahead of the stream. Not that of a named command, which may be from a line before. */
  acknowledge(status: Status): void;
  /** Unix milliseconds by the desk's clock. */
  now(): number;
}

/**
 * Follows desk.watch over every line the connection opens. The desk's own beat decides whether it is there, on every
 * transport alike; a line on which it is not heard is given up and another one tried.
 */
export function openDeskStore(connection: Connection): DeskStore {
  const { subscribe, emit } = createEmitter();
  let view = UNHEARD;
  let followed = 0;
  /** Looks since the desk was last heard on this line. */
  let quiet = 0;
  let firstWord = FIRST_WORD_LOOKS;

  const set = (next: DeskView) => {
    view = next;
    emit();
  };

  const follow = async (epoch: number) => {
    try {
      for await (const update of await connection.client.desk.watch()) {
        quiet = 0;
        set(applyUpdate(view, update, Date.now()));
        if (update.pairs !== undefined) beatWithFigures();
        connection.heard(epoch, update.record); // whoever is told that the line is back finds the view as it is now
      }
      connection.drop(epoch, 'The desk closed the connection.');
    } catch (error) {
      connection.drop(epoch, error instanceof Error ? error.message : 'The connection broke off.');
    }
  };

  const sync = () => {
    const line = connection.line();
    if (!line.open || line.epoch === followed) return;
    followed = line.epoch;
    quiet = 0;
    void follow(line.epoch);
  };
  connection.subscribe(sync);
  sync();
  setInterval(() => {
    const { open, state, epoch } = connection.line();
    if (!open) return;
    quiet += 1;
    if (state === 'connected') {
      firstWord = FIRST_WORD_LOOKS;
      if (quiet > QUIET_LOOKS) connection.drop(epoch, 'The desk does not answer any more.');
    } else if (quiet > firstWord) {
      firstWord = Math.min(2 * firstWord, MOST_LOOKS);
      connection.drop(epoch, 'The desk does not answer.');
    }
  }, LOOK_EVERY);

  return {
    view: () => view,
    subscribe,
    acknowledge: (status) => set({ ...view, status }),
    now: () => Date.now() + view.skewMs,
  };
}
