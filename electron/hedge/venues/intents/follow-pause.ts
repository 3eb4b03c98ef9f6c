import { stretchOf } from '../../../service/turns.ts';
import { type HedgeRun, isAllowed, record, rest } from '../../hedge-run.ts';
import { intentWay } from './terms.ts';

/** An order that is asked about is filled soon after it was handed over, or not soon. */
const YOUNG_SECONDS = 60;
/** The longest pause, in pauses of a young order: five minutes. */
const LONGEST = 120;
/** Around its deadline an order is asked about this often at least, in pauses of a young one. */
const NEAR_DEADLINE = 8;
const NEAR_SECONDS = 60;

/**
 * How long until the service is asked about an order again, in pauses of a young one: the older it is the longer, a slice of a TWAP
 * at least once within its interval, and soon again around the deadline and while a cancellation is wanted. Seconds.
 */
export function pausesOf(order: { age: number; left: number; interval: number | null; isCancelling: boolean }): number {
  const { age, left, interval, isCancelling } = order;
  if (age < YOUNG_SECONDS) return 1;
  const byAge = Math.min(LONGEST, age / YOUNG_SECONDS);
  const bySlice = interval === null ? LONGEST : Math.max(1, interval / 10);
  const isNear = Math.abs(left) < NEAR_SECONDS || isCancelling;
  return Math.min(byAge, bySlice, isNear ? NEAR_DEADLINE : LONGEST);
}

/** The pause of the hedge that is followed, milliseconds: all orders together ask as often as one, and within the day's budget. */
function followPause(run: HedgeRun): number {
  const { opened, time, cancel } = record(run);
  const way = intentWay(opened);
  const interval = 'interval' in way ? way.interval : null;
  const together = run.log.all().filter(({ state }) => state === 'submitted').length;
  return agedPause(run, { since: time, interval, isCancelling: cancel !== 'no' }) * Math.max(1, together);
}

/** Milliseconds until the next question about something that began at `since`, Unix milliseconds. */
function agedPause(
  run: HedgeRun,
  { since, ...order }: { since: number; interval: number | null; isCancelling: boolean },
): number {
  const { parts, pollMs } = run;
  const { chainId, deadline } = record(run).opened;
  const now = parts.now();
  const pauses = pausesOf({ age: (now - since) / 1_000, left: deadline - now / 1_000, ...order });
  return Math.ceil(pollMs * pauses * stretchOf(parts.service(chainId).budget(), now));
}

/** Waits until the service is to be asked again; a cancellation that is wanted meanwhile shortens it. */
export async function untilDue(run: HedgeRun): Promise<void> {
  for (let waited = 0; waited < followPause(run); waited += run.pollMs) await rest(run, run.pollMs);
}

/**
 * Waits until an order that the service may not have is looked for again: the longer it was looked for already, since then in Unix
 * milliseconds, the longer; and at once when a halt that holds it is over, or its cancellation is wanted.
 */
export async function untilLookedFor(run: HedgeRun, since: number): Promise<void> {
  const isHeld = !isAllowed(run);
  const { cancel } = record(run);
  const pause = () => agedPause(run, { since, interval: null, isCancelling: false });
  for (let waited = 0; waited < pause() && !(isHeld && isAllowed(run)); waited += run.pollMs) {
    if (record(run).cancel !== cancel) return;
    await rest(run, run.pollMs);
  }
}
