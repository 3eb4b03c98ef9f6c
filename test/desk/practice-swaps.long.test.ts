import { encodeFunctionData, type Hex, parseGwei } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ChainConfig } from '../../electron/contract/desk-file.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { openControl } from '../../electron/practice/chain/preparation.ts';
import { balanceOf } from '../../electron/practice/chain/read-amount.ts';
import { openClient } from '../../electron/practice/chain/sender.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { compactSignature } from '../../electron/protocol/compact-signature.ts';
import type { TransactionEnvelope } from '../../electron/protocol/market-transaction.ts';
import { NATIVE_TOKEN } from '../../electron/protocol/route-token.ts';
import { type ToSign, typedDataHash } from '../../electron/protocol/typed-data.ts';
import { combinedQuote } from '../../electron/service/combined-quote.ts';
import { fetchContractTakers } from '../../electron/service/contract-takers.ts';
import { buildIntentOrder, intentOrder, submitIntentOrder } from '../../electron/service/intent-orders.ts';
import { intentPrices } from '../../electron/service/intent-prices.ts';
import { marketChains, marketPrices, marketTransaction } from '../../electron/service/market-operations.ts';
import { ServiceConnection } from '../../electron/service/service-connection.ts';
import { spenderOf } from '../../electron/service/spender.ts';
import { Turns } from '../../electron/service/turns.ts';
import { openPracticeWorld, type PracticeWorld } from './practice-world.ts';

const WAIT = 120_000;
const ETHER = 10n ** 18n;
const [FIRST, SECOND] = [31337, 31338];
/** Of the practice market, for callers who are not to be counted among the free tier. */
const HIGHER_TIER_KEY = 'practice-higher-tier';

const user = privateKeyToAccount(generatePrivateKey());
const owner = user.address.toLowerCase() as Address;
let world: PracticeWorld;
let chains: Record<number, ChainConfig>;

beforeAll(async () => {
  world = await openPracticeWorld(['--no-takers', '--speed', '0']);
  const configs = await Promise.all([FIRST, SECOND].map(world.chainOf));
  chains = Object.fromEntries(configs.map((config) => [config.chainId, config]));
  await world.until(() => {
    for (const chainId of [FIRST, SECOND]) expect(world.service(chainId)).toMatchObject({ enabled: true, why: null });
  });
}, WAIT);
afterAll(() => world?.close(), WAIT);

/** The desk's own client of the practice service. */
function connection(apiKey?: string): ServiceConnection {
  const serviceUrl = world.desk.ready.service ?? '';
  return new ServiceConnection({ serviceUrl, turns: new Turns(), now: Date.now, apiKey: () => apiKey });
}

function token(chainId: number, id: string): Address {
  return chains[chainId]?.tokens[id]?.address ?? '0x';
}

async function send(chainId: number, { to, data, value }: Pick<TransactionEnvelope, 'to' | 'data' | 'value'>) {
  const client = openClient(chains[chainId]?.rpcUrl ?? '');
  const nonce = await client.getTransactionCount({ address: owner });
  const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('1') };
  const signed = { type: 'eip1559', chainId, nonce, to, data, value: BigInt(value), gas: 2_000_000n, ...fees } as const;
  const hash = await client.sendRawTransaction({ serializedTransaction: await user.signTransaction(signed) });
  const receipt = await client.waitForTransactionReceipt({ hash });
  expect(receipt.status).toBe('success');
  return receipt.gasUsed * receipt.effectiveGasPrice;
}

function call(functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi: TEST_TOKEN.abi, functionName, args });
}

