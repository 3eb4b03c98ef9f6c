import { DeskError } from '../../../protocol/desk-error.ts';
import type { PriceRoute } from '../../../protocol/market-wire.ts';
import { marketPrices } from '../../../service/market-operations.ts';
import { partnerIn } from '../../hedge-partner.ts';
import { chainOf, type HedgeParts } from '../../hedge-parts.ts';
import { wireToken } from '../../hedge-tokens.ts';
import type { Ends } from '../venue.ts';
import { METHOD_OF } from './check-built-swap.ts';

/** A market route. The desk's own grid is left out: it would trade with itself. Throws ServiceFault. */
export function marketRoute(
  parts: Pick<HedgeParts, 'service' | 'book'>,
  { chainId, src, dest, amount, side, maker, beneficiary }: Ends,
): Promise<PriceRoute> {
  return marketPrices(parts.service(chainId), {
    srcToken: wireToken(src),
    destToken: wireToken(dest),
    srcDecimals: src.decimals,
    destDecimals: dest.decimals,
    amount,
    side,
    network: chainId,
    userAddress: maker,
    excludeRFQ: true,
    includeContractMethods: [METHOD_OF[side]],
    ...(beneficiary !== null && { receiver: beneficiary }),
    ...partnerIn(chainOf(parts, chainId).config),
  });
}

/**
 * The same for a hedge that is to be signed. Throws ServiceFault, DeskError `impact` for a route that moves the price by more than the
 * service's ceiling (PROTOCOL 12.2).
 */
export async function marketPrice(parts: Pick<HedgeParts, 'service' | 'book'>, opened: Ends): Promise<PriceRoute> {
  const route = await marketRoute(parts, opened);
  if (!route.maxImpactReached) return route;
  throw new DeskError('impact', 'The price impact of so much at once is over the ceiling of the service.', {
    remedy: 'Nothing was signed: hedge less at once, or in slices.',
  });
}
