import { HttpRequestError } from 'viem';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { NATIVE_TOKEN } from '../../../electron/protocol/route-token.ts';
import { BLACKLISTED, type MarketFloor, openMarketFloor } from './market-floor.ts';

const ETHER = 10n ** 18n;
const SELL = { srcToken: 'WETH', destToken: 'USDC', amount: `${ETHER}` };
const HERE = { network: '31337', version: '6.2' };

let market: MarketFloor;
beforeAll(async () => {
  market = await openMarketFloor();
});
afterAll(() => market?.close());

interface BestRoute {
  percent: number;
  swaps: {
    srcToken: string;
    destToken: string;
    swapExchanges: { exchange: string; percent: number; srcAmount: string }[];
  }[];
}

const ways = async (query: Record<string, string>) => (await market.price(query)).bestRoute as unknown as BestRoute[];
const exchanges = async (query: Record<string, string>) => [
  ...new Set(
    (await ways(query)).flatMap(({ swaps }) => swaps.flatMap((one) => one.swapExchanges.map((leg) => leg.exchange))),
  ),
];
const out = async (query: Record<string, string>) => BigInt((await market.price(query)).destAmount);
const refusal = async (query: Record<string, string>) => {
  const { status, body } = await market.get('/prices', { ...HERE, ...query });
  const { errorType, details } = body as { errorType: string; details: string };
  expect(typeof errorType).toBe('string');
  return [status, details];
};
const WITHOUT = (name: string) =>
  Object.fromEntries(Object.entries(SELL).filter(([key]) => key !== name)) as typeof SELL;

test('a price route has every field of the documented shape', async () => {
  const route = await market.price({ ...SELL, srcToken: NATIVE_TOKEN, partner: 'dear' });
  expect(route).toEqual({
    blockNumber: Number(await market.floor.chain.client.getBlockNumber()),
    network: 31337,
    srcToken: NATIVE_TOKEN,
    srcDecimals: 18,
    srcAmount: `${ETHER}`,
    destToken: market.token('USDC'),
    destDecimals: 6,
    destAmount: expect.stringMatching(/^\d{10}$/),
    bestRoute: expect.any(Array),
    gasCost: expect.stringMatching(/^\d+$/),
    gasCostUSD: expect.stringMatching(/^\d+\.\d+$/),
    side: 'SELL',
    version: '6.2',
    contractAddress: market.addresses.router,
    tokenTransferProxy: market.addresses.router,
    contractMethod: 'swapExactAmountIn',
    partnerFee: 0.5,
    partner: 'dear',
    srcUSD: '3412.00',
    destUSD: expect.stringMatching(/^33\d\d\.\d\d$/),
    maxImpactReached: false,
    hmac: expect.stringMatching(/^[0-9a-f]+$/),
  });
});

test('gas is counted leg by leg, and in dollars at the node’s price and the ether’s', async () => {
  const [small, large] = [await market.price(SELL), await market.price({ ...SELL, amount: `${60n * ETHER}` })];
  const legsOf = ({ bestRoute }: { bestRoute: unknown }) =>
    (bestRoute as BestRoute[]).flatMap(({ swaps }) => swaps.flatMap((one) => one.swapExchanges)).length;
  const [few, many] = [legsOf(small), legsOf(large)];
  expect(many).toBeGreaterThan(few);
  const [less, more] = [BigInt(small.gasCost), BigInt(large.gasCost)];
  // A call that takes any route costs something over one that is for one pool; what is beside that is in both.
  const generic = (route: { contractMethod: unknown }) => (route.contractMethod === 'swapExactAmountIn' ? 20_000n : 0n);
  expect(more - less).toBe(70_000n * BigInt(many - few) + generic(large) - generic(small));
  expect(less).toBeGreaterThan(70_000n * BigInt(few));
  const wei = await market.floor.chain.client.getGasPrice();
  for (const { gasCost, gasCostUSD } of [small, large]) {
    const dollars = (Number(gasCost) * Number(wei) * 3_412) / 1e18;
    expect(Number(gasCostUSD) / dollars).toBeCloseTo(1, 1);
  }
});

