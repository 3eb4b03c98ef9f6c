import type { ChainConfig } from '../contract/desk-file.ts';
import { type PairReference, REFERENCE_URL, type ReferenceLine, type SourcePrice } from '../contract/sources.ts';
import { add, ceil, compare, div, formatDecimal, mul, parseDecimal, type Rational, sub } from '../protocol/decimal.ts';
import { isFurther } from './reference-fence.ts';

const HALF: Rational = { n: 1n, d: 2n };
/** Digits behind the point of a mid: further ones are cut. */
const PLACES = 36;
/** Digits of a price in a sentence. */
const SHOWN_PLACES = 8;
/** Beyond this a distance is only told as beyond: 10,000 %. Tenths of a basis point. */
const FARTHEST_TOLD = 10_000_000n;

type References = Pick<ChainConfig, 'referenceUrl' | 'referenceMaxAgeSeconds' | 'references'>;

/** A rule with everything that may be left out. */
export type ReferenceRule = Required<PairReference>;

/** What a source last said of the pair; left out where it never said anything. */
export interface Voice {
  readonly name: string;
  readonly price: SourcePrice | undefined;
}

/** What sources come to. */
export interface CombinedSources {
  /** Quote per base. */
  readonly mid: string;
  /** When as many of them as are needed had spoken, Unix milliseconds. It never runs backwards. */
  readonly time: number;
  /** How old the mid is: when the oldest of the words that it is made of was so, Unix milliseconds. It may run backwards. */
  readonly midTime: number;
  /** Why the pair must not be quoted by it: its sources are apart, or too few of them are fresh. */
  readonly unsure: { readonly why: 'apart' | 'few'; readonly sentence: string } | null;
}

/** The rule that a pair names for itself, or null. */
export function ruleOf(config: References, pair: string): ReferenceRule | null {
  const { references = {} } = config;
  const named = Object.hasOwn(references, pair) ? references[pair] : undefined;
  if (named === undefined) return null;
  const usual = named.rule === 'first' ? 1 : Math.min(2, named.sources.length);
  return {
    ...named,
    atLeast: named.atLeast ?? usual,
    upToSeconds: named.upToSeconds ?? Math.ceil(config.referenceMaxAgeSeconds / 2),
  };
}

/** How old, in seconds, what is known of a pair may be and still count: by the rule that it names, and by its chain. */
export function mostAge(config: References, pair: string): number {
  const { referenceMaxAgeSeconds } = config;
  return Math.min(referenceMaxAgeSeconds, ruleOf(config, pair)?.upToSeconds ?? referenceMaxAgeSeconds);
}

/** Whether anything outside says where a pair stands. */
export function hasReference(config: Omit<References, 'referenceMaxAgeSeconds'>, pair: string): boolean {
  return config.referenceUrl !== null || Object.hasOwn(config.references ?? {}, pair);
}

/** What the sources of a pair come to at `now` (Unix milliseconds); null while fewer than are needed have ever spoken. */
export function combineSources(rule: ReferenceRule, voices: readonly Voice[], now: number): CombinedSources | null {
  return judge(rule, voices, now).combined;
}

/** The same as people see it. */
export function referenceLine(
  { chainId, config }: { chainId: number; config: References },
  pair: string,
  voiceOf: (source: string) => Voice,
  now: number,
): ReferenceLine | null {
  const rule = ruleOf(config, pair) ?? (config.referenceUrl === null ? null : plainRule(config));
  if (rule === null) return null;
  const voices = rule.sources.map(voiceOf);
  const { combined, spoken, fresh, inMid, missing } = judge(rule, voices, now);
  const mid = combined === null ? null : parseDecimal(combined.mid);
  const [lowest, highest] = endsOf(fresh);
  const { atLeast, upToSeconds, apartBps, whenApart } = rule;
  return {
    chainId,
    pair,
    rule: rule.rule,
    atLeast,
    upToSeconds,
    apartBps,
    whenApart,
    mid: combined?.mid ?? null,
    apartTenthBps:
      fresh.length < 2 || lowest === undefined || highest === undefined ? null : tenthBps(highest.mid, lowest.mid),
    why: combined === null ? missing : (combined.unsure?.sentence ?? null),
    sources: voices.map(({ name, price }) => {
      const own = spoken.find((one) => one.name === name);
      const isFresh = fresh.some((one) => one.name === name);
      const isMid = combined?.unsure == null && inMid.includes(name);
      return {
        name,
        use: own === undefined ? 'silent' : isMid ? 'mid' : isFresh ? 'counted' : 'old',
        mid: own === undefined ? null : written(own.mid),
        offTenthBps: own === undefined || mid === null ? null : tenthBps(own.mid, mid),
        time: price?.time ?? null,
      };
    }),
  };
}

/** What a chain's `referenceUrl` alone is, as a rule. */
function plainRule({ referenceMaxAgeSeconds }: References): ReferenceRule {
  const one = { sources: [REFERENCE_URL], rule: 'first', atLeast: 1, apartBps: 0, whenApart: 'closes' } as const;
  return { ...one, sources: [REFERENCE_URL], upToSeconds: referenceMaxAgeSeconds };
}

interface Spoken {
  readonly name: string;
  readonly bid: Rational;
  readonly ask: Rational;
  readonly mid: Rational;
  readonly time: number;
}

