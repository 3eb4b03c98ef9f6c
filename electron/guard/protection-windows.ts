import type { ChainBook } from '../book/chain-book.ts';
import type { Protection, Subject } from '../contract/protections.ts';
import { subjectKey } from '../journal/protections/fold.ts';
import type { Address } from '../protocol/address.ts';
import { toRaw } from '../protocol/decimal.ts';
import { SlidingWindow } from './sliding-window.ts';

/** A firm quote as rules count it. Amounts are raw units. */
export interface Counted {
  readonly chainId: number;
  readonly pair: string;
  readonly user: Address;
  /** Null on a surface without counterparties. */
  readonly counterparty: string | null;
  readonly makerAsset: Address;
  readonly takerAsset: Address;
  readonly makerAmount: bigint;
  readonly takerAmount: bigint;
}

/** The most that a window ever held, and when. */
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
/** From so many windows on, and then from twice as many as were left, the empty ones among them are looked for. */
const FEW_WINDOWS = 1_024;
/** How often empty windows are looked for in any case. */
export const FORGET_MS = 60_000;

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

/** A rule and the chains as it counts on them, in one word. */
export function wordOf(rule: Protection, listed: readonly ChainBook[]): string {
  return JSON.stringify([rule, tokensOf(rule, listed)]);
}

/** What one rule counts: a window for each of its subjects, and the peaks of the last day. Amounts are raw units of `decimals`. */
export class ProtectionWindows {
  readonly rule: Protection;
  /** See `wordOf`. */
  readonly word: string;
  /** Of the token, on the chain where it has most; 0 where quotes are counted. */
  readonly decimals: number;
  readonly limit: bigint;
  /** Until they are remade from the journal. */
  filling = true;
  readonly #tokens: ReadonlyMap<number, CountedToken>;
  readonly #windows = new Map<string, { subject: Subject; window: SlidingWindow }>();
  readonly #peaks = new Map<number, Use>();
  /** Of the subjects that have no window because there are too many. */
  readonly #others: SlidingWindow;
  /** From so many windows on the empty ones are forgotten, if that was not just done. */
  #many = FEW_WINDOWS;
  /** Unix milliseconds. */
  #forgottenAt = 0;

  constructor(rule: Protection, listed: readonly ChainBook[]) {
    const tokens = tokensOf(rule, listed);
    this.rule = rule;
    this.word = wordOf(rule, listed);
    this.decimals = Math.max(0, ...tokens.map(({ decimals }) => decimals));
    this.#others = new SlidingWindow(rule.windowSeconds * 1_000);
    this.limit = toRaw(rule.limit, this.decimals, 'floor');
    this.#tokens = new Map(
      tokens.map(({ chainId, address, decimals }) => [
        chainId,
        { address, factor: 10n ** BigInt(this.decimals - decimals) },
      ]),
    );
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

  /** What a quote comes to by this rule; 0 where it does not move its token. */
  amountOf({ chainId, makerAsset, takerAsset, makerAmount, takerAmount }: Counted): bigint {
    if (this.rule.token === undefined) return 1n;
    const token = this.#tokens.get(chainId);
    if (token === undefined) return 0n;
    const moved = token.address === makerAsset ? makerAmount : token.address === takerAsset ? takerAmount : 0n;
    return moved * token.factor;
  }

  /** What is in the window of a subject at a time, Unix milliseconds; of one that has none, what is in that of all such. */
  used(subject: Subject, at: number): bigint {
    return (this.#windows.get(subjectKey(subject))?.window ?? this.#others).slideTo(at);
  }

  /** Counts an amount for a subject from a time on. Returns the window that it is counted in; null for nothing. */
  add(subject: Subject, at: number, amount: bigint): SlidingWindow | null {
    if (amount === 0n) return null;
    const window = this.#windowFor(subject, at);
    const used = window.add(at, amount);
    const step = Math.floor(at / PEAK_STEP_MS);
    const peak = this.#peaks.get(step);
    if (peak === undefined || used > peak.used) this.#peaks.set(step, { ...subject, used, at });
    return window;
  }

  /** What was counted for a subject until now counts no more, where it has a window of its own. */
  clear(subject: Subject): void {
    this.#windows.delete(subjectKey(subject));
  }

  /** The fullest window at a time; null where all are empty. */
  fullest(at: number): Use | null {
    let fullest: Use | null = null;
    for (const { subject, window } of this.#windows.values()) {
      const used = window.at(at);
      if (used > (fullest?.used ?? 0n)) fullest = { ...subject, used, at };
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
    for (const [key, { window }] of this.#windows) if (window.slideTo(at) === 0n) this.#windows.delete(key);
    for (const [step, use] of this.#peaks) if (use.at <= at - PEAK_MS) this.#peaks.delete(step);
  }

  /** The window that a subject is counted in. It gets one of its own only while none is counted among the others: it may be one of them. */
  #windowFor(subject: Subject, at: number): SlidingWindow {
    const key = subjectKey(subject);
    const known = this.#windows.get(key);
    if (known !== undefined) return known.window;
    if (this.#windows.size >= this.#many && (this.#many < MOST_WINDOWS || at - this.#forgottenAt >= FORGET_MS)) {
      this.forget(at);
      this.#many = Math.min(MOST_WINDOWS, 2 * this.#windows.size + FEW_WINDOWS);
    }
    if (this.#windows.size >= MOST_WINDOWS || this.#others.slideTo(at) > 0n) return this.#others;
    const window = new SlidingWindow(this.rule.windowSeconds * 1_000);
    this.#windows.set(key, { subject, window });
    return window;
  }
}