test('a best route names hops, exchanges and shares that add up', async () => {
  const [way, ...others] = await ways({ ...SELL, amount: `${60n * ETHER}` });
  expect(others).toEqual([]);
  expect(way).toMatchObject({
    percent: 100,
    swaps: [{ srcToken: market.token('WETH'), destToken: market.token('USDC') }],
  });
  const legs = way?.swaps[0]?.swapExchanges ?? [];
  expect(legs.length).toBeGreaterThan(1);
  expect(legs.reduce((sum, { percent }) => sum + percent, 0)).toBe(100);
  expect(legs.reduce((sum, { srcAmount }) => sum + BigInt(srcAmount), 0n)).toBe(60n * ETHER);
});

describe('tokens', () => {
  test('are named by address in any casing or by symbol', async () => {
    const address = market.token('WETH').toUpperCase().replace('0X', '0x');
    expect(await out({ ...SELL, srcToken: address, destToken: market.token('USDC') })).toBe(await out(SELL));
  });

  test('the native asset is the mixed-case placeholder; as 0x0 or in lower case it is refused', async () => {
    expect((await market.price({ ...SELL, srcToken: NATIVE_TOKEN })).srcToken).toBe(NATIVE_TOKEN);
    for (const wrong of [NATIVE_TOKEN.toLowerCase(), '0x0', `0x${'0'.repeat(40)}`]) {
      expect(await refusal({ ...SELL, srcToken: wrong })).toEqual([400, 'Invalid srcToken']);
      expect(await refusal({ ...SELL, destToken: wrong })).toEqual([400, 'Invalid destToken']);
    }
  });

  test('that are missing or unknown are refused', async () => {
    expect(await refusal(WITHOUT('srcToken'))).toEqual([400, 'Invalid srcToken']);
    expect(await refusal(WITHOUT('destToken'))).toEqual([400, 'Invalid destToken']);
    expect(await refusal({ ...SELL, srcToken: 'NOPE' })).toEqual([400, 'Invalid srcToken']);
    expect(await refusal({ ...SELL, destToken: `0x${'12'.repeat(20)}` })).toEqual([400, 'Invalid destToken']);
  });

  test('may come with their decimals, which must be theirs', async () => {
    expect(await out({ ...SELL, srcDecimals: '18', destDecimals: '6' })).toBe(await out(SELL));
    expect(await refusal({ ...SELL, srcDecimals: '8' })).toEqual([400, 'Invalid srcDecimals']);
    expect(await refusal({ ...SELL, destDecimals: '18' })).toEqual([400, 'Invalid destDecimals']);
  });

  test('that are the same have no route between them', async () => {
    expect(await refusal({ ...SELL, destToken: 'WETH' })).toEqual([400, 'No route']);
  });
});

test('the amount is raw units of the source for a SELL, which is the default, and of the destination for a BUY', async () => {
  const sell = await market.price(SELL);
  expect([sell.side, sell.srcAmount]).toEqual(['SELL', SELL.amount]);
  const buy = await market.price({ ...SELL, side: 'BUY', amount: sell.destAmount });
  expect([buy.side, buy.destAmount]).toEqual(['BUY', sell.destAmount]);
  expect(Number(buy.srcAmount) / Number(sell.srcAmount)).toBeCloseTo(1, 6);
});

test.each([['1.5'], ['-1'], ['1e18'], [''], ['0']])('the amount %s is refused', async (amount) => {
  expect((await refusal({ ...SELL, amount }))[0]).toBe(400);
});

test('a missing amount and an unknown side are refused, naming the field', async () => {
  expect(await refusal(WITHOUT('amount'))).toEqual([400, expect.stringMatching(/^amount /)]);
  expect(await refusal({ ...SELL, side: 'HOLD' })).toEqual([400, expect.stringMatching(/^side /)]);
});

test('the network is 1 unless said, which this host does not serve', async () => {
  const { status, body } = await market.get('/prices', SELL);
  expect([status, body]).toEqual([422, { errorType: 'UnsupportedChain', details: 'Unsupported chain' }]);
  expect((await market.price(SELL)).network).toBe(31337);
});

