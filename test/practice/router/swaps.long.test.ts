import { afterAll, beforeAll, expect, test } from 'vitest';
import { FEE_VAULT, SWAP_POOL, TEST_TOKEN } from '../../../electron/practice/chain/artifacts.ts';
import { readAmount } from '../../../electron/practice/chain/read-amount.ts';
import type { Address } from '../../../electron/protocol/address.ts';
import type { PriceRoute } from '../../../electron/protocol/market-wire.ts';
import { expectedInput, expectedOutput } from './expected-swap.ts';
import { FEE_OWNER, type MarketFloor, openMarketFloor, TREASURY } from './market-floor.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const SELL = { srcToken: 'WETH', destToken: 'USDC', amount: `${20n * ETHER}` };
const BUY = { srcToken: 'WETH', destToken: 'USDC', amount: `${30_000n * DOLLAR}`, side: 'BUY' };
const POOL = { includeDEXS: 'PoolSwap' };
const PARTNER: Address = `0x${'9a'.repeat(20)}`;

let market: MarketFloor;
beforeAll(async () => {
  market = await openMarketFloor();
});
afterAll(() => market?.close());

/**
 * Builds, sends, and gives what changed for the user, gas left aside, and what the firm orders and the pools of the
 * transaction had promised. The router keeps nothing.
 */
async function swap(route: PriceRoute, src: string, dest: string, changes: Record<string, unknown> = {}) {
  const { user, addresses, floor } = market;
  const transaction = await market.build(route, changes);
  expect(transaction.to).toBe(route.contractAddress);
  const expected = await (route.side === 'BUY' ? expectedInput : expectedOutput)(market, transaction.data);
  let gas = 0n;
  const [given = 0n, got = 0n, ...kept] = await market.changes(
    [
      [src, user.address],
      [dest, user.address],
      [src, addresses.router],
      [dest, addresses.router],
    ],
    async () => {
      gas = await market.send(transaction);
    },
  );
  expect(kept).toEqual([0n, 0n]);
  expect(await floor.chain.client.getBalance({ address: addresses.router })).toBe(0n);
  const fee = (symbol: string) => (symbol === 'ETH' ? gas : 0n);
  return { given: given + fee(src), got: got + fee(dest), expected };
}

/** Firm quotes are asked for a little more than is wanted, so they may be a little worse than the grid. */
function expectNear(amount: bigint, priced: string): void {
  const off = (amount - BigInt(priced)) * 10_000n;
  expect(off < 0n ? -off : off).toBeLessThan(5n * BigInt(priced));
}

const exchanges = (route: PriceRoute) =>
  (route.bestRoute as { swaps: { swapExchanges: { exchange: string }[] }[] }[]).flatMap(({ swaps }) =>
    swaps.map(({ swapExchanges }) => swapExchanges.map(({ exchange }) => exchange)),
  );

async function settles(query: Record<string, string>, src = 'WETH', dest = 'USDC'): Promise<PriceRoute> {
  const route = await market.price(query);
  const { given, got } = await swap(route, src, dest);
  expect(given).toBe(-BigInt(route.srcAmount));
  expect(got).toBe(BigInt(route.destAmount));
  return route;
}

/** What the vault owes somebody, by symbol. */
function owed(symbol: string, owner: Address): Promise<bigint> {
  const { addresses, floor } = market;
  return readAmount(floor.chain.client, FEE_VAULT, addresses.feeVault, 'balanceOf', [market.token(symbol), owner]);
}

/** The pool's dollars become more, so that a sale of WETH brings more than it was priced at. */
async function improvePool(dollars: bigint): Promise<void> {
  const { user, addresses } = market;
  const pool = addresses.pools[0]?.address ?? '0x';
  await market.call(user, TEST_TOKEN, market.token('USDC'), 'mint', [pool, dollars]);
  await market.call(user, SWAP_POOL, pool, 'sync', []);
}

test('a SELL filled by the maker alone settles as the firm order says, to the last unit', async () => {
  const route = await market.price(SELL);
  const { given, got, expected } = await swap(route, 'WETH', 'USDC');
  expect([given, got]).toEqual([-20n * ETHER, expected]);
  expectNear(got, route.destAmount);
  expect(route.contractMethod).toBe('swapOnRFQ');
  expect(exchanges(route)).toEqual([['MakerRFQ']]);
});

test('a BUY filled by the maker alone delivers what was asked for and takes what the firm order says', async () => {
  const route = await market.price(BUY);
  const { given, got, expected } = await swap(route, 'WETH', 'USDC');
  expect([given, got]).toEqual([-expected, BigInt(BUY.amount)]);
  expectNear(-given, route.srcAmount);
  expect(route.contractMethod).toBe('swapOnRFQ');
});

test('a SELL through a pool alone settles to the last unit', async () => {
  const route = await settles({ ...SELL, ...POOL });
  expect(route.contractMethod).toBe('swapExactAmountInOnPool');
});

