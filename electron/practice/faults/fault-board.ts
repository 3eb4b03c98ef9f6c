import { DeskError } from '../../protocol/desk-error.ts';
import { SerialQueue } from '../../protocol/serial-queue.ts';
import type { PracticeLog } from '../practice-log.ts';

/** Something that goes wrong on demand. Both calls resolve once it is so; neither is called twice in a row. */
export interface Fault {
  /** As the command line calls it. */
  readonly name: string;
  /** What it does while it is on, one sentence. */
  readonly says: string;
  /** Answers what is the case now, for the log. */
  on(request: FaultRequest): Promise<string>;
  /** What happens at a moment and is over has none. */
  off?(): Promise<string>;
}

/** A fault that is one setting, and what is the case once it is on, and off again. */
export function settingFault(
  name: string,
  says: string,
  [on, off]: readonly [on: string, off: string],
  set: (isOn: boolean) => void,
): Fault {
  return {
    name,
    says,
    async on() {
      set(true);
      return on;
    },
    async off() {
      set(false);
      return off;
    },
  };
}

interface FaultRequest {
  /** How many blocks a reorganisation takes back, 1 to 64. */
  depth?: number | undefined;
}

interface FaultState {
  name: string;
  says: string;
  once: boolean;
  on: boolean;
  /** Unix milliseconds: since when it is on; of one that happens once, when it last happened. */
  since: number | null;
}

export interface FaultBoard {
  states(): FaultState[];
  /**
   * Switches a fault, one after another in the order of the calls; what is so already stays so, without a word.
   * @throws DeskError `unknown_fault`, `fault_failed`
   */
  switch(name: string, on: boolean, request?: FaultRequest): Promise<void>;
  /** Switches off what is on, and waits for what is under way. */
  close(): Promise<void>;
}

/** The faults of a market, all off. Each switch is one line in the log. `ofSurfaces`: names of those that it would have with surfaces. */
export function openFaultBoard(options: {
  faults: readonly Fault[];
  ofSurfaces?: readonly string[];
  now: () => number;
  log: PracticeLog;
}): FaultBoard {
  const { faults, ofSurfaces = [], now, log } = options;
  const since = new Map<string, number>();
  const on = new Set<string>();
  const queue = new SerialQueue();

  async function turn(fault: Fault, wanted: boolean, request: FaultRequest): Promise<void> {
    const { name } = fault;
    const once = fault.off === undefined;
    if (once ? !wanted : on.has(name) === wanted) return;
    try {
      const said = wanted ? await fault.on(request) : await fault.off?.();
      if (wanted) since.set(name, now());
      else since.delete(name);
      if (wanted && !once) on.add(name);
      else on.delete(name);
      log.warn(`fault ${name} ${once ? 'happened' : wanted ? 'on' : 'off'}: ${said}`);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
      const sentence = `fault ${name} could not be switched ${wanted ? 'on' : 'off'}: ${why}`;
      log.warn(sentence);
      throw new DeskError('fault_failed', `The ${sentence}`, {
        remedy: 'See whether another fault stands in its way, such as a node that is down.',
        cause,
      });
    }
  }

  return {
    states: () =>
      faults.map(({ name, says, off }) => {
        return { name, says, once: off === undefined, on: on.has(name), since: since.get(name) ?? null };
      }),
    async switch(name, wanted, request = {}) {
      const fault = faults.find((known) => known.name === name);
      if (fault !== undefined) return queue.run(() => turn(fault, wanted, request));
      if (ofSurfaces.includes(name)) {
        throw new DeskError('unknown_fault', `The fault ${name} is one of surfaces, and this practice desk has none.`, {
          remedy: 'End it and start it with surfaces: makerdesk practice --surfaces 3.',
        });
      }
      throw new DeskError('unknown_fault', `There is no fault ${name}.`, {
        remedy: `These there are: ${faults.map((known) => known.name).join(', ')}.`,
      });
    },
    async close() {
      await Promise.allSettled(faults.map((fault) => queue.run(() => turn(fault, false, {}))));
    },
  };
}
