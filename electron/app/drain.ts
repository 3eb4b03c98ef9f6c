import { disarm } from '../guard/armed-file.ts';
import { inTime } from '../time/in-time.ts';
import { pause } from '../time/pause.ts';
import type { DeskClient } from './desk-client.ts';
import { PATIENCE_MS } from './halt.ts';
import type { StateWatch } from './state-watch.ts';

/** How long a desk drains before the app quits. Seconds. */
export const DRAIN_SECONDS = 10;

/** Time for the halt at the end of the drain to be written. */
const MARGIN_MS = 3_000;

/**
 * Drains a desk before the app quits. Returns when it is halted, or when it should long have been, and in three seconds where it does
 * not acknowledge. The next start comes back halted all the same, also where somebody resumed it meanwhile. Null, or why it may come back
 * LIVE.
 */
export async function drainAtEnd(
  { client, folder }: { client: Pick<DeskClient, 'trading'> | null; folder: string },
  watch: Pick<StateWatch, 'state' | 'set'>,
): Promise<string | null> {
  const asked = client?.trading.drain({ scope: {}, seconds: DRAIN_SECONDS, reason: 'the app quits' }).catch(() => null);
  const answer = asked === undefined ? null : await inTime(asked, PATIENCE_MS, () => null);
  if (answer === null) return disarm(folder);
  watch.set(answer.status.state);
  const until = Date.now() + DRAIN_SECONDS * 1_000 + MARGIN_MS;
  while (watch.state() === 'DRAIN' && Date.now() < until) await pause(100);
  return watch.state() === 'HALTED' ? null : disarm(folder);
}
