import { MOST_BRIDGE_NAME } from '../../../contract/hedge-terms.ts';
import type { HedgeOpened } from '../../../journal/hedges/events.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import type { IntentPrice, IntentRoute } from '../../../protocol/intent-wire.ts';
import { intentPrices, routesOf } from '../../../service/intent-prices.ts';
import { partnerIn } from '../../hedge-partner.ts';
import { chainOf, type HedgeParts } from '../../hedge-parts.ts';
import { wireToken } from '../../hedge-tokens.ts';

/**
 * An intent price for a hedge, of `priced` raw units: a slice of a sliced one. Its route is the one over the bridge that was
 * chosen. Throws ServiceFault, DeskError `no_bridge` where the service does not offer that bridge any more.
 */
export async function intentPrice(
  parts: Pick<HedgeParts, 'service' | 'book'>,
  { chainId, src, dest, side, maker, beneficiary, bridge }: HedgeOpened,
  priced: bigint,
): Promise<IntentPrice> {
  const price = await intentPrices(parts.service(chainId), {
    chainId,
    srcToken: wireToken(src),
    destToken: wireToken(dest),
    amount: `${priced}`,
    side,
    userAddress: maker,
    srcDecimals: src.decimals,
    destDecimals: dest.decimals,
    ...(dest.chainId !== chainId && { destChainId: dest.chainId }),
    ...(beneficiary !== null && { beneficiary }),
    ...partnerIn(chainOf(parts, chainId).config),
  });
  if (bridge === undefined) return price;
  const route = routesOf(price).find((one) => bridgeOf(one) === bridge);
  if (route !== undefined) return { ...price, route };
  throw new DeskError('no_bridge', `The service offers no route over ${bridge} now.`, {
    remedy: 'Choose another bridge: nothing was signed.',
  });
}

/** The name by which a route's bridge is chosen; null for a route that crosses nothing, or whose bridge has no name to choose it by. */
export function bridgeOf({ bridge }: IntentRoute): string | null {
  const name = bridge?.protocol;
  return name === undefined || name === '' || name.length > MOST_BRIDGE_NAME ? null : name;
}