test('otherExchangePrices adds what each exchange by itself would give', async () => {
  expect(await market.price(SELL)).not.toHaveProperty('others');
  const { others } = await market.price({ ...SELL, otherExchangePrices: 'true' });
  expect(others).toEqual([
    { exchange: 'MakerRFQ', srcAmount: SELL.amount, destAmount: `${await out({ ...SELL, includeDEXS: 'MakerRFQ' })}` },
    { exchange: 'PoolSwap', srcAmount: SELL.amount, destAmount: `${await out({ ...SELL, includeDEXS: 'PoolSwap' })}` },
    {
      exchange: 'OtherSwap',
      srcAmount: SELL.amount,
      destAmount: `${await out({ ...SELL, includeDEXS: 'OtherSwap' })}`,
    },
  ]);
});

test('includeDEXS takes only those it names, excludeDEXS all but those, in any casing', async () => {
  expect(await exchanges({ ...SELL, includeDEXS: 'otherswap' })).toEqual(['OtherSwap']);
  expect(await exchanges({ ...SELL, includeDEXS: 'PoolSwap,MakerRFQ' })).toEqual(['MakerRFQ']);
  expect(await exchanges({ ...SELL, excludeDEXS: 'MakerRFQ' })).toEqual(['PoolSwap']);
  expect(await exchanges({ ...SELL, excludeDEXS: 'MakerRFQ,poolswap' })).toEqual(['OtherSwap']);
  expect(await refusal({ ...SELL, includeDEXS: 'Nowhere' })).toEqual([400, 'No route']);
});

test('excludeRFQ leaves the maker out', async () => {
  expect(await exchanges({ ...SELL, excludeRFQ: 'true' })).toEqual(['PoolSwap']);
});

test('a user or receiver whom the maker does not quote gets no liquidity of the maker', async () => {
  await vi.waitFor(() => expect(market.consumer.cached()?.blacklist.has(BLACKLISTED)).toBe(true));
  expect(await exchanges({ ...SELL, userAddress: market.user.address })).toEqual(['MakerRFQ']);
  expect(await exchanges({ ...SELL, userAddress: BLACKLISTED })).toEqual(['PoolSwap']);
  expect(await exchanges({ ...SELL, receiver: BLACKLISTED })).toEqual(['PoolSwap']);
  expect(await refusal({ ...SELL, userAddress: '0x12' })).toEqual([400, expect.stringMatching(/^userAddress /)]);
});

test('contract methods are included and excluded by name', async () => {
  const method = async (query: object) => (await market.price({ ...SELL, ...query })).contractMethod;
  expect(await method({})).toBe('swapOnRFQ');
  expect(await method({ excludeContractMethods: 'swaponrfq' })).toBe('swapExactAmountIn');
  expect(await method({ includeContractMethods: 'swapExactAmountInOnPool' })).toBe('swapExactAmountInOnPool');
  expect(await exchanges({ ...SELL, includeContractMethods: 'swapExactAmountInOnPool' })).toEqual(['PoolSwap']);
  expect(await refusal({ ...SELL, includeContractMethods: 'multiSwap' })).toEqual([400, 'No route']);
});

test('methods without a fee model are left out on demand, and whenever the partner has a fee', async () => {
  const method = async (query: object) => (await market.price({ ...SELL, ...query })).contractMethod;
  expect(await method({ excludeContractMethodsWithoutFeeModel: 'true' })).toBe('swapExactAmountIn');
  expect(await method({ partner: 'anon' })).toBe('swapExactAmountIn');
});

describe('route', () => {
  const query = { srcToken: 'LINK', destToken: 'WETH', amount: `${10n * ETHER}` };
  const tokens = async (more: Record<string, string>) => {
    const [way] = await ways({ ...query, ...more });
    return [way?.swaps[0]?.srcToken, ...(way?.swaps ?? []).map(({ destToken }) => destToken)];
  };

  test('leads over the tokens it names and no others', async () => {
    expect(await tokens({ route: 'LINK-USDC-WETH' })).toEqual(['LINK', 'USDC', 'WETH'].map(market.token));
    expect(await tokens({ route: 'LINK-WETH' })).toEqual(['LINK', 'WETH'].map(market.token));
    const four = { srcToken: 'LINK', destToken: market.token('ETH'), route: `LINK-USDC-WETH-${NATIVE_TOKEN}` };
    expect(await tokens(four)).toEqual(['LINK', 'USDC', 'WETH', 'WNAT'].map(market.token));
  });

  test('with five tokens, other ends, or a token twice is refused', async () => {
    expect(await refusal({ ...query, route: 'LINK-USDC-DAI-WBTC-WETH' })).toEqual([
      400,
      expect.stringContaining('at most 4 tokens'),
    ]);
    expect(await refusal({ ...query, route: 'LINK-USDC' })).toEqual([400, 'Invalid route']);
    expect(await refusal({ ...query, route: 'LINK-USDC-LINK-WETH' })).toEqual([400, 'Invalid route']);
    expect(await refusal({ ...query, route: 'LINK-WBTC-WETH' })).toEqual([400, 'No route']);
  });

  test('without it no route has more than four tokens', async () => {
    const [way] = await ways({ srcToken: NATIVE_TOKEN, destToken: 'DAI', amount: `${ETHER}` });
    expect(way?.swaps).toHaveLength(3);
  });
});

