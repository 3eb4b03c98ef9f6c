import type { z } from 'zod';
import type { Address } from '../protocol/address.ts';
import type { Pair, PriceEntry, Token } from '../protocol/wire.ts';
import { blacklistBodySchema, pairsBodySchema, pricesBodySchema, tokensBodySchema } from '../protocol/wire.ts';
import { pause } from './pause.ts';
import type { PracticeLog } from './practice-log.ts';
import { describeFailure, type SurfaceClient } from './surface-client.ts';

const PATIENCE_MS = 10_000;
const PRICES_EVERY_MS = 1_000;
const REST_EVERY_MS = 10_000;

/** Prices older than this are not traded on. */
const STALE_AFTER_MS = 5_000;

/** What the service has cached of a maker. */
export interface CachedMaker {
  tokens: Readonly<Record<string, Token>>;
  pairs: Readonly<Record<string, Pair>>;
  prices: Readonly<Record<string, PriceEntry>>;
  blacklist: ReadonlySet<Address>;
}

export interface GridPoll {
  /** Null while there is nothing fresh to trade on. */
  cached(): CachedMaker | null;
  /** A user whom the maker would not quote, until /blacklist is read again (spec 4.3, response rule 5). */
  remember(blacklisted: Address): void;
  /** Resolves once the signal was given and every loop is out. */
  ended: Promise<void>;
}

/**
 * Polls the four GETs, each again only after it was answered. A failing /prices takes the maker off at once (spec 4.3,
 * prices rule 8); what fails or is malformed elsewhere leaves the cache as it is.
 */
export function pollGrid(options: {
  client: SurfaceClient;
  signal: AbortSignal;
  now: () => number;
  log: PracticeLog;
}): GridPoll {
  const { client, signal, now, log } = options;
  let tokens: CachedMaker['tokens'] | null = null;
  let pairs: CachedMaker['pairs'] | null = null;
  let prices: { entries: CachedMaker['prices']; at: number } | null = null;
  let blacklist = new Set<Address>();

  async function poll<T>(path: string, everyMs: number, schema: z.ZodType<T>, keep: (body: T) => void): Promise<void> {
    let complaint: string | null = null;
    while (!signal.aborted) {
      const fault = await readOnce(path, schema, keep);
      if (signal.aborted) return;
      if (fault !== null && path === '/prices') prices = null;
      if (fault !== complaint) {
        if (fault === null) log.info(`service: ${path} answers again`);
        else log.warn(`service: ${path} ${fault}`);
      }
      complaint = fault;
      // What the others wait for is asked again soon.
      await pause(fault === null ? everyMs : PRICES_EVERY_MS, signal);
    }
  }

  async function readOnce<T>(path: string, schema: z.ZodType<T>, keep: (body: T) => void): Promise<string | null> {
    try {
      const { status, body } = await client.call(path, { patienceMs: PATIENCE_MS, signal });
      if (status !== 200) return `answers ${status}`;
      const parsed = schema.safeParse(body);
      if (!parsed.success)
        return `is malformed: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}`;
      keep(parsed.data);
      return null;
    } catch (error) {
      return `fails: ${describeFailure(error)}`;
    }
  }

  const loops = [
    poll('/tokens', REST_EVERY_MS, tokensBodySchema, (body) => {
      tokens = body.tokens;
    }),
    poll('/pairs', REST_EVERY_MS, pairsBodySchema, (body) => {
      pairs = body.pairs;
    }),
    poll('/prices', PRICES_EVERY_MS, pricesBodySchema, (body) => {
      prices = { entries: body.prices, at: now() };
    }),
    poll('/blacklist', REST_EVERY_MS, blacklistBodySchema, (body) => {
      blacklist = new Set(body.blacklist);
    }),
  ];

  return {
    cached() {
      if (tokens === null || pairs === null || prices === null) return null;
      return now() - prices.at > STALE_AFTER_MS ? null : { tokens, pairs, prices: prices.entries, blacklist };
    },
    remember: (blacklisted) => blacklist.add(blacklisted),
    ended: Promise.all(loops).then(() => {}),
  };
}
