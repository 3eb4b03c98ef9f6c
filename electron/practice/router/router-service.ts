import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { Address } from '../../protocol/address.ts';
import { swapQuerySchema, transactionsBodySchema, transactionsQuerySchema } from '../../protocol/market-transaction.ts';
import { pricesQuerySchema } from '../../protocol/market-wire.ts';
import type { PracticeLog } from '../practice-log.ts';
import { answerOperations, type Operation } from '../service/operations.ts';
import type { RateLimits } from '../service/rate-limits.ts';
import { parseInput, parseJson, queryObject, type RouteHandler } from '../service/route.ts';
import { WireRefused } from '../wire-refused.ts';
import { buildSwap } from './build-swap.ts';
import { chainServed, type MarketDesk, type Partners } from './market-desk.ts';
import { priceSwap } from './price-swap.ts';
import { listedTokens, type RouterChain } from './router-chain.ts';

export interface RouterServiceOptions {
  chains: readonly RouterChain[];
  /** Names that are registered; everybody else is anonymous. */
  partners: Partners;
  /** Earns the fee of the anonymous. */
  treasury: Address;
  /** Counts prices and builds together, swaps by themselves; lists cost nothing. */
  limits: Pick<RateLimits, 'admits'>;
  /** Unix milliseconds. */
  now: () => number;
  log: PracticeLog;
  /** Seals price routes; one of chance unless given, so that a restart makes routes invalid. */
  key?: string;
}

export interface RouterService {
  /** Answers the market operations of PROTOCOL 14.1 and 14.2; null for any other path. Never rejects. */
  route: RouteHandler;
  /** Ends the requests to the maker that are under way. */
  close(): void;
}

/** The market side of the service. */
export function openRouterService(options: RouterServiceOptions): RouterService {
  const { chains, partners, treasury, limits, now, log } = options;
  const desk: MarketDesk = { chains, partners, treasury, now, key: options.key ?? randomBytes(32).toString('hex') };
  const closing = new AbortController();
  const { signal } = closing;
  const operations: Operation[] = [
    {
      method: 'GET',
      path: /^\/prices$/,
      counted: 'usual',
      answer: async ({ query }) => ({ priceRoute: await priceSwap(desk, readQuery(pricesQuerySchema, query)) }),
    },
    {
      method: 'POST',
      path: /^\/transactions\/([^/]+)$/,
      counted: 'usual',
      answer({ query, body }, [part]) {
        const chainId = chainNamed(part);
        chainServed(desk, chainId);
        const wish = parseInput(transactionsBodySchema, parseJson(body));
        return buildSwap(desk, chainId, wish, readQuery(transactionsQuerySchema, query), signal);
      },
    },
    {
      method: 'GET',
      path: /^\/swap$/,
      counted: 'swap',
      answer: ({ query }) => fuseSwap(desk, readQuery(swapQuerySchema, query), signal),
    },
    {
      method: 'GET',
      path: /^\/chains$/,
      answer: () => chains.map(({ chain: { chainId, name } }) => ({ chainId, name })),
    },
    {
      method: 'GET',
      path: /^\/tokens(?:\/([^/]+))?$/,
      answer: ({ query }, [part]) => ({ tokens: tokensOn(desk, part ?? query.get('network') ?? undefined) }),
    },
  ];

  return { route: answerOperations(operations, { name: 'router', limits, log }), close: () => closing.abort() };
}

function readQuery<S extends Parameters<typeof parseInput>[0]>(schema: S, query: URLSearchParams) {
  return parseInput(schema, queryObject(query));
}

function chainNamed(text: string | undefined): number {
  if (text === undefined || !/^[0-9]{1,15}$/.test(text)) throw new WireRefused('InvalidInput', 'Invalid chainId');
  return Number(text);
}

function tokensOn(desk: MarketDesk, network: string | undefined) {
  const chains = network === undefined ? desk.chains : [chainServed(desk, chainNamed(network))];
  return chains.flatMap((chain) => listedTokens(chain).map((token) => ({ ...token, network: chain.chain.chainId })));
}

/** Price and transaction in one: no RFQ liquidity, no `gas` in the result (PROTOCOL 14.2). @throws WireRefused */
async function fuseSwap(desk: MarketDesk, query: z.output<typeof swapQuerySchema>, signal: AbortSignal) {
  const priceRoute = await priceSwap(desk, { ...query, excludeRFQ: true });
  const fixed = query.side === 'SELL' ? { srcAmount: query.amount } : { destAmount: query.amount };
  const wish = { ...query, ...fixed, priceRoute };
  const txParams = await buildSwap(desk, query.network, wish, { ...query, ignoreGasEstimate: true }, signal);
  return { priceRoute, txParams };
}
