import type { z } from 'zod';
import type { SourceConfig } from '../../contract/sources.ts';
import type { Token } from '../../protocol/wire.ts';
import type { ServiceConnection } from '../../service/service-connection.ts';
import { checkForm } from '../checked.ts';
import type { Fault } from '../faults.ts';
import type { PushedReferences } from '../pushed-references.ts';
import type { HeardSource } from './heard-source.ts';

/** What a pair trades. */
export interface PairTokens {
  readonly base: Token;
  readonly quote: Token;
}

/** What a source is given to run with. */
export interface SourceRun {
  /** Where what it says goes. */
  readonly heard: HeardSource;
  /** What is asked, as a sentence begins: "The source kraken". */
  readonly who: string;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** The URL to connect to, for one that may be sealed. */
  readonly whole: (url: string) => string;
  /** The tokens of a pair as it is listed now. */
  readonly pair: (id: string) => PairTokens | undefined;
  /** The service of its chain. Throws DeskError where there is none. */
  readonly service: () => ServiceConnection;
  /** What engines push to be used as references. */
  readonly pushed: Pick<PushedReferences, 'listen'>;
}

/** What a kind of source declares: with which settings it comes, and how it is heard. */
interface SourceKind<S> {
  /** What it is called in the desk file. */
  readonly kind: string;
  readonly settings: z.ZodType<S>;
  /** The pairs that it is asked for, which its settings have in `pairs`: a list, or by name. Null: whichever its answers name. */
  pairsOf(settings: S): readonly string[] | null;
  /** Hears it until the signal ends that. What goes wrong with it is told to `heard`, and is tried again. */
  run(settings: S, run: SourceRun): Promise<void>;
}

/**
 * Where a price comes from. Nothing outside `sources/` asks which kind it is. A new one is a folder and a line of the list in
 * `sources.ts`.
 */
export interface Source {
  readonly kind: string;
  /** What is wrong with these settings, each with its path in them. */
  faults(config: SourceConfig): Fault[];
  /** The pairs that it is asked for; null: whichever its answers name, or its settings cannot be read. */
  pairsOf(config: SourceConfig): readonly string[] | null;
  /** The same source, asked for those pairs alone that are listed; null where it would be asked for none any more. */
  ofListed(config: SourceConfig, isListed: (pair: string) => boolean): SourceConfig | null;
  /** Hears it until the signal ends that. Throws where its settings cannot be read. */
  run(config: SourceConfig, run: SourceRun): Promise<void>;
}

/** A kind of source, for the list. */
export function sourceOf<S>({ kind, settings, pairsOf, run }: SourceKind<S>): Source {
  const pairsIn = (config: SourceConfig) => {
    const { value } = checkForm(settings, config);
    return value === null ? null : pairsOf(value);
  };
  return {
    kind,
    faults: (config) => checkForm(settings, config).faults ?? [],
    pairsOf: pairsIn,
    ofListed: (config, isListed) => {
      const named = pairsIn(config);
      if (named === null || named.every(isListed)) return config;
      const listed = named.filter(isListed);
      if (listed.length === 0) return null;
      const { pairs } = config;
      const entries = Object.entries(pairs as object).filter(([pair]) => isListed(pair));
      return { ...config, pairs: Array.isArray(pairs) ? listed : Object.fromEntries(entries) };
    },
    run: (config, parts) => run(settings.parse(config), parts),
  };
}
