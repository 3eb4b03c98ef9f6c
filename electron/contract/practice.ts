import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { pairIdSchema, timeSchema } from './names.ts';

/** One fault of the practice market, for drills. Which there are is the market's to say. */
export const practiceFaultSchema = z.object({
  /** As the command line calls it: `node-down`. */
  name: z.string(),
  /** What it does while it is on, one sentence. */
  says: z.string(),
  on: z.boolean(),
  /** Since when it is on; of one that happens once, when it last happened. Null before. */
  since: timeSchema.nullable(),
  /** Happens at a moment and is over: it is never found on. */
  once: z.boolean(),
});
export type PracticeFault = z.infer<typeof practiceFaultSchema>;

const polledSchema = z.object({
  at: timeSchema.nullable(),
  /** The HTTP status, or null when there was no answer. */
  status: z.int().nullable(),
  fault: z.string().nullable(),
});

/** What the practice service thinks of this desk on one chain. Times are Unix milliseconds. */
export const practiceServiceSchema = z.object({
  chainId: z.int(),
  name: z.string(),
  mode: z.enum(['strict', 'spec']),
  /** Whether it routes to this desk at all. */
  enabled: z.boolean(),
  since: timeSchema,
  /** Why it does not. */
  why: z.string().nullable(),
  endpoints: z.object({ tokens: polledSchema, pairs: polledSchema, prices: polledSchema, blacklist: polledSchema }),
  pausedUntil: timeSchema.nullable(),
  socket: z.object({ connected: z.boolean(), since: timeSchema, messages: z.int(), why: z.string().nullable() }),
  /** Pairs that it leaves alone, until when and why. */
  restrictions: z.array(z.object({ pairId: pairIdSchema, until: timeSchema, why: z.string() })),
  blacklist: z.array(
    z.object({ address: addressSchema, from: z.enum(['list', 'no order', '403']), until: timeSchema.nullable() }),
  ),
  complaints: z.object({ count: z.int(), last: z.array(z.object({ at: timeSchema, sentence: z.string() })) }),
});
export type PracticeService = z.infer<typeof practiceServiceSchema>;

/** What one user of the practice market has come to since it was started, in orders: a swap over two pairs is two. */
const practiceTakerSchema = z.object({
  /** What they do with a firm quote: `retail`, `two_hop`, `arbitrageur`, `looker`, `reverting`, `oversized`, `stray`. */
  habit: z.string(),
  user: addressSchema,
  asked: z.int(),
  quoted: z.int(),
  filled: z.int(),
  reverted: z.int(),
  /** Quotes whose transaction the node would not take, or that came into no block in time. */
  lost: z.int(),
  /** By the desk's code, or by what else came of it: `blacklisted`, `no_answer`, `unusable`, `http_500`. */
  refused: z.record(z.string(), z.int()),
});

/** The users of one chain. */
const practiceTakersSchema = z.object({
  chainId: z.int(),
  name: z.string(),
  habits: z.array(practiceTakerSchema),
  /** Wishes whose quote or transaction is on its way. */
  underWay: z.int(),
  /** Why nobody asks at the moment, one sentence, or null. */
  waits: z.string().nullable(),
});

/** Firm quotes asked for in a second, over all takers of a chain. */
export const practiceSpeedSchema = z.number().min(0).max(1_000);

export const practiceStateSchema = z.object({
  faults: z.array(practiceFaultSchema),
  speed: practiceSpeedSchema,
  service: z.array(practiceServiceSchema),
  /** A row a chain, in the order of `service`; none before they begin. */
  takers: z.array(practiceTakersSchema),
  /** Why the market's process is gone, one sentence; null while it runs. Of one that is gone there is nothing else to tell. */
  ended: z.string().nullable(),
});
export type PracticeState = z.infer<typeof practiceStateSchema>;

export const faultSwitchSchema = z.object({
  name: z.string().min(1).max(60),
  on: z.boolean(),
  /** How many blocks a `reorg` takes back. */
  depth: z.int().min(1).max(64).optional(),
});
export type FaultSwitch = z.infer<typeof faultSwitchSchema>;

/** A practice desk on its way: what it last said, then where its console is; null where this window comes to it by itself. */
export const practiceStartSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('starting'), said: z.string().nullable() }),
  z.object({ stage: z.literal('ready'), console: z.string().nullable() }),
]);
export type PracticeStart = z.infer<typeof practiceStartSchema>;

/**
 * Starts a practice desk in a folder of its own below this desk's, or finds the one that was started before. The door
 * that runs the desk hands it in.
 */
export type PracticeStarter = (said: (line: string) => void) => Promise<{ console: string | null }>;

/** The practice market beside a desk, which runs in a process of its own; a real desk has none. */
export interface PracticeControl {
  /** Why its process is gone, one sentence; null while it runs. */
  ended(): string | null;
  state(): Promise<PracticeState>;
  /**
   * Resolves when the fault is in force or gone. Like all of them it throws DeskError `practice_ended` where the process is gone.
   * @throws DeskError `unknown_fault`, `fault_failed`
   */
  switchFault(fault: FaultSwitch): Promise<void>;
  setSpeed(asksPerSecond: number): Promise<void>;
  /**
   * Ends its process, if there is one, and starts it again in its folder and on its ports, with its pace and without faults.
   * @throws DeskError whatever kept it from starting, which `ended` tells from then on
   */
  restart(): Promise<void>;
}
