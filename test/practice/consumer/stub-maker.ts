import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Address } from '../../../electron/protocol/address.ts';
import { type FirmRequest, firmRequestSchema } from '../../../electron/protocol/firm-request.ts';
import { prepareLevels } from '../../../electron/protocol/ladder.ts';
import { walkLadder } from '../../../electron/protocol/ladder-walk.ts';
import { packNonceAndMeta } from '../../../electron/protocol/nonce-and-meta.ts';
import type { PriceEntry, SignedOrder } from '../../../electron/protocol/wire.ts';
import { checkRequest } from '../../../electron/surface/authenticate.ts';
import type { ChainOrder, TestChain } from '../../chain-fixture.ts';

export const CREDENTIALS = { domain: 'practice', accessKey: 'access', secretKey: 'secret' };

/** A function writes whatever it likes. */
type Answer = { status: number; body: unknown } | 'never' | ((response: ServerResponse) => void);

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
  /** Called with each connection to the channel; null answers its handshake like any other path. */
  channel: ((socket: WebSocket) => void) | null;
  /** Changes an order before it is signed. */
  spoil: (order: ChainOrder) => ChainOrder;
  /** Changes it after it was signed. */
  wire: (order: SignedOrder) => object;
  /** Told the text of every firm request. */
  onFirm: (body: string) => void;
  close(): Promise<void>;
}

/** Of a chain, what a maker without a node needs. */
type StubChain = Pick<TestChain, 'weth' | 'usdc' | 'sign'> & { accounts: { maker: { address: Address } } };

/** For makers that are asked for no firm quotes. */
export const NO_CHAIN: StubChain = {
  weth: `0x${'aa'.repeat(20)}`,
  usdc: `0x${'bb'.repeat(20)}`,
  accounts: { maker: { address: `0x${'cc'.repeat(20)}` } },
  sign: () => Promise.reject(new Error('no key')),
};

/** A maker's surface in the plainest form: one pair, the practice grid, orders signed with viem. */
export async function openStubMaker(chain: StubChain, port = 0): Promise<StubMaker> {
  const state: StubMaker = {
    url: '',
    port,
    asked: [],
    unauthenticated: [],
    instead: new Map(),
    entry: { bids: [['3411.4', '100']], asks: [['3412.96', '100']] },
    blacklist: [],
    channel: null,
    spoil: (order) => order,
    wire: (order) => order,
    onFirm: () => {},
    close: async () => {},
  };
  const counterparties = new Map([['practice', { ...CREDENTIALS, signedPath: 'full' as const }]]);
  const tokens = {
    WETH: { symbol: 'WETH', name: 'Wrapped Ether', address: chain.weth, decimals: 18, type: 'ERC20' },
    USDC: { symbol: 'USDC', name: 'USD Coin', address: chain.usdc, decimals: 6, type: 'ERC20' },
  };

  async function answer(path: string, body: Buffer): Promise<Answer> {
    if (path === '/firm') state.onFirm(body.toString());
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
    return state.wire({ ...order, ...amounts, ...rest });
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
    if (typeof given === 'function') given(response);
    else if (given !== 'never') response.writeHead(given.status).end(JSON.stringify(given.body));
  });
  const channels = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const { channel } = state;
    socket.on('error', () => socket.destroy());
    if (channel === null) socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 18\r\n\r\n{"error":"no way"}');
    else channels.handleUpgrade(request, socket, head, channel);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  state.port = typeof address === 'object' && address !== null ? address.port : port;
  state.url = `http://127.0.0.1:${state.port}`;
  state.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
      for (const client of channels.clients) client.terminate();
    });
  return state;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
