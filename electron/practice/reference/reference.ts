import { BigNumber } from 'bignumber.js';
import type { PlannedChain } from '../practice-desk.ts';
import { failure, type RouteHandler } from '../service/route.ts';

const STEP_MS = 1_000;
const SIGNIFICANT_DIGITS = 8;

/** How far a token's price may move in a second, in thousandths of a basis point; every other token moves by 2 bps. */
const STEADY: Readonly<Record<string, number>> = { USDC: 0, USDT: 50, DAI: 100 };
const USUAL_STEP = 2_000;

export interface Reference {
  /** What a pair is worth elsewhere, quote per base; null for a pair that nobody knows. */
  mid(chainId: number, pairId: string): string | null;
  /** `GET /reference/{chainId}`, in the form that a desk's `referenceUrl` answers. */
  route: RouteHandler;
}

/**
 * Prices that move: each token wanders around its worth by a seeded walk of a step a second, and a pair's mid is the mid of
 * its starting ladder times what base and quote have wandered. So pairs of the same tokens agree with each other.
 */
export function openReference(options: {
  plans: readonly Pick<PlannedChain, 'chainId' | 'tokens' | 'pairs' | 'prices'>[];
  seed: number;
  /** Unix milliseconds. */
  now: () => number;
}): Reference {
  const { plans, seed, now } = options;
  const begun = now();
  const stepNow = () => Math.max(0, Math.floor((now() - begun) / STEP_MS));
  let known = { step: -1, mids: new Map<string, string | null>() };
  /** Takers ask for the same mid many times within its second. */
  const midNow = (plan: (typeof plans)[number], pairId: string): string | null => {
    const step = stepNow();
    if (known.step !== step) known = { step, mids: new Map() };
    const key = `${plan.chainId} ${pairId}`;
    const mid = known.mids.get(key) ?? midAt(plan, pairId, seed, step);
    known.mids.set(key, mid);
    return mid;
  };
  const route: RouteHandler = async ({ method, path }) => {
    const [, id] = /^\/reference\/(\d{1,15})$/.exec(path) ?? [];
    if (id === undefined) return null;
    if (method !== 'GET') return failure(405, 'InvalidInput', 'Only GET is answered here.');
    const plan = plans.find(({ chainId }) => `${chainId}` === id);
    if (plan === undefined) return failure(400, 'UnsupportedChain', `Chain ${id} is not served here.`);
    const time = begun + stepNow() * STEP_MS;
    const prices = Object.keys(plan.pairs).flatMap((pairId) => {
      const mid = midNow(plan, pairId);
      return mid === null ? [] : [[pairId, { mid, time }] as const];
    });
    return { status: 200, body: { prices: Object.fromEntries(prices) } };
  };
  return {
    route,
    mid(chainId, pairId) {
      const plan = plans.find((one) => one.chainId === chainId);
      return plan === undefined ? null : midNow(plan, pairId);
    },
  };
}

/** A pair's mid `step` seconds after the begin, rounded half up at 8 significant digits. */
export function midAt(
  { tokens, pairs, prices }: Pick<PlannedChain, 'tokens' | 'pairs' | 'prices'>,
  pairId: string,
  seed: number,
  step: number,
): string | null {
  const pair = pairs[pairId];
  const bid = prices[pairId]?.bids[0]?.[0];
  const ask = prices[pairId]?.asks[0]?.[0];
  if (pair === undefined || bid === undefined || ask === undefined) return null;
  const worth = (tokenId: string) => {
    const name = tokens[tokenId]?.symbol ?? tokenId;
    const wanders = wandered({ seed, name, step, stepMilliBps: STEADY[name] ?? USUAL_STEP });
    return new BigNumber(`${wanders}`).shiftedBy(-18).plus(1);
  };
  const start = new BigNumber(bid).plus(ask).dividedBy(2);
  const mid = start.times(worth(pair.base)).dividedBy(worth(pair.quote));
  return mid.precision(SIGNIFICANT_DIGITS, BigNumber.ROUND_HALF_UP).toFixed();
}

/**
 * Steps further back than this weigh less than a thousandth of the newest, and are left out: what a walk is at a step then
 * depends on that many numbers, whatever happened before.
 */
const REMEMBERED = 1_400;

/** Each second a walk loses one two-hundredth of its distance from where it began. */
const PULL = 200n;

const SCALE = 10n ** 18n;

const WEIGHTS = weights();

/**
 * How far a price has wandered from where it began, in units of 1e-18 (1e18 is 100 %), `step` seconds after its begin. It
 * wanders by at most `stepMilliBps` a second and is drawn back the more the further it is away (the discrete Ornstein–Uhlenbeck
 * process), so it never leaves a band of 200 times that around 0. The same seed, name and step always give the same.
 */
export function wandered({
  seed,
  name,
  step,
  stepMilliBps,
}: {
  seed: number;
  name: string;
  step: number;
  /** In thousandths of a basis point, a whole number. */
  stepMilliBps: number;
}): bigint {
  const key = keyOf(seed, name);
  let sum = 0n;
  for (let back = 0; back < REMEMBERED && back < step; back += 1) {
    sum += (WEIGHTS[back] ?? 0n) * BigInt(shock(key, step - back));
  }
  return (sum * BigInt(stepMilliBps)) / (10_000_000n * SHOCK_SCALE);
}

const SHOCK_SCALE = 2n ** 31n;

/** The push of one second: a whole number from -2^31 to 2^31 - 1, evenly spread. */
function shock(key: number, step: number): number {
  let mixed = (key ^ Math.imul(step, 0x9e3779b9)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) | 0;
}

/** FNV-1a over seed and name. */
function keyOf(seed: number, name: string): number {
  let hash = 0x811c9dc5 | 0;
  for (const character of `${seed} ${name}`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}

function weights(): bigint[] {
  let weight = SCALE;
  return Array.from({ length: REMEMBERED }, () => {
    const now = weight;
    weight -= weight / PULL;
    return now;
  });
}