describe('partner', () => {
  const query = { ...SELL, includeDEXS: 'PoolSwap' };

  test('is anon unless said, which costs 1 bps, and so does a name that is not registered', async () => {
    const gross = await out(query);
    for (const partner of ['anon', 'whoever']) {
      const route = await market.price({ ...query, partner });
      expect([route.partner, route.partnerFee]).toEqual([partner, 0.01]);
      expect(BigInt(route.destAmount)).toBe(gross - gross / 10_000n);
    }
    const { body } = await market.get('/prices', { ...HERE, ...query });
    expect(body).toMatchObject({ priceRoute: { partner: 'anon', partnerFee: 0.01 } });
  });

  test('that is registered costs what was agreed', async () => {
    const gross = await out(query);
    const route = await market.price({ ...query, partner: 'dear' });
    expect(route.partnerFee).toBe(0.5);
    expect(BigInt(route.destAmount)).toBe(gross - (gross * 50n) / 10_000n);
  });
});

test('maxImpactReached tells of an impact over 15 %, or over maxImpact where it is given', async () => {
  const deep = { ...SELL, amount: `${400n * ETHER}`, includeDEXS: 'PoolSwap' };
  const reached = async (query: Record<string, string>) => (await market.price(query)).maxImpactReached;
  expect(await reached(SELL)).toBe(false);
  expect(await reached(deep)).toBe(true);
  expect(await reached({ ...deep, maxImpact: '50' })).toBe(false);
  expect(await reached({ ...deep, maxImpact: '20' })).toBe(true);
  expect(await reached({ ...SELL, maxImpact: '0.001' })).toBe(true);
  expect(await refusal({ ...SELL, maxImpact: 'much' })).toEqual([400, expect.stringMatching(/^maxImpact /)]);
});

test('the ceiling of impact is 15 % to the point where maxImpact=15 lies', async () => {
  const query = { ...SELL, includeDEXS: 'PoolSwap' };
  const reached = async (amount: bigint, more: Record<string, string> = {}) =>
    (await market.price({ ...query, ...more, amount: `${amount}` })).maxImpactReached;
  let [below, above] = [ETHER, 400n * ETHER];
  while (above - below > ETHER / 100n) {
    const middle = (below + above) / 2n;
    if (await reached(middle, { maxImpact: '15' })) above = middle;
    else below = middle;
  }
  expect([await reached(below), await reached(above)]).toEqual([false, true]);
});

test('transfer fees lower what arrives: of every transfer, and of those in DEX swaps only', async () => {
  const pool = { ...SELL, includeDEXS: 'PoolSwap' };
  const maker = { ...SELL, includeDEXS: 'MakerRFQ' };
  const of = async (query: Record<string, string>, names: string) =>
    out({ ...query, ...Object.fromEntries(names.split(' ').map((name) => [name, '100'])) });
  const [plain, quoted] = [await out(pool), await out(maker)];
  // Into the router and on into the pool; a DEX-only tax once.
  expect(await of(pool, 'srcTokenTransferFee')).toBe(await out({ ...pool, amount: `${(ETHER * 9801n) / 10_000n}` }));
  expect(await of(pool, 'srcTokenDexTransferFee')).toBe(await out({ ...pool, amount: `${(ETHER * 99n) / 100n}` }));
  const arrived = plain - plain / 100n;
  expect(await of(pool, 'destTokenTransferFee')).toBe(arrived - arrived / 100n);
  expect(await of(pool, 'destTokenDexTransferFee')).toBe(arrived);
  // The maker is no DEX, and bears what is kept of what it gets.
  expect(await of(maker, 'srcTokenDexTransferFee destTokenDexTransferFee')).toBe(quoted);
  expect(await of(maker, 'srcTokenTransferFee')).toBe(await out({ ...maker, amount: `${(ETHER * 99n) / 100n}` }));
  const fees = { srcTokenTransferFee: '6000', srcTokenDexTransferFee: '5000' };
  expect(await refusal({ ...SELL, ...fees })).toEqual([400, expect.stringContaining('transfer fees')]);
});

