import type { StopAcknowledgement } from '../contract/trading.ts';
import { disarm } from '../guard/armed-file.ts';
import { inTime } from '../time/in-time.ts';
import type { DeskChild } from './desk-child.ts';
import type { DeskClient } from './desk-client.ts';
import type { StateWatch } from './state-watch.ts';

/** How long a person who stops the desk waits for its acknowledgement, before something else is done about it. */
export const PATIENCE_MS = 3_000;

/**
 * `no_answer`: the desk may still be quoting. It has lost its leave to trade after a restart where `stillArmed` is null; else that
 * says why not.
 */
export type HaltOutcome =
  | { kind: 'halted'; acknowledgement: StopAcknowledgement }
  | { kind: 'no_answer'; stillArmed: string | null };

/**
 * Halts everything. Where no acknowledgement comes in time, the file `armed` is removed, without which a desk never
 * starts LIVE. That it cannot be removed keeps nobody from what comes next.
 */
export async function haltEverything(
  client: DeskClient | null,
  folder: string,
  reason: string,
  press?: string,
): Promise<HaltOutcome> {
  const answer = client?.trading.halt({ scope: {}, reason, press }).catch(() => null);
  const acknowledgement = answer === undefined ? null : await inTime(answer, PATIENCE_MS, () => null);
  if (acknowledgement !== null) return { kind: 'halted', acknowledgement };
  return { kind: 'no_answer', stillArmed: await disarm(folder) };
}

/** The desk of the app as it is when somebody presses HALT; null without a process. */
interface HaltedDesk {
  readonly child: Pick<DeskChild, 'kill'> | null;
  readonly client: DeskClient | null;
  readonly folder: string;
}

/**
 * HALT of the app, from tray, menu, hotkey and window. It says what became of it where that is not plain to see, and asks whether
 * the process is to be ended where the desk does not acknowledge. While one press waits for the desk or for that answer, another
 * one asks the desk and nobody else. `isOfAll`: other desks are halted with it, and where this one has nothing to halt that is
 * seen beside them. `press`: it was pressed in a console, which has asked the desk itself.
 */
export function haltOfApp({
  watch,
  desk,
  askToEndDesk,
  tell,
  ending,
}: {
  watch: Pick<StateWatch, 'state' | 'set'>;
  desk: () => HaltedDesk;
  /** `stillArmed`: why the desk may come back LIVE; null: it does not. */
  askToEndDesk: (stillArmed: string | null) => Promise<boolean>;
  tell: (message: string, detail: string) => void;
  /** The process is about to be ended by a person. */
  ending: () => void;
}): (reason: string, how?: { isOfAll?: boolean; press?: string }) => Promise<void> {
  let halting = false;
  return async (reason, { isOfAll = false, press } = {}) => {
    const { child, client, folder } = desk();
    if (watch.state() === 'waits') {
      const stillArmed = await disarm(folder);
      if (stillArmed !== null)
        tell('The desk is not open yet, so nothing is quoted, but it may open LIVE.', stillArmed);
      else if (!isOfAll) tell('The desk is not open yet, so nothing is quoted.', 'It will be halted when it opens.');
      return;
    }
    if (halting) {
      client?.trading.halt({ scope: {}, reason, press }).catch(() => {}); // the press before it tells how it went
      return;
    }
    halting = true;
    try {
      const outcome = await haltEverything(client, folder, reason, press);
      if (outcome.kind === 'halted') {
        const { status, durable } = outcome.acknowledgement;
        watch.set(status.state);
        if (durable) return;
        const after = (await disarm(folder)) ?? 'The desk stays halted after a restart all the same.';
        tell('Halted, but the journal could not be written.', after);
      } else if (child === null) {
        const { stillArmed } = outcome;
        if (stillArmed !== null) tell('There is no desk to halt, but it may start again LIVE.', stillArmed);
        else if (!isOfAll)
          tell('There is no desk to halt.', 'Its process is not running. It will be halted when it starts again.');
      } else if ((await askToEndDesk(outcome.stillArmed)) && desk().child === child) {
        ending();
        child.kill();
      }
    } finally {
      halting = false;
    }
  };
}
