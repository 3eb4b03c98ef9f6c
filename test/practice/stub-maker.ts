import { createServer, type IncomingMessage } from 'node:http';
import { PRACTICE_GRID } from '../../electron/practice/practice-desk.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { type FirmRequest, firmRequestSchema } from '../../electron/protocol/firm-request.ts';
import { checkRequest } from '../../electron/protocol/hmac.ts';
import { prepareLevels } from '../../electron/protocol/ladder.ts';
import { walkLadder } from '../../electron/protocol/ladder-walk.ts';
import { packNonceAndMeta } from '../../electron/protocol/nonce-and-meta.ts';
import type { PriceEntry } from '../../electron/protocol/wire.ts';
import type { ChainOrder, TestChain } from '../chain-fixture.ts';

export const CREDENTIALS = { domain: 'practice', accessKey: 'access', secretKey: 'secret' };

type Answer = { status: number; body: unknown } | 'never';

export interface StubMaker {
  url: string;
  port: number;
  /** Every firm request, as it was parsed. */
  asked: FirmRequest[];
  /** Sentences of requests whose signature was refused. */
  unauthenticated: string[];
  /** What is served besides the good: by path, instead of the usual answer. */
  instead: Map<string, Answer>;
  entry: PriceEntry;
  blacklist: Address[];
  /** Changes an order before it is signed. */
  spoil: (order: ChainOrder) => ChainOrder;
  close(): Promise<void>;
}

/** A maker's surface in the plainest form: one pair, the practice grid, orders signed with viem. */
export async function openStubMaker(chain: TestChain, port = 0): Promise<StubMaker> {
  const state: StubMaker = {
    url: '',
    port,
    asked: [],
    unauthenticated: [],
    instead: new Map(),
    entry: PRACTICE_GRID,
    blacklist: [],
    spoil: (order) => order,
    close: async () => {},
  };
  const counterparties = new Map([['practice', { ...CREDENTIALS, signedPath: 'full' as const }]]);
  const tokens = {
    WETH: { symbol: 'WETH', name: 'Wrapped Ether', address: chain.weth, decimals: 18, type: 'ERC20' },
    USDC: { symbol: 'USDC', name: 'USD Coin', address: chain.usdc, decimals: 6, type: 'ERC20' },
  };

  async function answer(path: string, body: Buffer): Promise<Answer> {
    const special = state.instead.get(path);
    if (special !== undefined) return special;
    if (path === '/tokens') return { status: 200, body: { tokens } };
    if (path === '/pairs')
      return { status: 200, body: { pairs: { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1 } } } };
    if (path === '/prices') return { status: 200, body: { prices: { 'WETH/USDC': state.entry } } };
    if (path === '/blacklist') return { status: 200, body: { blacklist: state.blacklist } };
    return { status: 200, body: { order: await quote(firmRequestSchema.parse(JSON.parse(body.toString()))) } };
  }

  async function quote(request: FirmRequest): Promise<object> {
    state.asked.push(request);
    const { given, amount, makerAsset, takerAsset, userAddress, takerAddress } = request;
    const side = makerAsset === chain.weth ? 'asks' : 'bids';
    const levels = prepareLevels(state.entry[side] ?? [], 18, 6);
    const walk = walkLadder({ levels, side, given, amount, overfillBps: 100 });
    if (walk.kind !== 'priced') throw new Error(walk.kind);
    const { makerAmount, takerAmount } = walk;
    const order = state.spoil({
      nonceAndMeta: packNonceAndMeta(userAddress, BigInt(state.asked.length)),
      expiry: BigInt(Math.floor(Date.now() / 1000) + 150),
      makerAsset,
      takerAsset,
      maker: chain.accounts.maker.address,
      taker: takerAddress,
      makerAmount,
      takerAmount,
    });
    const text = (value: bigint) => `${value}`;
    const amounts = { makerAmount: text(order.makerAmount), takerAmount: text(order.takerAmount) };
    const rest = {
      nonceAndMeta: text(order.nonceAndMeta),
      expiry: Number(order.expiry),
      signature: await chain.sign(order),
    };
    return { ...order, ...amounts, ...rest };
  }

  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const path = request.url ?? '';
    const method = request.method ?? '';
    const now = Date.now();
    const verdict = checkRequest(request.headers, { method, path, body, now, counterparties, basePath: '/31337' });
    if (!verdict.ok) state.unauthenticated.push(verdict.sentence);
    const given = await answer(path.replace('/31337', ''), body).catch((error: unknown): Answer => {
      return { status: 500, body: { error: String(error) } };
    });
    if (given !== 'never') response.writeHead(given.status).end(JSON.stringify(given.body));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  state.port = typeof address === 'object' && address !== null ? address.port : port;
  state.url = `http://127.0.0.1:${state.port}`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return state;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
