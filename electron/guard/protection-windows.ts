import type { ChainBook } from '../book/chain-book.ts';
import type { Protection, Subject } from '../contract/protections.ts';
import { subjectKey } from '../journal/protections/fold.ts';
import type { Address } from '../protocol/address.ts';
import { toRaw } from '../protocol/decimal.ts';
import type { Side } from '../protocol/side.ts';
import { DOLLAR_DECIMALS } from './rule-dollars.ts';
import { SlidingWindow } from './sliding-window.ts';

/** A firm quote, or a fill of one, as rules count it. Amounts are raw units. */
export interface Counted {
  readonly chainId: number;
  readonly pair: string;
  readonly user: Address;
  /** Null on a surface without counterparties. */
  readonly counterparty: string | null;
  /** Null where its row does not say. */
  readonly side: Side | null;
  readonly makerAsset: Address;
  readonly takerAsset: Address;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
  /** Millionths of a dollar, rounded up; null where no rule asks for them, or no fresh reference says it. */
  readonly dollars: bigint | null;
  /** What a fill gained by its newest mark, in the same unit, rounded down; null for a quote, or where no reference says it. */
  readonly gain: bigint | null;
}

/** The most that a window held, and when. */
export interface Use extends Subject {
  readonly used: bigint;
  /** Unix milliseconds. */
  readonly at: number;
}

/** How long peaks are told for, and to which part of it they are kept. */
export const PEAK_MS = 24 * 3_600_000;
const PEAK_STEP_MS = 60_000;

/** Windows that one rule keeps; what more subjects than that come to is one sum. */
const MOST_WINDOWS = 200_000;
/** Windows of a rule that are told as near their limit, at most. */
const MOST_NEAR = 100;
/** From so many windows on, and then from twice as many as were left, the empty ones among them are looked for. */
const FEW_WINDOWS = 1_024;
/** How often empty windows are looked for in any case. */
export const FORGET_MS = 60_000;

/** The window of a subject: of a net rule what came in, and beside it what went out; of a rule of losses those, and beside them the gains. */
interface Kept {
  readonly subject: Subject;
  readonly window: SlidingWindow;
  readonly given: SlidingWindow | null;
}

/** What counts in windows and may be taken back: a quote whose row is not durable yet, or a fill. */
export interface CountedNow {
  readonly counted: Counted;
  /** Unix milliseconds. */
  readonly at: number;
  readonly parts: CountedPart[];
}

/** Where something is counted, and as how much. */
interface CountedPart {
  readonly of: ProtectionWindows;
  readonly kept: Kept;
  readonly window: SlidingWindow;
  readonly at: number;
  readonly amount: bigint;
}

interface CountedToken {
  readonly address: Address;
  /** What a raw unit of it comes to in units of the rule. */
  readonly factor: bigint;
}

/** Where the token of a rule is listed, and with how many decimals: where that changes its windows are made anew. */
function tokensOf({ token, chains }: Protection, listed: readonly ChainBook[]) {
  return listed.flatMap((chain) => {
    const found = token === undefined ? undefined : chain.tokens.get(token);
    if (found === undefined || chains?.includes(chain.chainId) === false) return [];
    return [{ chainId: chain.chainId, address: found.address, decimals: found.decimals }];
  });
}

/** What a rule counts, on the chains as they are, in one word: not what that is held against. */
export function wordOf(rule: Protection, listed: readonly ChainBook[]): string {
  const { limit: _limit, warnPercent: _warnPercent, freezeSeconds: _freezeSeconds, ...counted } = rule;
  return JSON.stringify([counted, tokensOf(rule, listed)]);
}

