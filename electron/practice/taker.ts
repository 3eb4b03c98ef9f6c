import type { Address } from '../protocol/address.ts';
import type { FirmContext } from './firm-check.ts';
import { type CachedMaker, pollGrid } from './grid-poll.ts';
import { pause } from './pause.ts';
import { planSwap } from './planned-swap.ts';
import type { PracticeLog } from './practice-log.ts';
import { seededRandom } from './seeded-random.ts';
import type { Sender } from './sender.ts';
import { describeFailure, type SurfaceClient } from './surface-client.ts';
import { swapOnce } from './taker-round.ts';

const RESTOCK_EVERY_MS = 10_000;
const NO_PRICES = 'taker: waits, there are no fresh prices';

export interface Taker {
  /** Resolves when nothing of it is on its way any more. */
  stop(): Promise<void>;
}

/**
 * One plain taker: polls the grid, asks for a firm quote every `everyMs`, selling and buying in turn, and fills it on
 * chain. It outlives a surface or a node that goes away, and says so.
 */
export function startTaker(options: {
  surface: SurfaceClient;
  context: FirmContext;
  sender: Sender;
  /** The tokens it may hold; pairs of others are passed over. */
  tokens: readonly Address[];
  restock: (cached: CachedMaker | null) => Promise<void>;
  seed: number;
  everyMs: number;
  log: PracticeLog;
}): Taker {
  const { surface, context, sender, restock, everyMs, log } = options;
  const { user, now } = context;
  const known = new Set(options.tokens);
  const random = seededRandom(options.seed);
  const ending = new AbortController();
  const { signal } = ending;
  const poll = pollGrid({ client: surface, signal, now, log });
  let complaint = NO_PRICES; // which is so at first, and nothing to speak of

  function complain(line: string): void {
    if (line !== complaint && line !== '') log.warn(line);
    complaint = line;
  }

  async function trade(): Promise<void> {
    let direction: 'sell' | 'buy' = 'sell';
    while (!signal.aborted) {
      const startedAt = now();
      const cached = poll.cached();
      if (cached === null) complain(NO_PRICES);
      else if (cached.blacklist.has(user)) complain('taker: waits, its user is on the blacklist');
      else {
        const swap = planSwap({ cached, known, direction, random });
        if (swap === null) complain('taker: waits, no pair has both sides');
        else {
          complain('');
          direction = direction === 'sell' ? 'buy' : 'sell';
          const outcome = await swapOnce({ swap, surface, context, sender, signal });
          if (outcome.blacklisted) poll.remember(user);
          if (outcome.filled) log.info(outcome.line);
          else if (!signal.aborted) log.warn(outcome.line);
        }
      }
      await pause(complaint === '' ? Math.max(0, startedAt + everyMs - now()) : Math.min(everyMs, 250), signal);
    }
  }

  async function keepStocked(): Promise<void> {
    let fault = '';
    while (!signal.aborted) {
      await pause(RESTOCK_EVERY_MS, signal);
      if (signal.aborted) return;
      const before = fault;
      fault = await restock(poll.cached()).then(
        () => '',
        (error: unknown) => describeFailure(error).split('\n')[0] ?? '',
      );
      if (fault !== '' && fault !== before) log.warn(`inventory was not looked after: ${fault}`);
    }
  }

  const ended = Promise.all([trade(), keepStocked(), poll.ended]);
  return {
    async stop() {
      ending.abort();
      await ended;
    },
  };
}
