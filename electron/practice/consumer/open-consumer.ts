import { pause } from '../../time/pause.ts';
import type { PracticeChain } from '../practice-chain.ts';
import type { PracticeLog } from '../practice-log.ts';
import { openComplaints } from './complaints.ts';
import { type ConsumerIntervals, REAL_INTERVALS } from './consumer-intervals.ts';
import { printable } from './failures.ts';
import { followFeed } from './feed.ts';
import { type OnOrder, openFirmQuotes } from './firm-quotes.ts';
import { openMakerCache } from './maker-cache.ts';
import type { ConsumerMode, ConsumerStatus, MakerConsumer } from './maker-consumer.ts';
import { neverPolled, type Polled, pollEndpoint } from './polling.ts';
import { openRestrictions } from './restrictions.ts';
import { SPEC_RULES } from './spec-rules.ts';
import { STRICT_RULES } from './strict-rules.ts';
import { type ConsumerFaults, type Credentials, openSurfaceClient } from './surface-client.ts';
import { openUserBlacklist } from './user-blacklist.ts';

/** How soon a service that goes down or comes back notices. */
const WATCH_MS = 50;

export interface ConsumerOptions {
  chain: PracticeChain;
  /** `surfaceUrls` are the roots of their surfaces, without the chain's base path. */
  surface: { surfaceUrls: readonly string[]; counterparty: Credentials };
  mode: ConsumerMode;
  /** What differs from the real service's. */
  intervals?: Partial<ConsumerIntervals>;
  faults: ConsumerFaults;
  /** Called, and waited for, before the outcome of the firm quote is returned. */
  onOrder: OnOrder;
  now: () => number;
  log: PracticeLog;
}

/** Starts to consume one maker's surface on one chain, as the service does: polling, the channel, and firm quotes. */
export function openConsumer(options: ConsumerOptions): MakerConsumer {
  const { chain, mode, faults, onOrder, now } = options;
  const { surfaceUrls, counterparty } = options.surface;
  const { basePath } = chain;
  const log = prefixed(options.log, `service, ${chain.name}: `);
  const intervals = { ...REAL_INTERVALS, ...options.intervals };
  const rules = mode === 'strict' ? STRICT_RULES : SPEC_RULES;
  const complaints = openComplaints(now, log);
  const restrictions = openRestrictions(now, log);
  const blacklist = openUserBlacklist(intervals.blacklistFor, now, log);
  const availability = openAvailability(now, log);
  const cache = openMakerCache(mode, intervals.staleAfter, now);
  const client = openSurfaceClient({ surfaceUrls, basePath, counterparty, now, faults });
  const endpoints = { tokens: neverPolled(), pairs: neverPolled(), prices: neverPolled(), blacklist: neverPolled() };
  const socket: ConsumerStatus['socket'] = { connected: false, since: now(), messages: 0, why: 'not tried yet' };
  const shared = { client, mode, intervals, complaints, now, log };
  const firm = openFirmQuotes({ ...shared, chain, faults, blacklist, restrictions, onOrder });

  function consume(signal: AbortSignal): Promise<unknown> {
    const { pricesEvery, restEvery } = intervals;
    const poll = <T>(name: keyof typeof endpoints, everyMs: number, rest: Pick<Polled<T>, 'judge' | 'take' | 'fail'>) =>
      pollEndpoint({ path: `/${name}`, everyMs, status: endpoints[name], ...rest }, shared, signal);
    return Promise.all([
      poll('tokens', restEvery, { judge: rules.tokens, take: cache.takeTokens }),
      poll('pairs', restEvery, { judge: rules.pairs, take: cache.takePairs }),
      poll('prices', pricesEvery, {
        judge: rules.prices,
        take(prices) {
          if (cache.takePrices(prices)) availability.enable();
          else availability.disable('tokens and pairs were not read yet');
        },
        fail(failure) {
          cache.dropPrices();
          availability.disable(failure);
        },
      }),
      poll('blacklist', restEvery, { judge: rules.blacklist, take: blacklist.listed }),
      followFeed(
        {
          ...shared,
          surfaceUrls,
          basePath,
          counterparty,
          rules,
          faults,
          status: socket,
          take(parts, isFirst) {
            if (isFirst) cache.takeFirst(parts);
            else cache.merge(parts);
            blacklist.listed(parts.blacklist ?? []);
          },
        },
        signal,
      ),
    ]);
  }

  const closing = new AbortController();
  let working = new AbortController();

  /** Works until it is closed, and not while it is down: then everything under way is dropped and the cache is gone. */
  async function serve(): Promise<void> {
    while (!closing.signal.aborted) {
      if (!faults.down) {
        working = new AbortController();
        const work = consume(working.signal);
        while (!faults.down && !closing.signal.aborted) await pause(WATCH_MS, closing.signal);
        working.abort();
        await work;
        cache.clear();
        blacklist.clear();
        availability.disable(faults.down ? 'the service is down' : 'the service is closed');
      }
      await pause(WATCH_MS, closing.signal);
    }
  }
  const served = serve();

  return {
    cached() {
      if (faults.down || !availability.status().enabled) return null;
      const grid = cache.read();
      return grid === null ? null : { ...grid, blacklist: blacklist.current() };
    },
    isRestricted: restrictions.find,
    async firm(ask, signal) {
      const ending = new AbortController();
      const end = () => ending.abort();
      const ends = [signal, working.signal];
      for (const one of ends) one.addEventListener('abort', end);
      if (ends.some(({ aborted }) => aborted)) end();
      try {
        return await firm(ask, ending.signal);
      } finally {
        for (const one of ends) one.removeEventListener('abort', end);
      }
    },
    status: () => ({
      chainId: chain.chainId,
      name: chain.name,
      mode,
      ...availability.status(),
      endpoints: structuredClone(endpoints),
      pausedUntil: latest(Object.values(endpoints).map(({ pausedUntil }) => pausedUntil)),
      socket: { ...socket },
      restrictions: restrictions.all(),
      blacklist: blacklist.entries(),
      complaints: complaints.counted(),
    }),
    async close() {
      closing.abort();
      await served;
    },
  };
}

function latest(times: readonly (number | null)[]): number | null {
  return times.reduce((last, time) => (time !== null && (last === null || time > last) ? time : last), null);
}

function prefixed(log: PracticeLog, prefix: string): PracticeLog {
  return { info: (line) => log.info(`${prefix}${line}`), warn: (line) => log.warn(`${prefix}${line}`) };
}

interface Availability {
  enable(): void;
  disable(why: string): void;
  status(): { enabled: boolean; since: number; why: string | null };
}

/** Whether the maker is routed to on this chain (PROTOCOL 4.3.8), since when, and why not. */
function openAvailability(now: () => number, log: PracticeLog): Availability {
  let since = now();
  let why: string | null = 'its prices were not read yet';
  return {
    enable() {
      if (why === null) return;
      since = now();
      why = null;
      log.info('the maker is enabled');
    },
    disable(reason) {
      if (why === null) {
        since = now();
        log.warn(`the maker is disabled: ${printable(reason)}`);
      }
      why = printable(reason);
    },
    status: () => ({ enabled: why === null, since, why }),
  };
}