/** What one rule counts: a window for each of its subjects, and the peaks of the last day. Amounts are raw units of `decimals`. */
export class ProtectionWindows {
  #rule: Protection;
  #limit: bigint;
  /** See `wordOf`. */
  readonly word: string;
  /** Of the token, on the chain where it has most; of a dollar's millionths; 0 where quotes or fills are counted. */
  readonly decimals: number;
  /** Until they are remade from the journal. */
  filling = true;
  /** Of losses: until the marks that came while the desk was off are read. */
  unmarked = false;
  /** The row of the journal up to which fills were taken up from there. */
  upTo = 0;
  readonly #tokens: ReadonlyMap<number, CountedToken>;
  readonly #windows = new Map<string, Kept>();
  readonly #peaks = new Map<number, Use>();
  /** Subjects that were seen from `warnPercent` of the limit on, and may still be. */
  readonly #near = new Map<string, Subject>();
  /** What counts and has no price yet, by subject. */
  readonly #unpriced = new Map<string, Set<CountedNow>>();
  /** Of the subjects that have no window because there are too many. */
  readonly #others: Kept;
  /** From so many windows on the empty ones are forgotten, if that was not just done. */
  #many = FEW_WINDOWS;
  /** Unix milliseconds. */
  #forgottenAt = 0;