test('a BUY through a pool alone settles to the last unit', async () => {
  const route = await settles({ ...BUY, ...POOL });
  expect(route.contractMethod).toBe('swapExactAmountOutOnPool');
});

test('a SELL deeper than the maker is divided over maker and pools, and settles to the last unit', async () => {
  const route = await market.price({ ...SELL, amount: `${60n * ETHER}` });
  expect(exchanges(route)[0]).toEqual(expect.arrayContaining(['MakerRFQ', 'PoolSwap']));
  expect(route.contractMethod).toBe('swapExactAmountIn');
  const { given, got, expected } = await swap(route, 'WETH', 'USDC');
  expect([given, got]).toEqual([-60n * ETHER, expected]);
  expectNear(got, route.destAmount);
});

test('a BUY deeper than the maker is divided over maker and pools', async () => {
  const route = await market.price({ ...BUY, amount: `${200_000n * DOLLAR}` });
  expect(exchanges(route)[0]).toEqual(expect.arrayContaining(['MakerRFQ', 'PoolSwap']));
  expect(route.contractMethod).toBe('swapExactAmountOut');
  const { given, got, expected } = await swap(route, 'WETH', 'USDC');
  expect([given, got]).toEqual([-expected, 200_000n * DOLLAR]);
  expectNear(-given, route.srcAmount);
});

test('a SELL over two firm quotes of the maker settles through the token between', async () => {
  const route = await market.price({ srcToken: 'LINK', destToken: 'DAI', amount: `${10n * ETHER}` });
  expect(exchanges(route)).toHaveLength(2);
  const { given, got, expected } = await swap(route, 'LINK', 'DAI');
  expect([given, got]).toEqual([-10n * ETHER, expected]);
  expectNear(got, route.destAmount);
});

test('a BUY over two hops delivers at least what was asked for, and what is over is the user’s', async () => {
  const route = await market.price({ srcToken: 'LINK', destToken: 'DAI', amount: `${100n * ETHER}`, side: 'BUY' });
  const { got, given, expected } = await swap(route, 'LINK', 'DAI');
  expect(given).toBe(-expected);
  expect(got).toBeGreaterThanOrEqual(100n * ETHER);
  expect(got).toBeLessThan(100n * ETHER + 10n ** 13n);
  expectNear(-given, route.srcAmount);
});

test('native in is wrapped, and over three hops becomes another token', async () => {
  const route = await market.price({ srcToken: market.token('ETH'), destToken: 'DAI', amount: `${ETHER}` });
  expect(exchanges(route)).toHaveLength(3);
  const { given, got, expected } = await swap(route, 'ETH', 'DAI');
  expect([given, got]).toEqual([-ETHER, expected]);
  expectNear(got, route.destAmount);
});

test('native out is unwrapped, to the last wei', async () => {
  await settles({ srcToken: 'WETH', destToken: market.token('ETH'), amount: `${ETHER}` }, 'WETH', 'ETH');
});

test('a BUY paid in native takes what it costs and gives the rest back', async () => {
  const query = { srcToken: market.token('ETH'), destToken: 'WETH', amount: `${ETHER}`, side: 'BUY' };
  const route = await market.price(query);
  const { value } = await market.build(route);
  expect(BigInt(value)).toBeGreaterThan(BigInt(route.srcAmount));
  await settles(query, 'ETH', 'WETH');
});

test('the receiver gets the output, the user pays', async () => {
  const { user } = market;
  const receiver: Address = `0x${'4e'.repeat(20)}`;
  const route = await market.price({ ...SELL, ...POOL, receiver });
  const transaction = await market.build(route, { receiver });
  const changes = await market.changes(
    [
      ['WETH', user.address],
      ['USDC', user.address],
      ['USDC', receiver],
    ],
    () => market.send(transaction),
  );
  expect(changes).toEqual([-20n * ETHER, 0n, BigInt(route.destAmount)]);
});

test('the anonymous pay 1 bps, which the treasury may claim', async () => {
  const gross = await market.price({ ...SELL, ...POOL });
  const before = await owed('USDC', TREASURY);
  const route = await settles({ ...SELL, ...POOL, partner: 'anon' });
  const fee = BigInt(gross.destAmount) / 10_000n;
  expect(BigInt(gross.destAmount) - BigInt(route.destAmount)).toBe(fee);
  expect((await owed('USDC', TREASURY)) - before).toBe(fee);
});

test('a registered partner’s fee of a BUY is taken of the source, and is theirs', async () => {
  const before = await owed('WETH', FEE_OWNER);
  const gross = await market.price({ ...BUY, ...POOL });
  const route = await settles({ ...BUY, ...POOL, partner: 'dear' });
  const fee = (BigInt(gross.srcAmount) * 50n) / 10_000n;
  expect(BigInt(route.srcAmount) - BigInt(gross.srcAmount)).toBe(fee);
  expect((await owed('WETH', FEE_OWNER)) - before).toBe(fee);
});

