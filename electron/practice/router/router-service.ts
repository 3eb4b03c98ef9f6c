import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import type { Address } from '../../protocol/address.ts';
import { swapQuerySchema, transactionsBodySchema, transactionsQuerySchema } from '../../protocol/market-transaction.ts';
import { pricesQuerySchema } from '../../protocol/market-wire.ts';
import { isChainAway } from '../consumer/chain-away.ts';
import type { PracticeLog } from '../practice-log.ts';
import type { RateLimits } from '../service/rate-limits.ts';
import { failure, type RouteHandler, type ServiceAnswer, type ServiceRequest } from '../service/route.ts';
import { buildSwap } from './build-swap.ts';
import { chainServed, type MarketDesk } from './market-desk.ts';
import { MarketRefused } from './market-refused.ts';
import { parseInput, parseJson, queryObject } from './parse-input.ts';
import type { Partners } from './partners.ts';
import { priceSwap } from './price-swap.ts';
import { listedTokens } from './route-tokens.ts';
import type { RouterChain } from './router-chain.ts';

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

interface Operation {
  method: 'GET' | 'POST';
  path: RegExp;
  counted?: Parameters<RateLimits['admits']>[1];
  answer(part: string | undefined, request: ServiceRequest): Promise<unknown>;
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
      answer: async (_, { query }) => ({ priceRoute: await priceSwap(desk, readQuery(pricesQuerySchema, query)) }),
    },
    {
      method: 'POST',
      path: /^\/transactions\/([^/]+)$/,
      counted: 'usual',
      answer: async (part, { query, body }) => {
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
      answer: async (_, { query }) => fuseSwap(desk, readQuery(swapQuerySchema, query), signal),
    },
    {
      method: 'GET',
      path: /^\/chains$/,
      answer: async () => chains.map(({ chain: { chainId, name } }) => ({ chainId, name })),
    },
    {
      method: 'GET',
      path: /^\/tokens(?:\/([^/]+))?$/,
      answer: async (part, { query }) => ({ tokens: tokensOn(desk, part ?? query.get('network') ?? undefined) }),
    },
  ];

  async function route(request: ServiceRequest): Promise<ServiceAnswer | null> {
    const here = operations.filter(({ path }) => path.test(request.path));
    if (here.length === 0) return null;
    try {
      const operation = here.find(({ method }) => method === request.method);
      if (operation === undefined) return failure(405, 'InvalidInput', `Only ${here[0]?.method} is answered here.`);
      const { counted } = operation;
      if (counted !== undefined && !limits.admits(request, counted)) {
        throw new MarketRefused('RateLimited', 'Rate limit reached');
      }
      return { status: 200, body: await operation.answer(operation.path.exec(request.path)?.[1], request) };
    } catch (error) {
      const refused = asRefusal(error);
      if (refused !== error) log.warn(`router: ${request.method} ${request.path} failed: ${error}`);
      return failure(refused.status, refused.code, refused.message);
    }
  }

  return { route, close: () => closing.abort() };
}

function asRefusal(error: unknown): MarketRefused {
  if (error instanceof MarketRefused) return error;
  if (isChainAway(error)) return new MarketRefused('ServiceUnavailable', 'The chain does not answer.', error);
  return new MarketRefused('InternalError', 'The service failed.', error);
}

function readQuery<S extends Parameters<typeof parseInput>[0]>(schema: S, query: URLSearchParams) {
  return parseInput(schema, queryObject(query));
}

function chainNamed(text: string | undefined): number {
  if (text === undefined || !/^[0-9]{1,15}$/.test(text)) throw new MarketRefused('InvalidInput', 'Invalid chainId');
  return Number(text);
}

function tokensOn(desk: MarketDesk, network: string | undefined) {
  const chains = network === undefined ? desk.chains : [chainServed(desk, chainNamed(network))];
  return chains.flatMap((chain) => listedTokens(chain).map((token) => ({ ...token, network: chain.chain.chainId })));
}

/** Price and transaction in one: no RFQ liquidity, no `gas` in the result (PROTOCOL 14.2). @throws MarketRefused */
async function fuseSwap(desk: MarketDesk, query: z.output<typeof swapQuerySchema>, signal: AbortSignal) {
  const priceRoute = await priceSwap(desk, { ...query, excludeRFQ: true });
  const fixed = query.side === 'SELL' ? { srcAmount: query.amount } : { destAmount: query.amount };
  const wish = { ...query, ...fixed, priceRoute };
  const txParams = await buildSwap(desk, query.network, wish, { ...query, ignoreGasEstimate: true }, signal);
  return { priceRoute, txParams };
}