test.each([
  ['the maker’s grid', FIRST, 'USDC', 'MakerRFQ'],
  ['a pool', FIRST, 'USDC', 'PracticeSwap'],
  ['the maker’s grid of the second chain', SECOND, 'USDT', 'MakerRFQ'],
  ['a pool of the second chain', SECOND, 'USDT', 'PracticeSwap'],
])(
  'a swap over %s is priced, built and sent, and not a unit is astray',
  async (_name, chainId, dollar, exchange) => {
    const service = connection();
    const rpcUrl = chains[chainId]?.rpcUrl ?? '';
    const client = openClient(rpcUrl);
    const [src, dest] = [token(chainId, 'WETH'), token(chainId, dollar)];
    await openControl(rpcUrl).setBalance({ address: owner, value: 10n * ETHER });
    await send(chainId, { to: src, data: call('mint', [owner, ETHER]), value: '0' });
    const ask = { network: chainId, srcToken: src, destToken: dest, amount: `${ETHER}`, userAddress: owner };
    const route = await marketPrices(service, { ...ask, includeDEXS: [exchange], partner: 'makerdesk' });
    await send(chainId, { to: src, data: call('approve', [route.contractAddress, ETHER]), value: '0' });
    const swap = { srcToken: src, destToken: dest, srcAmount: `${ETHER}`, userAddress: owner, slippage: 200 };
    const envelope = await marketTransaction(service, { priceRoute: route, ...swap, partner: 'makerdesk' });
    const before = await balanceOf(client, dest, owner);
    await send(chainId, envelope);
    const got = (await balanceOf(client, dest, owner)) - before;
    expect(await balanceOf(client, src, owner)).toBe(0n);
    const off = (got - BigInt(route.destAmount)) * 10_000n;
    expect(off < 0n ? -off : off).toBeLessThan(50n * BigInt(route.destAmount));
    expect(await balanceOf(client, src, envelope.to)).toBe(0n);
    expect(await balanceOf(client, dest, envelope.to)).toBe(0n);
    if (exchange !== 'MakerRFQ') return;
    // What the user got and gave is what the desk saw filled.
    await world.until(async () => {
      const [fill] = await world.ledger(chainId);
      expect(fill).toMatchObject({ makerAsset: dest, takerAsset: src, makerAmount: `${got}`, takerAmount: `${ETHER}` });
    });
  },
  WAIT,
);

test('the native asset goes through its own pool, one for one but for fees', async () => {
  const service = connection();
  const { rpcUrl = '' } = chains[FIRST] ?? {};
  const client = openClient(rpcUrl);
  await openControl(rpcUrl).setBalance({ address: owner, value: 10n * ETHER });
  const dest = token(FIRST, 'WETH');
  const ask = { network: FIRST, srcToken: NATIVE_TOKEN, destToken: dest, amount: `${ETHER}`, userAddress: owner };
  const route = await marketPrices(service, ask);
  const swap = { srcToken: NATIVE_TOKEN, destToken: dest, srcAmount: `${ETHER}`, userAddress: owner, slippage: 100 };
  const envelope = await marketTransaction(service, { priceRoute: route, ...swap });
  const before = await balanceOf(client, dest, owner);
  const gas = await send(FIRST, envelope);
  expect(await client.getBalance({ address: owner })).toBe(9n * ETHER - gas);
  const got = (await balanceOf(client, dest, owner)) - before;
  expect(got).toBeGreaterThan((ETHER * 995n) / 1_000n);
  expect(got).toBeLessThan(ETHER);
});

test('chains and takers of the service are the desk’s', async () => {
  const service = connection();
  expect(await marketChains(service)).toEqual([FIRST, SECOND]);
  for (const chainId of [FIRST, SECOND]) {
    const takers = await fetchContractTakers(world.desk.ready.service ?? '', chainId);
    expect(chains[chainId]?.takers).toEqual(takers);
    expect(takers).toHaveLength(2);
  }
});