interface Judged {
  readonly combined: CombinedSources | null;
  /** Those that ever spoke, and those of them that are fresh, in the order of the rule. */
  readonly spoken: readonly Spoken[];
  readonly fresh: readonly Spoken[];
  /** Those that are the price. */
  readonly inMid: readonly string[];
  /** Who has said nothing yet, as a sentence. */
  readonly missing: string;
}

function judge(rule: ReferenceRule, voices: readonly Voice[], now: number): Judged {
  const spoken = voices.flatMap(({ name, price }): Spoken[] => {
    if (price === undefined) return [];
    const [bid, ask] = [parseDecimal(price.bid), parseDecimal(price.ask)];
    return [{ name, bid, ask, mid: mul(add(bid, ask), HALF), time: price.time }];
  });
  // Where our clock was set back, what was heard before that is of nobody knows when.
  const fresh = spoken.filter(({ time }) => time <= now && now - time <= rule.upToSeconds * 1_000);
  const silent = voices.filter(({ price }) => price === undefined).map(({ name }) => name);
  const missing = `${silent.join(' and ')} ${silent.length === 1 ? 'has' : 'have'} said nothing yet, and ${count(rule.atLeast)} needed`;
  // Neither does such a word tell the age of the price where others do.
  const dated = spoken.filter(({ time }) => time <= now);
  const newestFirst = [...(dated.length < rule.atLeast ? spoken : dated)].sort((a, b) => b.time - a.time);
  const time = newestFirst[rule.atLeast - 1]?.time;
  const newest = newestFirst[0];
  if (time === undefined || newest === undefined) return { combined: null, spoken, fresh, inMid: [], missing };
  const { mid, inMid } = fresh.length === 0 ? { mid: newest.mid, inMid: [] } : byRule[rule.rule](fresh);
  const words = fresh.length === 0 ? [newest] : fresh.filter(({ name }) => inMid.includes(name));
  const midTime = Math.min(...words.map((word) => word.time));
  const combined = { mid: written(mid), time, midTime, unsure: unsureOf(rule, fresh) };
  return { combined, spoken, fresh, inMid, missing };
}

function unsureOf(
  { atLeast, apartBps, upToSeconds }: ReferenceRule,
  fresh: readonly Spoken[],
): CombinedSources['unsure'] {
  if (fresh.length < atLeast) {
    const who = fresh.length === 0 ? 'none' : `only ${fresh.map(({ name }) => name).join(' and ')}`;
    const sentence = `${count(atLeast)} needed that ${atLeast === 1 ? 'is' : 'are'} up to ${upToSeconds} s old, and ${who} is`;
    return { why: 'few', sentence };
  }
  const [lowest, highest] = endsOf(fresh);
  if (lowest === undefined || highest === undefined || !isFurther(highest.mid, lowest.mid, apartBps)) return null;
  const figures = `${lowest.name} says ${shown(lowest.mid)}, ${highest.name} ${shown(highest.mid)}`;
  return { why: 'apart', sentence: `its sources are more than ${apartBps} bps apart: ${figures}` };
}

type ByRule = (fresh: readonly Spoken[]) => { mid: Rational; inMid: readonly string[] };

/** What each rule makes of the fresh ones, of which there is at least one. */
const byRule: Record<ReferenceRule['rule'], ByRule> = {
  first: (fresh) => middleOf([fresh[0] as Spoken]),
  median: (fresh) => {
    const sorted = [...fresh].sort((a, b) => compare(a.mid, b.mid));
    const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)];
    return middleOf(sorted.slice(low, high + 1));
  },
  widest: (fresh) => {
    const lowest = least(fresh, ({ bid }) => bid);
    const highest = least(fresh, ({ ask: { n, d } }) => ({ n: -n, d }));
    return { mid: mul(add(lowest.bid, highest.ask), HALF), inMid: [...new Set([lowest.name, highest.name])] };
  },
};

/** Half-way between the first and the last of those that are the price. */
function middleOf(chosen: readonly Spoken[]): ReturnType<ByRule> {
  const [first, last] = [chosen[0] as Spoken, chosen.at(-1) as Spoken];
  return { mid: mul(add(first.mid, last.mid), HALF), inMid: chosen.map(({ name }) => name) };
}

function least(spoken: readonly Spoken[], of: (one: Spoken) => Rational): Spoken {
  return spoken.reduce((found, one) => (compare(of(one), of(found)) < 0 ? one : found));
}

/** The two whose middles are furthest apart: the lowest, the highest. */
function endsOf(spoken: readonly Spoken[]): (Spoken | undefined)[] {
  const sorted = [...spoken].sort((a, b) => compare(a.mid, b.mid));
  return [sorted[0], sorted.at(-1)];
}

/** How far a price is from another, in tenths of a basis point of that, rounded away from zero. */
function tenthBps(price: Rational, from: Rational): number {
  const away = div(mul(sub(price, from), { n: 100_000n, d: 1n }), from);
  const tenths = ceil({ n: away.n < 0n ? -away.n : away.n, d: away.d });
  const told = Number(tenths < FARTHEST_TOLD ? tenths : FARTHEST_TOLD);
  return away.n < 0n ? -told : told;
}

function count(sources: number): string {
  return sources === 1 ? 'one source is' : `${sources} sources are`;
}

function written(price: Rational): string {
  return formatDecimal(price, PLACES, 'floor');
}

function shown(price: Rational): string {
  return formatDecimal(price, SHOWN_PLACES, 'floor');
}
