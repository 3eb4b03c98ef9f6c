import type { BookPair, ChainBook } from '../book/chain-book.ts';
import { pastFence } from '../book/price-fence.ts';
import type { LadderPreview, PreviewSide } from '../contract/ladder-preview.ts';
import { rulesOf } from '../guard/chain-rules.ts';
import type { Guard } from '../guard/guard.ts';
import {
  add,
  compare,
  formatDecimal,
  fromRaw,
  mul,
  parseDecimal,
  type Rational,
  sub,
  WHOLE_BPS,
} from '../protocol/decimal.ts';
import type { PreparedLevel } from '../protocol/ladder.ts';
import { ladderDepth } from '../protocol/ladder-depth.ts';
import type { Side } from '../protocol/side.ts';
import type { Level } from '../protocol/wire.ts';

const ZERO: Rational = { n: 0n, d: 1n };

/** A whole side of a draft: what it trades, what it costs against the reference, and whether the maker can cover it. */
export function previewSide(world: {
  chain: ChainBook;
  pair: BookPair;
  guard: Guard;
  side: Side;
  levels: readonly Level[];
  prepared: readonly PreparedLevel[];
  reference: LadderPreview['reference'];
}): PreviewSide {
  const { chain, pair, guard, side, levels, prepared, reference } = world;
  const [id, token] = side === 'bids' ? [pair.definition.quote, pair.quote] : [pair.definition.base, pair.base];
  const orders = guard.orders.of(chain.chainId);
  const { balance, allowance } = orders.covered(token.address);
  const exposure = orders.exposure.tokens().get(token.address);
  const maxQuote = rulesOf(chain).most.maxQuote.get(token.address);
  const depth = ladderDepth(prepared, side === 'bids' ? 'quote' : 'base');
  const inTokens = (raw: bigint) => fromRaw(raw, token.decimals);
  const orNull = (raw: bigint | null | undefined) => (raw === null || raw === undefined ? null : inTokens(raw));
  return {
    side,
    levels: levels.length,
    base: fromRaw(ladderDepth(prepared, 'base'), pair.base.decimals),
    quote: fromRaw(ladderDepth(prepared, 'quote'), pair.quote.decimals),
    ...againstReference(side, levels, reference?.mid ?? null, pair.quote.decimals),
    token: id,
    needed: inTokens((depth * (WHOLE_BPS + BigInt(chain.config.overfillBps)) + WHOLE_BPS - 1n) / WHOLE_BPS),
    overfillBps: chain.config.overfillBps,
    signable: balance === null || allowance === null ? null : inTokens(orders.spendable(chain, token.address)),
    balance: orNull(balance),
    allowance: orNull(allowance),
    maxQuote: orNull(maxQuote),
    live: inTokens(exposure?.live ?? 0n),
    quotes: exposure?.quotes ?? 0,
    zeroAt: exposure?.zeroAt() ?? null,
    fence: isFresh(reference) ? pastFence(levels, parseDecimal(reference.mid), chain.config) : null,
    closed: guard.chainRefusal(chain) ?? guard.sideRefusal(chain, pair, side),
  };
}

function isFresh(reference: LadderPreview['reference']): reference is NonNullable<LadderPreview['reference']> {
  return reference !== null && !reference.stale && reference.heldBack == null;
}

/** In quote tokens, rounded down: what all of a side brings against the reference, and the least that any part of it from the best level on brings. */
function againstReference(
  side: Side,
  levels: readonly Level[],
  reference: string | null,
  places: number,
): Pick<PreviewSide, 'result' | 'worst'> {
  if (reference === null) return { result: null, worst: null };
  const mid = parseDecimal(reference);
  let result = ZERO;
  let worst = ZERO;
  for (const [price, amount] of levels) {
    const own = parseDecimal(price);
    const edge = side === 'bids' ? sub(mid, own) : sub(own, mid);
    result = add(result, mul(edge, parseDecimal(amount)));
    if (compare(result, worst) < 0) worst = result;
  }
  return { result: formatDecimal(result, places, 'floor'), worst: formatDecimal(worst, places, 'floor') };
}