test('a pool that somebody pushed away is soon where the reference is again', async () => {
  const { service: url } = world.desk.ready;
  const [src, dest] = [token(FIRST, 'LINK'), token(FIRST, 'USDC')];
  const through = { includeDEXS: ['PracticeSwap'], route: `${src}-${dest}`, partner: 'makerdesk' };
  /** How far the pool's price is from the reference, its fee of 30 bps included. */
  async function offNow(): Promise<number> {
    const { prices } = (await (await fetch(`${url}/reference/${FIRST}`)).json()) as {
      prices: Record<string, { mid: string }>;
    };
    const ask = { network: FIRST, srcToken: src, destToken: dest, amount: `${ETHER}`, ...through };
    const { destAmount } = await marketPrices(connection(), ask);
    return Math.abs(Number(destAmount) / 1e6 / Number(prices['LINK/USDC']?.mid) - 1);
  }
  const amount = 50_000n * ETHER;
  await openControl(chains[FIRST]?.rpcUrl ?? '').setBalance({ address: owner, value: 10n * ETHER });
  const service = connection();
  await send(FIRST, { to: src, data: call('mint', [owner, amount]), value: '0' });
  const ask = { network: FIRST, srcToken: src, destToken: dest, amount: `${amount}`, userAddress: owner };
  const priceRoute = await marketPrices(service, { ...ask, ...through });
  await send(FIRST, { to: src, data: call('approve', [priceRoute.contractAddress, amount]), value: '0' });
  const swap = { srcToken: src, destToken: dest, srcAmount: `${amount}`, userAddress: owner, slippage: 500 };
  await send(FIRST, await marketTransaction(service, { priceRoute, ...swap, partner: 'makerdesk' }));
  expect(await offNow()).toBeGreaterThan(0.1);
  await world.until(async () => expect(await offNow()).toBeLessThan(0.0065));
});

/** Signs as the owner does, for the service's relayer. */
const signed = async (toSign: ToSign) => compactSignature(await user.sign({ hash: typedDataHash(toSign) }));

/** Prices an order of one WETH of the first chain for `dest`, approves the intent contract, builds, signs and submits. */
async function intent(service: ServiceConnection, dest: Address, destDecimals: number, destChainId?: number) {
  const src = token(FIRST, 'WETH');
  const { rpcUrl = '' } = chains[FIRST] ?? {};
  await openControl(rpcUrl).setBalance({ address: owner, value: 10n * ETHER });
  const kept = await balanceOf(openClient(rpcUrl), src, owner);
  await send(FIRST, { to: src, data: call('mint', [owner, ETHER]), value: '0' });
  const price = await intentPrices(service, {
    chainId: FIRST,
    srcToken: src,
    destToken: dest,
    amount: `${ETHER}`,
    srcDecimals: 18,
    destDecimals,
    userAddress: owner,
    partner: 'makerdesk',
    ...(destChainId !== undefined && { destChainId }),
  });
  const { address: spender = '0x' } = spenderOf({ intent: price }) ?? {};
  await send(FIRST, { to: src, data: call('approve', [spender, ETHER]), value: '0' });
  const deadline = Math.floor(Date.now() / 1_000) + 600;
  const body = { route: price.route, owner, deadline, slippage: 100, partner: 'makerdesk' };
  const end = { chainId: destChainId ?? FIRST, address: dest, decimals: destDecimals };
  const listed = new Map([
    [src, 18],
    [token(FIRST, 'USDC'), 6],
  ]);
  const { toSign } = await buildIntentOrder(service, body, { spender, slippageBps: 100, dest: end, listed });
  const order = { chainId: FIRST, order: toSign.value, signature: await signed(toSign) };
  const { id } = await submitIntentOrder(service, order);
  const ended = async (status: string) => {
    await world.until(async () => expect((await intentOrder(service, id)).status).toBe(status));
    return intentOrder(service, id);
  };
  /** What the owner has got back of what they sold. */
  const left = async () => (await balanceOf(openClient(rpcUrl), src, owner)) - kept;
  return { src, left, ended };
}

test(
  'an intent order is priced, signed and submitted, and a solver fills it without a transaction of the owner',
  async () => {
    const dest = token(FIRST, 'USDC');
    const client = openClient(chains[FIRST]?.rpcUrl ?? '');
    const before = await balanceOf(client, dest, owner);
    const { left, ended } = await intent(connection(), dest, 6);
    const { output } = await ended('COMPLETED');
    expect(await left()).toBe(0n);
    expect(`${(await balanceOf(client, dest, owner)) - before}`).toBe(output?.executedAmount);
  },
  WAIT,
);

