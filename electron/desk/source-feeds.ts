import { HeardSource } from '../book/sources/heard-source.ts';
import { sourceFor, sourcesOf } from '../book/sources/sources.ts';
import { markOf } from '../contract/sealed-url.ts';
import { REFERENCE_URL, type SourceConfig, type SourceLine } from '../contract/sources.ts';
import type { ServiceConnection } from '../service/service-connection.ts';
import type { Rooms } from './rooms.ts';

/** A source, and the pairs that it is asked for; null: whichever its answers name. */
interface Running {
  readonly heard: HeardSource;
  readonly pairs: readonly string[] | null;
}

/** The sources of one chain, from one configuration of them to the next. */
interface OfChain {
  readonly signal: AbortSignal;
  readonly running: Map<string, Running>;
  hasNews: boolean;
  /** Wakes who waits for news. */
  wake: () => void;
}

export interface SourceParts extends Pick<Rooms, 'book' | 'now' | 'log'> {
  /** The service of a chain. Throws DeskError where there is none. */
  readonly service: (chainId: number) => ServiceConnection;
}

/** Hears the sources of every chain, each by itself: what is wrong with one stays with that one. */
export class SourceFeeds {
  readonly #parts: SourceParts;
  readonly #chains = new Map<number, OfChain>();
  readonly #ends = new Set<Promise<void>>();

  constructor(parts: SourceParts) {
    this.#parts = parts;
  }

  /** Hears the sources of a chain as they are configured now, until the signal ends that. */
  begin(chainId: number, signal: AbortSignal): void {
    if (this.#chains.get(chainId)?.signal === signal) return;
    const of: OfChain = { signal, running: new Map(), hasNews: false, wake: () => {} };
    this.#chains.set(chainId, of);
    const config = this.#parts.book.chain(chainId)?.config;
    for (const [name, source] of config === undefined ? [] : sourcesOf(config)) this.#open(chainId, name, source, of);
  }

  /** What was heard of a chain counts no more. */
  forget(chainId: number): void {
    this.#chains.delete(chainId);
  }

  /** Resolves once every source whose signal has ended it is done. */
  async ended(): Promise<void> {
    await Promise.all(this.#ends);
  }

  of(chainId: number, name: string): HeardSource | undefined {
    return this.#chains.get(chainId)?.running.get(name)?.heard;
  }

  /** Resolves at the next news of a chain, or at once where something was heard since this was called last; and after so many milliseconds. */
  async news(chainId: number, mostMs: number): Promise<void> {
    const of = this.#chains.get(chainId);
    if (of === undefined) return;
    if (!of.hasNews && !of.signal.aborted) {
      await new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          of.signal.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, mostMs).unref();
        of.signal.addEventListener('abort', done);
        of.wake = done;
      });
    }
    of.hasNews = false;
  }

  /** The sources of a chain that cannot be heard, and why. */
  silent(chainId: number): { name: string; fault: string }[] {
    return [...(this.#chains.get(chainId)?.running ?? [])].flatMap(
      ([
        name,
        {
          heard: { fault },
        },
      ]) => (fault === null ? [] : [{ name, fault }]),
    );
  }

  /** How each source of a chain does. */
  lines(chainId: number): SourceLine[] {
    const listed = [...(this.#parts.book.chain(chainId)?.pairs.keys() ?? [])];
    return [...(this.#chains.get(chainId)?.running.values() ?? [])].map(({ heard, pairs }) =>
      heard.line(pairs ?? listed.filter((pair) => heard.of(pair) !== undefined || heard.pairFaults.has(pair))),
    );
  }

  #open(chainId: number, name: string, config: SourceConfig, of: OfChain): void {
    const { book, now, log, service } = this.#parts;
    const { kind, url = null } = config;
    const who = name === REFERENCE_URL ? 'The reference' : `The source ${name}`;
    const about = { chainId, name, kind, url: url === null || markOf(url) === null ? url : new URL(url).origin };
    const heard = new HeardSource(about, {
      now,
      onNews: () => {
        of.hasNews = true;
        of.wake();
      },
      onFault: (fault) => log.info(fault ?? `${who.toLowerCase()} is heard again`, { chainId, source: name }),
    });
    const source = sourceFor(config);
    of.running.set(name, { heard, pairs: source?.pairsOf(config) ?? null });
    if (source === undefined) {
      heard.failed(`${who} is of the kind ${kind}, which this desk does not have.`);
      return;
    }
    const { signal } = of;
    const parts = {
      heard,
      who,
      now,
      signal,
      whole: (shut: string) => book.seals.whole(shut),
      pair: (id: string) => book.chain(chainId)?.pairs.get(id),
      service: () => service(chainId),
      pushed: book.pushed.references,
    };
    const running = Promise.resolve()
      .then(() => source.run(config, parts))
      .catch((error: unknown) => {
        log.error('a source could not be heard', { chainId, source: name, error: String(error) });
        heard.failed(`${who} cannot be heard: ${error instanceof Error ? error.message : String(error)}`);
      });
    this.#ends.add(running);
    void running.finally(() => this.#ends.delete(running));
  }
}
