import { encodeFunctionData, type Hex, parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, vi } from 'vitest';
import type { DeskFile } from '../../../electron/contract/desk-file.ts';
import { type Artifact, TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { openSender } from '../../../electron/practice/chain/sender.ts';
import type { MakerConsumer } from '../../../electron/practice/consumer/maker-consumer.ts';
import { openConsumer } from '../../../electron/practice/consumer/open-consumer.ts';
import { noFaults } from '../../../electron/practice/consumer/surface-client.ts';
import type { Partners } from '../../../electron/practice/router/market-desk.ts';
import { deployRouter } from '../../../electron/practice/router/prepare-router.ts';
import type { RouterAddresses } from '../../../electron/practice/router/router-chain.ts';
import { openRouterService } from '../../../electron/practice/router/router-service.ts';
import { openRateLimits } from '../../../electron/practice/service/rate-limits.ts';
import type { Address } from '../../../electron/protocol/address.ts';
import { type TransactionEnvelope, transactionEnvelopeSchema } from '../../../electron/protocol/market-transaction.ts';
import { type PriceRoute, pricesAnswerSchema } from '../../../electron/protocol/market-wire.ts';
import { NATIVE_TOKEN } from '../../../electron/protocol/route-token.ts';
import { armedFolder } from '../../desk/desk-on-chain.ts';
import { startDesk } from '../../desk/desk-process.ts';
import { collectLog } from '../collected-log.ts';
import { CACHED } from '../takers/practice-view.ts';
import { addressOf, openTradingFloor, type TradingFloor } from '../takers/trading-floor.ts';

export const TREASURY: Address = `0x${'7e'.repeat(20)}`;
export const FEE_OWNER: Address = `0x${'fe'.repeat(20)}`;
/** The maker quotes them nothing. */
export const BLACKLISTED: Address = `0x${'bb'.repeat(20)}`;
const NATIVE_SYMBOL = 'WNAT';
const USD: Record<string, string> = { WETH: '3412', USDC: '1', WBTC: '97240', DAI: '1', LINK: '17', WNAT: '3412' };

/** Who may do what; `free` pays nothing and may ask for everything. */
const PARTNERS: Partners = {
  free: { feeBps: 0, owner: TREASURY, mostFeeBps: 200, maySurplus: true },
  tight: { feeBps: 0, owner: TREASURY, mostFeeBps: 0, maySurplus: false },
  dear: { feeBps: 50, owner: FEE_OWNER, mostFeeBps: 200, maySurplus: true },
};

export interface Answer {
  status: number;
  body: unknown;
}

/** The market side of the service over a real desk's grid and real pools, on a chain where each transaction is a block. */
export interface MarketFloor {
  floor: TradingFloor;
  addresses: RouterAddresses;
  consumer: MakerConsumer;
  limits: { on: boolean };
  /** By symbol, besides the floor's: `ETH` is the placeholder, `WNAT` the wrapped native token. */
  token(symbol: string): Address;
  /** Has everything, and has approved the router for all. */
  user: { address: Address; key: Hex };
  /** Has everything, and has approved nothing. */
  stranger: { address: Address; key: Hex };
  shiftClock(ms: number): void;
  /** Holds the clock of the service, which is moved by shifts alone until what this gives is called. */
  stopClock(): () => void;
  /** Dollars by symbol; what is taken out has no price. */
  usd: Record<string, string>;
  lines: string[];
  get(path: string, query?: Record<string, string>): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** Prices on this chain for the router of today, partner `free` unless told; fails when it is refused. */
  price(query: Record<string, string>): Promise<PriceRoute>;
  /** Builds for the user with 1 % slippage unless told; fails when it is refused. */
  build(route: PriceRoute, changes?: Record<string, unknown>, query?: string): Promise<TransactionEnvelope>;
  /** What a build is asked with. */
  wish(route: PriceRoute, changes?: Record<string, unknown>): Record<string, unknown>;
  /** Signs and sends; gives the gas that was paid for, in wei. Fails when it is reverted. */
  send(transaction: TransactionEnvelope, by?: { key: Hex }): Promise<bigint>;
  call(by: { key: Hex }, artifact: Artifact, to: Address, name: string, args: readonly unknown[]): Promise<void>;
  balance(symbol: string, owner: Address): Promise<bigint>;
  /** What a deed changes in balances, in the order of the pairs [symbol, owner]. */
  changes(of: readonly [string, Address][], deed: () => Promise<unknown>): Promise<bigint[]>;
  close(): Promise<void>;
}

const PATIENT = {
  firmPatience: 30_000,
  patience: 30_000,
  staleAfter: 60_000,
  restrictFor: 500,
  restrictAfterSilenceFor: 500,
};

export async function openMarketFloor(): Promise<MarketFloor> {
  const floor = await openTradingFloor();
  const { chain, tokens } = floor;
  await chain.control.setIntervalMining({ interval: 0 });
  await chain.control.setAutomine(true);
  const { maker } = chain.accounts;
  const units = (symbol: string, amount: bigint) => amount * 10n ** BigInt(CACHED.tokens[symbol]?.decimals ?? 18);
  const at = (symbol: string) => tokens[symbol] ?? '0x';
  const addresses = await deployRouter(maker, {
    rfqContract: chain.rfqContract,
    native: { name: 'Wrapped native', symbol: NATIVE_SYMBOL },
    async giveEther(address, wei) {
      await chain.control.setBalance({ address, value: (await chain.client.getBalance({ address })) + wei });
    },
    pools: [
      {
        exchange: 'PoolSwap',
        tokens: [at('WETH'), at('USDC')],
        feeBps: 30,
        amounts: [units('WETH', 1_000n), units('USDC', 3_412_000n)],
      },
      {
        exchange: 'OtherSwap',
        tokens: [at('WETH'), at('USDC')],
        feeBps: 100,
        amounts: [units('WETH', 100n), units('USDC', 341_200n)],
      },
      { exchange: 'PoolSwap', tokens: ['native', at('WETH')], feeBps: 5, amounts: [10n ** 21n, 10n ** 21n] },
      {
        exchange: 'PoolSwap',
        tokens: [at('DAI'), at('USDC')],
        feeBps: 5,
        amounts: [units('DAI', 500_000n), units('USDC', 500_000n)],
      },
    ],
  });
  const listed = Object.entries(CACHED.tokens).map(([id, token]) => ({ ...token, address: at(id) }));
  const wrapped = { symbol: NATIVE_SYMBOL, name: 'Wrapped native', address: addresses.wrappedNative, decimals: 18 };
  const all = [...listed, wrapped];
  const token = (symbol: string) =>
    symbol === 'ETH' ? NATIVE_TOKEN : (all.find((one) => one.symbol === symbol)?.address ?? '0x');

  const [served] = floor.deskFile.chains;
  if (served === undefined) throw new Error('the desk file has no chain');
  const blacklist = [{ address: BLACKLISTED }];
  const chains = [{ ...served, takers: [chain.executor, addresses.router], blacklist }] as DeskFile['chains'];
  const home = await armedFolder(chain, { ...floor.deskFile, chains });
  const desk = await startDesk(home.folder, 'serve');
  const [credentials] = floor.deskFile.counterparties;
  const { domain = '', accessKey = '', secretKey = '' } = credentials ?? {};
  const consumer = openConsumer({
    chain: floor.seen,
    surface: { surfaceUrls: [desk.ready.surface], counterparty: { domain, accessKey, secretKey } },
    mode: 'strict',
    intervals: PATIENT,
    faults: noFaults(),
    onOrder: () => {},
    now: Date.now,
    log: collectLog(),
  });
  const usd = { ...USD };
  const log = collectLog();
  let shift = 0;
  let stoppedAt: number | null = null;
  const now = () => (stoppedAt ?? Date.now()) + shift;
  const limits = openRateLimits({ keys: [], now });
  const here = {
    chain: floor.seen,
    addresses,
    consumer: () => consumer,
    tokens: all,
    usdPrice: (address: Address) => usd[all.find((one) => one.address === address)?.symbol ?? ''] ?? null,
  };
  // A second chain, of which nothing is asked but that it is another.
  const other = { ...here, chain: { ...floor.seen, chainId: 31338, name: 'Other' } };
  const service = openRouterService({
    chains: [here, other],
    partners: PARTNERS,
    treasury: TREASURY,
    limits,
    now,
    log,
  });
  await vi.waitFor(() => expect(Object.keys(consumer.cached()?.prices ?? {})).toHaveLength(5), {
    timeout: 60_000,
    interval: 50,
  });

  async function ask(method: string, target: string, body: string): Promise<Answer> {
    const url = new URL(target, 'http://service');
    const answer = await service.route({ method, path: url.pathname, query: url.searchParams, body });
    if (answer === null) throw new Error(`nothing answers ${method} ${target}`);
    return { status: answer.status, body: JSON.parse(JSON.stringify(answer.body)) };
  }

  const account = (key: Hex) => ({ address: addressOf(key), key });
  const market: MarketFloor = {
    floor,
    addresses,
    consumer,
    limits,
    token,
    usd,
    lines: log.lines,
    user: account(floor.accounts.retail),
    stranger: account(floor.accounts.stray),
    shiftClock(ms) {
      shift += ms;
    },
    stopClock() {
      stoppedAt = Date.now();
      return () => {
        stoppedAt = null;
      };
    },
    get: (path, query = {}) => ask('GET', `${path}?${new URLSearchParams(query)}`, ''),
    post: (path, body) => ask('POST', path, typeof body === 'string' ? body : JSON.stringify(body)),
    async price(query) {
      const answer = await market.get('/prices', { network: '31337', version: '6.2', partner: 'free', ...query });
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
      return pricesAnswerSchema.parse(answer.body).priceRoute;
    },
    wish: (route, changes = {}) => ({
      priceRoute: route,
      srcToken: route.srcToken,
      destToken: route.destToken,
      userAddress: market.user.address,
      slippage: 100,
      ...(route.side === 'BUY' ? { destAmount: route.destAmount } : { srcAmount: route.srcAmount }),
      ...changes,
    }),
    async build(route, changes, query = '') {
      const answer = await market.post(`/transactions/31337${query}`, market.wish(route, changes));
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 });
      return transactionEnvelopeSchema.parse(answer.body);
    },
    async send({ to, value, data }, by = market.user) {
      const signer = privateKeyToAccount(by.key);
      const nonce = await chain.client.getTransactionCount({ address: signer.address });
      const serializedTransaction = await signer.signTransaction({
        type: 'eip1559',
        chainId: 31337,
        nonce,
        to,
        data,
        value: BigInt(value),
        gas: 3_000_000n,
        maxFeePerGas: parseGwei('100'),
        maxPriorityFeePerGas: parseGwei('1'),
      });
      const hash = await chain.client.sendRawTransaction({ serializedTransaction });
      const receipt = await chain.client.waitForTransactionReceipt({ hash });
      if (receipt.status === 'reverted') {
        await chain.client.call({
          account: signer.address,
          to,
          data,
          value: BigInt(value),
          blockNumber: receipt.blockNumber,
        });
        throw new Error('reverted, and would succeed now');
      }
      return receipt.gasUsed * receipt.effectiveGasPrice;
    },
    async call(by, { abi }, to, functionName, args) {
      const sender = openSender(chain.rpcUrl, by.key);
      await sender.mined(await sender.send({ to, data: encodeFunctionData({ abi, functionName, args }) }));
    },
    balance: (symbol, owner) =>
      symbol === 'ETH' ? chain.client.getBalance({ address: owner }) : chain.balanceOf(token(symbol), owner),
    async changes(of, deed) {
      const read = () => Promise.all(of.map(([symbol, owner]) => market.balance(symbol, owner)));
      const before = await read();
      await deed();
      return (await read()).map((amount, index) => amount - (before[index] ?? 0n));
    },
    async close() {
      service.close();
      await consumer.close();
      await desk.stop();
      await chain.close();
      home.remove();
    },
  };
  for (const one of listed) {
    await market.call(market.user, TEST_TOKEN, one.address, 'approve', [addresses.router, 2n ** 256n - 1n]);
  }
  return market;
}
