import { BigNumber } from 'bignumber.js';
import type { Address } from '../../protocol/address.ts';
import { SWAP_POOL } from '../chain/artifacts.ts';
import { readAmount } from '../chain/read-amount.ts';
import { type MarketPair, marketView, priceHop } from '../takers/market-view.ts';
import type { RouterAddresses, RouterChain } from './router-chain.ts';

/** The name of the maker's liquidity in `includeDEXS`, `excludeDEXS` and in routes. */
export const RFQ_EXCHANGE = 'MakerRFQ';

/** Where the service finds a source again when it builds a transaction. */
export type SourceData =
  | { kind: 'rfq'; pairId: string }
  | {
      kind: 'pool';
      pool: Address;
    };

/** One way to swap one token for another. Amounts are raw units. */
export interface Source {
  exchange: string;
  tokenIn: Address;
  tokenOut: Address;
  data: SourceData;
  /** What it gives for an amount; null when it is not deep enough or the answer is nothing. */
  gives(amountIn: bigint): bigint | null;
  /** What it wants for an amount; null when it is not deep enough. */
  wants(amountOut: bigint): bigint | null;
}

/** Which liquidity a request wants (PROTOCOL 14.1); names are compared without regard to case. */
export interface SourceFilter {
  includeDEXS?: readonly string[];
  excludeDEXS?: readonly string[];
  excludeRFQ: boolean;
  /** Those for whom the maker would have to quote. */
  users: readonly Address[];
}

/** All that can be traded over now. The maker's grid is left out for those whom they do not quote. */
export async function findSources(chain: RouterChain, filter: SourceFilter): Promise<Source[]> {
  const isWanted = ({ exchange }: { exchange: string }) => {
    const { includeDEXS, excludeDEXS = [] } = filter;
    return (includeDEXS === undefined || names(includeDEXS, exchange)) && !names(excludeDEXS, exchange);
  };
  const pools = await readPools(chain, chain.addresses.pools.filter(isWanted));
  const rfq = isWanted({ exchange: RFQ_EXCHANGE }) && !filter.excludeRFQ ? rfqSources(chain, filter.users) : [];
  return [...rfq, ...pools.flatMap((pool) => poolSources(pool))];
}

function names(list: readonly string[], exchange: string): boolean {
  return list.some((name) => name.toLowerCase() === exchange.toLowerCase());
}

function rfqSources({ consumer, tokens }: RouterChain, users: readonly Address[]): Source[] {
  const maker = consumer();
  const cached = maker?.cached();
  if (!maker || !cached || users.some((user) => cached.blacklist.has(user))) return [];
  const held = new Set(tokens.map(({ address }) => address));
  const isRestricted = (pairId: string) => maker.isRestricted(pairId) !== null;
  const { pairs } = marketView({ cached, held, isRestricted, referenceMid: () => null });
  return pairs.flatMap((pair) => [rfqSource(pair, 'sell'), rfqSource(pair, 'buy')]);
}

function rfqSource(pair: MarketPair, direction: 'sell' | 'buy'): Source {
  const [given, got] = direction === 'sell' ? [pair.base, pair.quote] : [pair.quote, pair.base];
  return {
    exchange: RFQ_EXCHANGE,
    tokenIn: given.address,
    tokenOut: got.address,
    data: { kind: 'rfq', pairId: pair.pairId },
    gives: (amount) => priceHop({ pair, direction, exact: 'in', amount })?.got ?? null,
    wants: (amount) => priceHop({ pair, direction, exact: 'out', amount })?.given ?? null,
  };
}

function poolSources({ exchange, address, tokens: [token0, token1], reserves, feeBps }: PoolNow): Source[] {
  const [reserve0, reserve1] = reserves;
  const source = (tokenIn: Address, tokenOut: Address, side: PoolSide): Source => ({
    exchange,
    tokenIn,
    tokenOut,
    data: { kind: 'pool', pool: address },
    gives: (amount) => poolGives(side, amount) || null,
    wants: (amount) => poolWants(side, amount),
  });
  return [
    source(token0, token1, { reserveIn: reserve0, reserveOut: reserve1, feeBps }),
    source(token1, token0, { reserveIn: reserve1, reserveOut: reserve0, feeBps }),
  ];
}

type PoolNow = Awaited<ReturnType<typeof readPools>>[number];

/** The pools with what is in them now. @throws when the chain does not answer */
async function readPools({ chain }: RouterChain, pools: RouterAddresses['pools']) {
  const read = (pool: RouterAddresses['pools'][number], name: string) =>
    readAmount(chain.client, SWAP_POOL, pool.address, name, []);
  return Promise.all(
    pools.map(async (pool) => {
      const [reserve0, reserve1, fee] = await Promise.all([
        read(pool, 'reserve0'),
        read(pool, 'reserve1'),
        read(pool, 'feeBps'),
      ]);
      return { ...pool, reserves: [reserve0, reserve1] as const, feeBps: Number(fee) };
    }),
  );
}

/** A constant-product pool as one swap sees it; amounts in raw units. */
interface PoolSide {
  reserveIn: bigint;
  reserveOut: bigint;
  feeBps: number;
}

const WHOLE_BPS = 10_000;

/** What the pool gives, rounded down as its contract does. */
export function poolGives({ reserveIn, reserveOut, feeBps }: PoolSide, amountIn: bigint): bigint {
  const charged = new BigNumber(`${amountIn}`).times(WHOLE_BPS - feeBps);
  const depth = new BigNumber(`${reserveIn}`).times(WHOLE_BPS).plus(charged);
  if (depth.isZero()) return 0n;
  return whole(charged.times(`${reserveOut}`).dividedToIntegerBy(depth));
}

/** What the pool wants, rounded up as its contract does; null when it has not as much. */
export function poolWants({ reserveIn, reserveOut, feeBps }: PoolSide, amountOut: bigint): bigint | null {
  const left = new BigNumber(`${reserveOut}`).minus(`${amountOut}`);
  if (!left.isPositive() || left.isZero()) return null;
  const wanted = new BigNumber(`${reserveIn}`).times(`${amountOut}`).times(WHOLE_BPS);
  return whole(wanted.dividedToIntegerBy(left.times(WHOLE_BPS - feeBps)).plus(1));
}

function whole(amount: BigNumber): bigint {
  return BigInt(amount.toFixed(0));
}
