import { setTimeout as sleep } from 'node:timers/promises';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { clock } from './clock.ts';
import type { OpenConsole } from './console.ts';

export interface Publishing {
  /** When the n-th was asked to be published, on the machine's monotonic clock. */
  at: number[];
  /** Lets the one that is on its way end. Throws what any of them threw. */
  stop(): Promise<void>;
}

/**
 * Publishes another best bid `perSecond` times a second, of one pair of the first chain after the other, as a console does it.
 * `bestBid` makes the n-th from the pair's best bid in the desk file.
 */
export function publishAt(
  { desk }: OpenConsole,
  file: DeskFile,
  perSecond: number,
  bestBid: (was: number, n: number) => string,
): Publishing {
  const [chain] = file.chains;
  const ladders = Object.entries(chain?.prices ?? {});
  const chainId = chain?.chainId ?? 0;
  const at: number[] = [];
  let stopped = false;
  const publish = async (n: number) => {
    const [pair = '', ladder] = ladders[n % ladders.length] ?? [];
    const value = bestBid(Number(ladder?.bids[0]?.[0]), n);
    const { version } = await desk.ladders.edit({
      chainId,
      pair,
      edits: [{ kind: 'set', side: 'bids', level: 0, field: 'price', value }],
    });
    at[n] = clock();
    await desk.ladders.publish({ chainId, pair, version });
  };
  const run = async () => {
    const began = clock();
    for (let n = 0; !stopped; n += 1) {
      await sleep(Math.max(0, began + (n * 1_000) / perSecond - clock()));
      await publish(n);
    }
  };
  const running = run();
  running.catch(() => {}); // told when it is stopped
  return {
    at,
    stop: () => {
      stopped = true;
      return running;
    },
  };
}

/** A best bid that goes down by a cent in one round over all pairs and up again in the next. */
export function upAndDown(pairs: number): (was: number, n: number) => string {
  return (was, n) => (was - (Math.floor(n / pairs) % 2 === 0 ? 0.01 : 0)).toFixed(2);
}
