import type { Address } from '../../protocol/address.ts';
import type { MarketChain } from '../chain/market-chain.ts';
import type { MakerConsumer } from '../consumer/maker-consumer.ts';
import type { Reference } from '../reference/reference.ts';
import { NATIVE_TWIN, WRAPPED } from './prepare-router.ts';
import type { ListedToken, RouterChain } from './router-chain.ts';
import { usdPrices } from './usd-prices.ts';

/** Tokens that are a dollar; the first of them that a chain has counts. */
const DOLLARS = ['USDC', 'USDT', 'DAI'];

/** A chain of the practice market as its router sees it: every token is worth what the reference says. */
export function standingRouter(
  { seen, plan, contracts, router }: Pick<MarketChain, 'seen' | 'plan' | 'contracts' | 'router'>,
  reference: Pick<Reference, 'mid'>,
  consumer: () => MakerConsumer | null,
): RouterChain {
  const listed = Object.entries(plan.tokens).flatMap(([id, { symbol, name, decimals }]) => {
    const address = contracts.tokens[id];
    return address === undefined ? [] : [{ id, token: { symbol, name, address, decimals } }];
  });
  const wrapped: ListedToken = { ...WRAPPED, address: router.wrappedNative, decimals: 18 };
  const idOf = new Map<Address, string>(listed.map(({ id, token }) => [token.address, id]));
  idOf.set(wrapped.address, NATIVE_TWIN);
  const dollar = DOLLARS.find((id) => id in plan.tokens) ?? '';
  return {
    chain: seen,
    addresses: router,
    consumer,
    tokens: [...listed.map(({ token }) => token), wrapped],
    usdPrice(address) {
      const pairs = Object.entries(plan.pairs).map(([pairId, { base, quote }]) => {
        return { base, quote, mid: reference.mid(plan.chainId, pairId) };
      });
      return usdPrices(pairs, dollar).get(idOf.get(address) ?? '') ?? null;
    },
  };
}