test('a fee of the body accrues in the vault, from which its owner claims it', async () => {
  const { user } = market;
  const owner = market.stranger;
  const route = await market.price({ ...SELL, ...POOL });
  const fee = (BigInt(route.destAmount) * 200n) / 10_000n;
  const { got } = await swap(route, 'WETH', 'USDC', { partnerAddress: owner.address, partnerFeeBps: '200' });
  expect(got).toBe(BigInt(route.destAmount) - fee);
  expect(await owed('USDC', owner.address)).toBe(fee);
  const claimed = await market.changes(
    [
      ['USDC', owner.address],
      ['USDC', user.address],
    ],
    () => market.call(owner, FEE_VAULT, market.addresses.feeVault, 'claim', [market.token('USDC')]),
  );
  expect(claimed).toEqual([fee, 0n]);
  expect(await owed('USDC', owner.address)).toBe(0n);
});

test('with isDirectFeeTransfer the fee is paid at once', async () => {
  const route = await market.price({ ...SELL, ...POOL });
  const fee = (BigInt(route.destAmount) * 100n) / 10_000n;
  const wish = { partnerAddress: PARTNER, partnerFeeBps: '100', isDirectFeeTransfer: true };
  const [paid] = await market.changes([['USDC', PARTNER]], () => swap(route, 'WETH', 'USDC', wish));
  expect(paid).toBe(fee);
  expect(await owed('USDC', PARTNER)).toBe(0n);
});

/** Sells through a pool that became better after the transaction was built; gives the surplus and who got how much of it. */
async function surplusOf(wish: Record<string, unknown>) {
  const { user } = market;
  const route = await market.price({ ...SELL, ...POOL });
  const transaction = await market.build(route, { partnerAddress: PARTNER, isDirectFeeTransfer: true, ...wish });
  await improvePool(500_000n * DOLLAR);
  const better = await market.price({ ...SELL, ...POOL });
  const [got = 0n, partner = 0n] = await market.changes(
    [
      ['USDC', user.address],
      ['USDC', PARTNER],
    ],
    () => market.send(transaction),
  );
  const surplus = BigInt(better.destAmount) - BigInt(route.destAmount);
  expect(surplus).toBeGreaterThan(BigInt(route.destAmount) / 50n);
  expect(got + partner).toBe(BigInt(better.destAmount));
  return { surplus, partner, quoted: BigInt(route.destAmount) };
}

test('positive slippage is the user’s unless takeSurplus', async () => {
  expect((await surplusOf({})).partner).toBe(0n);
});

test('takeSurplus gives it to the partner’s address, up to 1 % of the quote', async () => {
  const { partner, quoted } = await surplusOf({ takeSurplus: true });
  expect(partner).toBe(quoted / 100n);
});

test('without isCapSurplus all of it', async () => {
  const { partner, surplus } = await surplusOf({ takeSurplus: true, isCapSurplus: false });
  expect(partner).toBe(surplus);
});

test('isSurplusToUser gives it to the user all the same', async () => {
  expect((await surplusOf({ takeSurplus: true, isSurplusToUser: true })).partner).toBe(0n);
});

test('a token that keeps part of every transfer settles with the amounts of the route, both ways and for either end', async () => {
  const tax = (bps: bigint) => market.call(market.user, TEST_TOKEN, market.token('WETH'), 'setTransferFee', [bps]);
  const toWeth = { ...POOL, srcToken: 'USDC', destToken: 'WETH', destTokenTransferFee: '100' };
  await tax(100n);
  try {
    await settles({ ...SELL, ...POOL, srcTokenTransferFee: '100' });
    await settles({ ...BUY, ...POOL, srcTokenTransferFee: '100' });
    await settles({ ...toWeth, amount: `${10_000n * DOLLAR}` }, 'USDC', 'WETH');
    const route = await market.price({ ...toWeth, amount: `${ETHER}`, side: 'BUY' });
    const { given, got } = await swap(route, 'USDC', 'WETH');
    expect(given).toBe(-BigInt(route.srcAmount));
    // The pool takes whole units of USDC, each worth some 3 * 10^8 of WETH.
    expect(got).toBeGreaterThanOrEqual(ETHER);
    expect(got).toBeLessThan(ETHER + 10n ** 9n);
  } finally {
    await tax(0n);
  }
});

test('a route of version 5 goes to the legacy router, which settles it once it is approved', async () => {
  const { user, addresses } = market;
  const route = await market.price({ ...SELL, version: '5' });
  expect(route.contractAddress).toBe(addresses.legacyRouter);
  expect(exchanges(route).flat()).not.toContain('MakerRFQ');
  const refused = await market.post('/transactions/31337', market.wish(route));
  expect(refused).toMatchObject({
    status: 400,
    body: { details: expect.stringMatching(/^Not enough WETH allowance/) },
  });
  await market.call(user, TEST_TOKEN, market.token('WETH'), 'approve', [addresses.legacyRouter, 20n * ETHER]);
  const { given, got } = await swap(route, 'WETH', 'USDC');
  expect([given, got]).toEqual([-20n * ETHER, BigInt(route.destAmount)]);
});