test(
  'an order over the bridge arrives on the other chain; while the bridge is down it comes back',
  async () => {
    const dest = token(SECOND, 'WETH');
    const far = openClient(chains[SECOND]?.rpcUrl ?? '');
    const service = connection();
    const before = await balanceOf(far, dest, owner);
    const arrived = await intent(service, dest, 18, SECOND);
    const { output } = await arrived.ended('COMPLETED');
    expect(`${(await balanceOf(far, dest, owner)) - before}`).toBe(output?.executedAmount);
    expect(await arrived.left()).toBe(0n);

    await world.fault('bridge-down', true);
    const refunded = await intent(service, dest, 18, SECOND);
    const { refunds } = await refunded.ended('REFUNDED');
    expect(refunds).toMatchObject([{ chainId: FIRST, token: refunded.src }]);
    expect(`${await refunded.left()}`).toBe(refunds?.[0]?.amount);
    await world.fault('bridge-down', false);
  },
  WAIT,
);

test('a combined quote has both ways, and its market route can be built', async () => {
  const service = connection();
  const [src, dest] = [token(FIRST, 'WETH'), token(FIRST, 'USDC')];
  const { intent: price, market } = await combinedQuote(service, {
    chainId: FIRST,
    srcToken: src,
    destToken: dest,
    amount: `${ETHER}`,
    srcDecimals: 18,
    destDecimals: 6,
    userAddress: owner,
    partner: 'makerdesk',
  });
  expect(price?.route.destination.output.token.address.toLowerCase()).toBe(dest);
  if (!market) throw new Error('there is no market route');
  const wish = { srcToken: src, destToken: dest, srcAmount: `${ETHER}`, userAddress: owner, slippage: 100 };
  const swap = { priceRoute: market, ...wish, partner: 'makerdesk' };
  expect((await marketTransaction(service, swap, { ignoreChecks: true })).to).toBe(market.contractAddress);
});

test('with the fault free-tier a caller is answered once a second, one with a key as often as they like, and lists cost nothing', async () => {
  await world.fault('free-tier', true);
  const { service: url } = world.desk.ready;
  const ask = new URLSearchParams({
    network: `${FIRST}`,
    version: '6.2',
    srcToken: 'WETH',
    destToken: 'USDC',
    amount: `${ETHER}`,
  });
  const status = async (path: string, headers: Record<string, string> = {}) =>
    (await fetch(`${url}${path}`, { headers })).status;
  const prices = `/prices?${ask}`;
  const many = (path: string, headers?: Record<string, string>) =>
    Promise.all([1, 2, 3, 4].map(() => status(path, headers)));
  expect((await many(prices)).sort()).toEqual([200, 429, 429, 429]);
  const spaced: number[] = [];
  for (let index = 0; index < 4; index += 1) {
    spaced.push(await status(prices, { 'X-API-KEY': HIGHER_TIER_KEY }));
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect(spaced).toEqual([200, 200, 200, 200]);
  const free = [`/reference/${FIRST}`, `/adapters/contract-takers?network=${FIRST}`, `/ft/p2p/${FIRST}/maker/${owner}`];
  for (const path of [...free, '/tokens', '/chains']) expect(await many(path), path).toEqual([200, 200, 200, 200]);

  // The desk's own client waits for its turn and is never refused.
  const service = connection();
  const amounts = ['1', '2', '3'].map((digit) => `${digit}${'0'.repeat(18)}`);
  const [src, dest] = [token(FIRST, 'WETH'), token(FIRST, 'USDC')];
  for (const amount of amounts) {
    expect((await marketPrices(service, { network: FIRST, srcToken: src, destToken: dest, amount })).srcAmount).toBe(
      amount,
    );
  }
  await world.fault('free-tier', false);
  expect(await many(prices)).toEqual([200, 200, 200, 200]);
});