  constructor(rule: Protection, listed: readonly ChainBook[]) {
    const tokens = tokensOf(rule, listed);
    this.#rule = rule;
    this.word = wordOf(rule, listed);
    this.decimals = rule.usd !== undefined ? DOLLAR_DECIMALS : Math.max(0, ...tokens.map(({ decimals }) => decimals));
    this.#others = this.#newWindow({ chainId: null, who: '' });
    this.#limit = toRaw(rule.limit, this.decimals, 'floor');
    this.#tokens = new Map(
      tokens.map(({ chainId, address, decimals }) => [
        chainId,
        { address, factor: 10n ** BigInt(this.decimals - decimals) },
      ]),
    );
  }

  get rule(): Protection {
    return this.#rule;
  }

  get limit(): bigint {
    return this.#limit;
  }

  /** From a time on, Unix milliseconds, what is counted is held against a rule that counts the same. */
  become(rule: Protection, at: number): void {
    this.#rule = rule;
    this.#limit = toRaw(rule.limit, this.decimals, 'floor');
    this.#near.clear();
    if (rule.warnPercent !== undefined) for (const { subject } of this.#windows.values()) this.seen(subject, at);
  }

  holdsOn(chainId: number): boolean {
    return this.rule.chains === undefined || this.rule.chains.includes(chainId);
  }

  subjectOf({
    chainId,
    pair,
    user,
    counterparty,
  }: Pick<Counted, 'chainId' | 'pair' | 'user' | 'counterparty'>): Subject {
    switch (this.rule.per) {
      case 'pair':
        return { chainId, who: pair };
      case 'user':
        return { chainId: null, who: user };
      case 'counterparty':
        return { chainId: null, who: counterparty ?? '' };
      default:
        return { chainId: null, who: '' };
    }
  }

  /** What a quote or a fill comes to by this rule; 0 where it does not move its token, null where nobody knows what it is worth. */
  amountOf({ chainId, makerAsset, takerAsset, makerAmount, takerAmount, dollars, gain }: Counted): bigint | null {
    if (this.rule.counts === 'lost') return gain !== null && gain < 0n ? -gain : gain;
    if (this.rule.usd !== undefined) return dollars;
    if (this.rule.token === undefined) return 1n;
    const token = this.#tokens.get(chainId);
    if (token === undefined) return 0n;
    const moved = token.address === makerAsset ? makerAmount : token.address === takerAsset ? takerAmount : 0n;
    return moved * token.factor;
  }

  /** What is in the window of a subject at a time, Unix milliseconds; of one that has none, what is in that of all such. */
  used(subject: Subject, at: number): bigint {
    return this.#sumOf(this.#windows.get(subjectKey(subject)) ?? this.#others, at);
  }

  /** What is in the window that a quote of a subject would be counted in: of a net rule what goes the same way. */
  usedBeside(subject: Subject, counted: Counted, at: number): bigint {
    return this.#sideOf(this.#windows.get(subjectKey(subject)) ?? this.#others, counted).slideTo(at);
  }

  /** Counts a quote or a fill for a subject from a time on. Returns where it is counted; null for nothing, or what has no price. */
  add(subject: Subject, counted: Counted, at: number): CountedPart | null {
    const amount = this.amountOf(counted) ?? 0n;
    if (amount === 0n && this.rule.counts !== 'lost') return null;
    const kept = this.#windowFor(subject, at);
    const window = this.#sideOf(kept, counted);
    window.add(at, amount);
    return { of: this, kept, window, at, amount };
  }

  /** Counts at its time what a fill comes to now, in place of what it came to before. */
  restate({ kept, window: before, at, amount: old }: CountedPart, counted: Counted): CountedPart {
    before.takeBack(at, old);
    const amount = this.amountOf(counted) ?? 0n;
    const window = this.#sideOf(kept, counted);
    window.put(at, amount);
    return { of: this, kept, window, at, amount };
  }

  /** Remembers how full the window of a subject is at a time, for the peaks. */
  seen(subject: Subject, at: number): void {
    const used = this.used(subject, at);
    const step = Math.floor(at / PEAK_STEP_MS);
    const peak = this.#peaks.get(step);
    if (peak === undefined || used > peak.used) this.#peaks.set(step, { ...subject, used, at });
    if (this.#isNear(used) && this.#near.size < MOST_NEAR) this.#near.set(subjectKey(subject), subject);
  }

  /** The windows that are from `warnPercent` of the limit on at a time, the fullest first. */
  near(at: number): Use[] {
    for (const [key, subject] of this.#near) if (!this.#isNear(this.used(subject, at))) this.#near.delete(key);
    // Of what is held against each other more may be left with time alone.
    if (this.rule.warnPercent !== undefined && this.#maySlideUp() && this.#windows.size <= MOST_NEAR) {
      for (const { subject } of this.#windows.values()) this.seen(subject, at);
    }
    const uses = [...this.#near.values()].map((subject) => ({ ...subject, used: this.used(subject, at), at }));
    return uses.sort((a, b) => (a.used < b.used ? 1 : a.used > b.used ? -1 : 0));
  }

  #isNear(used: bigint): boolean {
    const { warnPercent } = this.rule;
    return warnPercent !== undefined && used * 100n >= this.limit * BigInt(warnPercent);
  }

  /** Whether more may be in a window than before although nothing was counted. */
  #maySlideUp(): boolean {
    return this.rule.net !== undefined || this.rule.counts === 'lost';
  }

  /** The subjects whose windows have reached the limit by a time. */
  *full(at: number): Generator<Subject> {
    for (const kept of this.#windows.values()) if (this.#sumOf(kept, at) >= this.limit) yield kept.subject;
  }

  /** When after a time something slides out that others are held against, so that more may be left than before; infinity where nothing does. */
  nextOut(at: number): number {
    let next = Number.POSITIVE_INFINITY;
    if (!this.#maySlideUp()) return next;
    for (const { window, given } of this.#windows.values()) {
      next = Math.min(next, window.nextOut(at), given?.nextOut(at) ?? next);
    }
    return next;
  }

  /** What was counted for a subject until now counts no more, where it has a window of its own. */
  clear(subject: Subject): void {
    this.#windows.delete(subjectKey(subject));
    this.#near.delete(subjectKey(subject));
    this.#unpriced.delete(subjectKey(subject));
  }

  /** Keeps what has no price yet: what it is of is closed until it has one, or its time is over. */
  waitForPrice(one: CountedNow): void {
    const key = subjectKey(this.subjectOf(one.counted));
    const known = this.#unpriced.get(key);
    if (known === undefined) this.#unpriced.set(key, new Set([one]));
    else known.add(one);
  }

  /** It has its price, or was taken back. Says whether it waited. */
  waitNoMore(one: CountedNow): boolean {
    const key = subjectKey(this.subjectOf(one.counted));
    const known = this.#unpriced.get(key);
    const waited = known?.delete(one) ?? false;
    if (known?.size === 0) this.#unpriced.delete(key);
    return waited;
  }

  /** Whether something of a subject, or without one of any, has no price yet. */
  isUnpriced(subject?: Subject): boolean {
    return this.#unpriced.size > 0 && (subject === undefined || this.#unpriced.has(subjectKey(subject)));
  }

  /** What has no price and whose time is not over at a time; what is over is forgotten. */
  unpriced(at: number): CountedNow[] {
    const all = [...this.#unpriced.values()].flatMap((some) => [...some]);
    const isOver = (one: CountedNow) => at - one.at >= this.rule.windowSeconds * 1_000;
    for (const one of all) if (isOver(one)) this.waitNoMore(one);
    return all.filter((one) => !isOver(one));
  }

  /** The fullest window at a time; null where all are empty. */
  fullest(at: number): Use | null {
    let fullest: Use | null = null;
    for (const kept of this.#windows.values()) {
      const used = this.#sumOf(kept, at, (window) => window.at(at));
      if (used > (fullest?.used ?? 0n)) fullest = { ...kept.subject, used, at };
    }
    return fullest;
  }

  /** The fullest that a window was in the 24 hours before a time. */
  peak(at: number): Use | null {
    let peak: Use | null = null;
    for (const use of this.#peaks.values()) if (use.at > at - PEAK_MS && use.used > (peak?.used ?? 0n)) peak = use;
    return peak;
  }

  /** Forgets windows that are empty by a time, and peaks that are over. */
  forget(at: number): void {
    this.#forgottenAt = at;
    for (const [key, kept] of this.#windows) if (isEmpty(kept, at)) this.#windows.delete(key);
    for (const [step, use] of this.#peaks) if (use.at <= at - PEAK_MS) this.#peaks.delete(step);
  }

  /** The window that a subject is counted in. It gets one of its own only while none is counted among the others: it may be one of them. */
  #windowFor(subject: Subject, at: number): Kept {
    const key = subjectKey(subject);
    const known = this.#windows.get(key);
    if (known !== undefined) return known;
    if (this.#windows.size >= this.#many && (this.#many < MOST_WINDOWS || at - this.#forgottenAt >= FORGET_MS)) {
      this.forget(at);
      this.#many = Math.min(MOST_WINDOWS, 2 * this.#windows.size + FEW_WINDOWS);
    }
    if (this.#windows.size >= MOST_WINDOWS || !isEmpty(this.#others, at)) return this.#others;
    const kept = this.#newWindow(subject);
    this.#windows.set(key, kept);
    return kept;
  }

  #newWindow(subject: Subject): Kept {
    const { windowSeconds, net, counts } = this.rule;
    const window = () => new SlidingWindow(windowSeconds * 1_000);
    return { subject, window: window(), given: net === undefined && counts !== 'lost' ? null : window() };
  }

  #sideOf({ window, given }: Kept, { makerAsset, chainId, gain }: Counted): SlidingWindow {
    if (given === null) return window;
    const isGiven = this.rule.counts === 'lost' ? (gain ?? 0n) > 0n : makerAsset === this.#tokens.get(chainId)?.address;
    return isGiven ? given : window;
  }

  /** What is in a window by its rule. Of several subjects together one alone may have gone one way. */
  #sumOf(kept: Kept, at: number, read = (window: SlidingWindow) => window.slideTo(at)): bigint {
    const got = read(kept.window);
    if (kept.given === null) return got;
    const gave = read(kept.given);
    // Of losses together with others' gains nobody knows whose those were.
    if (this.rule.counts === 'lost') return kept === this.#others ? got : got > gave ? got - gave : 0n;
    const [most, least] = got > gave ? [got, gave] : [gave, got];
    return this.rule.counts === 'filled' && kept !== this.#others ? most - least : most;
  }
}

function isEmpty({ window, given }: Kept, at: number): boolean {
  return window.isEmpty(at) && (given === null || given.isEmpty(at));
}
