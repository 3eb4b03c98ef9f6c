import type { Address } from '../../protocol/address.ts';
import type { EventBody } from '../events.ts';

/** What a fill moved of the pair's base and quote, raw units, + is what the desk got. On the bids the maker buys base. */
export function fillBase(
  side: string | null,
  fill: EventBody<'fill'>,
): { asset: Address; quoteAsset: Address; base: bigint; quote: bigint } {
  const [gave, got] = [BigInt(fill.makerAmount), BigInt(fill.takerAmount)];
  if (side === 'bids') return { asset: fill.takerAsset, quoteAsset: fill.makerAsset, base: got, quote: -gave };
  return { asset: fill.makerAsset, quoteAsset: fill.takerAsset, base: -gave, quote: got };
}
