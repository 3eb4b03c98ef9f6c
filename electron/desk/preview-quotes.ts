import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { PreviewOutcome, PreviewQuote } from '../contract/ladder-preview.ts';
import type { Guard } from '../guard/guard.ts';
import { formatDecimal, fromRaw } from '../protocol/decimal.ts';
import type { PreparedLevel } from '../protocol/ladder.ts';
import { ladderDepth } from '../protocol/ladder-depth.ts';
import { walkLadder } from '../protocol/ladder-walk.ts';
import type { Side } from '../protocol/side.ts';

/** The service asks for slightly more than a taker gives or wants (PROTOCOL 4.3.12). */
const OVER_ORDER = { in: { n: 101n, d: 100n }, out: { n: 10_001n, d: 10_000n } } as const;
/** Parts of a side's depth, in thousandths, that are asked for beside nearly all of it. */
const PARTS = [5n, 50n, 250n];
/** Somebody whom no list names. */
const NOBODY = `0x${'0'.repeat(39)}1` as const;

type Exact = keyof typeof OVER_ORDER;
type Sides = Record<Side, readonly PreparedLevel[]>;

/** What takers of a few round sizes would get of the draft and of what is live. `draft` is null while it has faults. */
export function previewQuotes(world: {
  chain: ChainBook;
  pair: BookPair;
  guard: Guard;
  draft: Sides | null;
}): PreviewQuote[] {
  const { chain, pair, guard, draft } = world;
  const kinds = (['in', 'out'] as const).flatMap((exact) => [
    { exact, side: 'bids' as const },
    { exact, side: 'asks' as const },
  ]);
  return kinds.flatMap(({ exact, side }) => {
    const unit = (side === 'bids') === (exact === 'in') ? 'base' : 'quote';
    const { decimals } = pair[unit];
    const sized = pair[side].length > 0 ? pair[side] : (draft?.[side] ?? []);
    const { n, d } = OVER_ORDER[exact];
    return sizesOf(ladderDepth(sized, unit)).map((amount) => {
      const asked = (amount * n) / d;
      const outcome = (levels: readonly PreparedLevel[]) =>
        outcomeOf({ chain, pair, guard, side, exact, levels, amount, asked });
      return {
        side,
        exact,
        amount: fromRaw(amount, decimals),
        asked: fromRaw(asked, decimals),
        draft: draft === null ? null : outcome(draft[side]),
        live: outcome(pair[side]),
      };
    });
  });
}

/** A few round amounts, the last close to the depth; raw units. They depend on what is live, so that they stand still while a draft is edited. */
function sizesOf(depth: bigint): bigint[] {
  const sizes = [...PARTS.map((part) => roundDown((depth * part) / 1_000n)), twoDigits(depth)];
  return [...new Set(sizes)].filter((size) => size > 0n);
}

/** 1, 2 or 5 times a power of ten. */
function roundDown(amount: bigint): bigint {
  if (amount <= 0n) return 0n;
  const power = 10n ** BigInt(amount.toString().length - 1);
  const first = amount / power;
  return (first >= 5n ? 5n : first >= 2n ? 2n : 1n) * power;
}

/** The two leading digits, then zeros. */
function twoDigits(amount: bigint): bigint {
  const power = 10n ** BigInt(Math.max(0, amount.toString().length - 2));
  return (amount / power) * power;
}

function outcomeOf(ask: {
  chain: ChainBook;
  pair: BookPair;
  guard: Guard;
  side: Side;
  exact: Exact;
  levels: readonly PreparedLevel[];
  amount: bigint;
  asked: bigint;
}): PreviewOutcome {
  const { chain, pair, guard, side, exact, levels, amount, asked } = ask;
  const nothing = { gets: null, pays: null, average: null };
  if (levels.length === 0) return { ...nothing, refused: 'no_price' };
  const walk = walkLadder({
    levels,
    side,
    given: exact === 'in' ? 'takerAmount' : 'makerAmount',
    amount: asked,
    overfillBps: chain.config.overfillBps,
  });
  if (walk.kind !== 'priced') return { ...nothing, refused: walk.kind };
  const { makerAmount, takerAmount } = walk;
  const [maker, taker] = side === 'bids' ? [pair.quote, pair.base] : [pair.base, pair.quote];
  const [base, quote] = side === 'bids' ? [takerAmount, makerAmount] : [makerAmount, takerAmount];
  const inTokens = {
    n: quote * 10n ** BigInt(pair.base.decimals),
    d: base * 10n ** BigInt(pair.quote.decimals),
  };
  const assets = { makerAsset: maker.address, takerAsset: taker.address };
  const [someTaker = NOBODY] = chain.config.takers;
  return {
    gets: fromRaw(exact === 'in' ? (makerAmount * amount) / takerAmount : amount, maker.decimals),
    pays: fromRaw(exact === 'in' ? amount : (takerAmount * amount + makerAmount - 1n) / makerAmount, taker.decimals),
    average: formatDecimal(inTokens, 18, 'floor'),
    // As far as it does not depend on who asks.
    refused: guard.refusal(chain, {
      pair: pair.id,
      user: NOBODY,
      taker: someTaker,
      ...assets,
      makerAmount,
      takerAmount,
    }),
  };
}