test('a BUY with transfer fees asks for as much more as is kept', async () => {
  const query = { srcToken: 'USDC', destToken: 'WETH', amount: `${ETHER}`, side: 'BUY', includeDEXS: 'PoolSwap' };
  const plain = BigInt((await market.price(query)).srcAmount);
  const taxed = BigInt((await market.price({ ...query, srcTokenTransferFee: '100' })).srcAmount);
  expect(Number(taxed) / Number(plain)).toBeCloseTo(1 / 0.99 ** 2, 6);
});

test('the version is 5 unless said, whose routes are for the legacy router', async () => {
  const { body } = await market.get('/prices', { ...SELL, network: '31337' });
  expect(body).toMatchObject({ priceRoute: { version: '5', contractAddress: market.addresses.legacyRouter } });
  expect(await refusal({ ...SELL, version: '6.1' })).toEqual([400, expect.stringMatching(/^version /)]);
});

test('without a USD price there is no route, unless ignoreBadUsdPrice', async () => {
  const { WETH = '', USDC = '' } = market.usd;
  for (const [symbol, price] of Object.entries({ USDC, WETH })) {
    delete market.usd[symbol];
    expect(await refusal(SELL)).toEqual([400, 'No USD price for srcToken or destToken']);
    market.usd[symbol] = price;
  }
  delete market.usd.WETH;
  const route = await market.price({ ...SELL, ignoreBadUsdPrice: 'true' });
  expect([route.srcUSD, route.maxImpactReached]).toEqual([null, false]);
  market.usd.WETH = WETH;
});

test('what is deeper than everything there is has no route', async () => {
  expect(await refusal({ ...SELL, amount: `${10n ** 30n}`, side: 'BUY' })).toEqual([400, 'No route']);
});

test('chains and tokens are listed, the native asset among them', async () => {
  expect(await market.get('/chains')).toEqual({
    status: 200,
    body: [
      { chainId: 31337, name: 'Test' },
      { chainId: 31338, name: 'Other' },
    ],
  });
  const { body } = await market.get('/tokens', { network: '31337' });
  const { tokens } = body as { tokens: { symbol: string; address: string; decimals: number; network: number }[] };
  expect(tokens.map(({ symbol }) => symbol)).toEqual(['ETH', 'WETH', 'USDC', 'WBTC', 'DAI', 'LINK', 'WNAT']);
  expect(tokens[0]).toMatchObject({ address: NATIVE_TOKEN, decimals: 18, network: 31337 });
  expect((await market.get('/tokens/31337')).body).toEqual(body);
  expect(((await market.get('/tokens')).body as { tokens: unknown[] }).tokens).toHaveLength(14);
  expect((await market.get('/tokens', { network: '5' })).status).toBe(422);
});

test('while the node is away the answer is 503', async () => {
  const { client } = market.floor.seen;
  const away = vi.spyOn(client, 'readContract').mockRejectedValue(new HttpRequestError({ url: 'http://node' }));
  expect(await refusal({ ...SELL, includeDEXS: 'PoolSwap' })).toEqual([503, 'The chain does not answer.']);
  away.mockRestore();
  await market.price(SELL);
});

test('another method is refused, and while the limit is on so is whoever asks twice a second', async () => {
  onTestFinished(market.stopClock());
  expect((await market.post('/prices', {})).status).toBe(405);
  market.limits.on = true;
  expect((await market.get('/prices', { ...HERE, ...SELL })).status).toBe(200);
  expect(await market.get('/prices', { ...HERE, ...SELL })).toEqual({
    status: 429,
    body: { errorType: 'RateLimited', details: 'Rate limit reached' },
  });
  market.shiftClock(1_000);
  expect((await market.get('/prices', { ...HERE, ...SELL })).status).toBe(200);
  market.limits.on = false;
  expect((await market.get('/prices', { ...HERE, ...SELL })).status).toBe(200);
});
