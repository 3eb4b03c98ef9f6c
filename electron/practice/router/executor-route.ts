import { type AbiParameterToPrimitiveType, encodeAbiParameters, parseAbiParameters } from 'viem';
import type { Hex } from '../../protocol/address.ts';

/** `Route` of MarketRouter.sol: how its functions for any route carry a swap out, which their ABI knows as bytes alone. */
const ROUTE = parseAbiParameters([
  'Route route',
  'struct Route { uint256 deadline; uint256 srcTaxBps; uint256 destTaxBps; Fees fees; Hop[] hops; }',
  'struct Fees { address service; uint256 serviceFeeBps; address partner; uint256 partnerFeeBps; bool takeSurplus; bool capSurplus; bool surplusToUser; bool direct; }',
  'struct Hop { address tokenIn; address tokenOut; Leg[] legs; }',
  'struct Leg { address pool; uint256 amount; uint256 taxInBps; uint256 taxOutBps; Order order; bytes signature; }',
  'struct Order { uint256 nonceAndMeta; uint128 expiry; address makerAsset; address takerAsset; address maker; address taker; uint256 makerAmount; uint256 takerAmount; }',
]);

export type ExecutorRoute = AbiParameterToPrimitiveType<(typeof ROUTE)[0]>;

export function encodeRoute(route: ExecutorRoute): Hex {
  return encodeAbiParameters(ROUTE, [route]);
}
