import type { Address } from '../../protocol/address.ts';
import { DeskError } from '../../protocol/desk-error.ts';
import { findToken } from '../router/route-tokens.ts';
import { WireRefused } from '../wire-refused.ts';
import { bridgeCostBps } from './bridge-lanes.ts';
import { type IntentDesk, intentChain } from './intent-desk.ts';
import type { PriceAsk } from './settle/relay.ts';
import { priceAtCost } from './solver-price.ts';

/** The other amount that solvers count with in an auction; null while the market has none. Rejects when the chain is away. */
export async function auctionPrice(
  desk: Pick<IntentDesk, 'chains' | 'market'>,
  { chainId, side, amount, srcToken, destToken, bridge }: PriceAsk,
): Promise<bigint | null> {
  try {
    const chain = intentChain(desk, chainId);
    const token = (address: Address, field: string) => findToken(chain.market, address, field).traded;
    const [src, dest] = [token(srcToken, 'srcToken'), token(destToken, 'destToken')];
    const costBps = bridge === null ? null : bridgeCostBps(bridge.protocolData);
    return await priceAtCost(desk.market, chain, { side, amount, src, dest, bridgeCostBps: costBps });
  } catch (error) {
    if (error instanceof DeskError || error instanceof WireRefused) return null;
    throw error;
  }
}
