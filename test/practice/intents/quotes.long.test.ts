import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { auctionPrice } from '../../../electron/practice/intents/solver-price.ts';
import type { IntentPrice } from '../../../electron/protocol/intent-wire.ts';
import { NATIVE_TOKEN } from '../../../electron/protocol/route-token.ts';
import { combinedQuote, type QuoteAsk } from '../../../electron/service/combined-quote.ts';
import { bridgeRoutes, intentPrices, isTokenSupported } from '../../../electron/service/intent-prices.ts';
import { spenderOf } from '../../../electron/service/spender.ts';
import { BARE_CHAIN, BLACKLISTED, FAR_CHAIN, type IntentMarket, openIntentMarket } from './intent-market.ts';

const ETHER = 10n ** 18n;
const PRICES = '/v2/intent/prices';

let market: IntentMarket;
beforeAll(async () => {
  market = await openIntentMarket();
});
afterAll(() => market?.close());

/** A query for a swap of one WETH into USDC; `src` and `dest` by symbol. */
function asked(changes: Partial<QuoteAsk> & { src?: string; dest?: string } = {}): QuoteAsk {
  const { src = 'WETH', dest = 'USDC', ...rest } = changes;
  return {
    chainId: 31337,
    srcToken: market.token(src),
    destToken: market.token(dest),
    amount: `${ETHER}`,
    srcDecimals: market.decimals(src),
    destDecimals: market.decimals(dest),
    partner: 'free',
    ...rest,
  };
}

const across = (changes: Parameters<typeof asked>[0] = {}) =>
  asked({ src: 'USDC', dest: 'WETH-', destChainId: FAR_CHAIN, amount: '10000000000', ...changes });

const text = (ask: object) =>
  Object.fromEntries(Object.entries(ask).map(([name, value]) => [name, String(value)])) as Record<string, string>;

/** Status and text of an answer. */
async function refusal(path: string, ask: object) {
  const { status, body } = await market.get(path, text(ask));
  const { errorType, details } = body as { errorType?: string; details?: string };
  if (status !== 200) expect(typeof errorType).toBe('string');
  return [status, details];
}

const price = (changes?: Parameters<typeof asked>[0]) => intentPrices(market.client, asked(changes));
const [input, output] = [
  ({ route }: IntentPrice) => BigInt(route.origin.input.amount),
  ({ route }: IntentPrice) => BigInt(route.destination.output.amount),
];
const gasOf = ({ route: { fees } }: IntentPrice) => BigInt((fees as unknown as { gas: { amount: string } }).gas.amount);
/** How many bps one amount is below another. */
const below = (amount: bigint, other: bigint) => Number(((other - amount) * 100_000n) / other) / 10;

describe('an intent price', () => {
  test('has the whole shape, and names the intent contract beside the route and in it', async () => {
    const { intents } = market.floor.addresses;
    const { body } = await market.get(PRICES, text(asked()));
    const token = (symbol: string) => ({ chainId: 31337, address: market.token(symbol) });
    const amount = (symbol: string) => ({
      token: token(symbol),
      amount: expect.stringMatching(/^[1-9]\d+$/),
      amountUSD: expect.stringMatching(/^\d+\.\d\d$/),
    });
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      side: 'SELL',
      inputToken: token('WETH'),
      outputToken: token('USDC'),
      route: {
        origin: { input: { ...amount('WETH'), amount: `${ETHER}` }, output: amount('USDC') },
        destination: { input: amount('USDC'), output: amount('USDC') },
        bridge: null,
        fees: { gas: { ...amount('USDC') }, bridge: [] },
        spender: intents,
        hmac: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      alternatives: [],
      partner: { name: 'free', feePercent: 0 },
      spender: intents,
    });
    const intent = await price();
    expect(spenderOf({ intent })).toEqual({ mode: 'intent', chainId: 31337, address: intents });
  });

  test('tells each amount in dollars at the token’s price', async () => {
    const dollarsOf = { [market.token('WETH')]: 3_400, [market.token('USDC')]: 1 };
    for (const ask of [asked(), asked({ side: 'BUY', amount: '3000000000' }), asked({ amount: `${2n * ETHER}` })]) {
      const { route } = await intentPrices(market.client, ask);
      const ends = [route.origin.input, route.origin.output, route.destination.input, route.destination.output];
      for (const end of [...ends, route.fees?.gas as (typeof ends)[number] | undefined]) {
        if (end === undefined) throw new Error('an amount is missing');
        const { token, amount, amountUSD } = end;
        const decimals = token.address === market.token('WETH') ? 18 : 6;
        const worth = (Number(amount) / 10 ** decimals) * (dollarsOf[token.address] ?? Number.NaN);
        expect(Math.abs(Number(amountUSD) - worth)).toBeLessThanOrEqual(0.006);
      }
    }
  });

  test('is the pools’ price less the solver’s margin and the gas, for what is sold as for what is bought', async () => {
    const sold = await combinedQuote(market.client, asked());
    const [intent, route] = [sold.intent as IntentPrice, sold.market];
    const cost = BigInt(route?.destAmount ?? 0) - output(intent) - gasOf(intent);
    expect(Number(cost) / Number(output(intent))).toBeCloseTo(5 / 10_000, 5);
    const bought = await combinedQuote(market.client, asked({ side: 'BUY', amount: '3000000000' }));
    const paid = bought.intent as IntentPrice;
    expect(output(paid)).toBe(3_000_000_000n);
    const extra = input(paid) - BigInt(bought.market?.srcAmount ?? 0) - gasOf(paid);
    expect(Number(extra) / Number(input(paid))).toBeCloseTo(5 / 10_000, 5);
    expect(paid.route.fees?.gas).toMatchObject({ token: { address: market.token('WETH') } });
  });

  test('is of the pools alone: a maker’s better grid moves the market’s route only', async () => {
    const before = output(await price());
    market.grid = { bids: [['3500', '10']], asks: [['3501', '10']] };
    try {
      const quote = await combinedQuote(market.client, asked());
      expect(quote.market?.destAmount).toBe('3500000000');
      expect(output(quote.intent as IntentPrice)).toBe(before);
      for (const user of [{ userAddress: BLACKLISTED }, { beneficiary: BLACKLISTED }]) {
        const { market: route } = await combinedQuote(market.client, asked({ mode: 'MARKET', ...user }));
        expect(route?.destAmount).not.toBe('3500000000');
      }
    } finally {
      market.grid = null;
    }
  });

  test('leads to the native asset, and not from it: nobody can be allowed to take it', async () => {
    const { outputToken } = await price({ dest: 'ETH' });
    expect(outputToken?.address).toBe(NATIVE_TOKEN);
    expect(await refusal(PRICES, asked({ src: 'ETH' }))).toEqual([400, 'Token not supported']);
  });

  test('of a token in lower-case placeholder or zero form is refused as such', async () => {
    const zero = `0x${'0'.repeat(40)}`;
    for (const token of [NATIVE_TOKEN.toLowerCase(), zero, 'WETH', '']) {
      expect(await refusal(PRICES, { ...asked(), srcToken: token })).toEqual([400, 'Invalid srcToken']);
      expect(await refusal(PRICES, { ...asked(), destToken: token })).toEqual([400, 'Invalid destToken']);
      expect(await refusal('/v2/quote', { ...asked(), destToken: token })).toEqual([400, 'Invalid destToken']);
    }
  });

  test('of a token that is not listed on its chain is refused with Token not supported', async () => {
    const unlisted = `0x${'99'.repeat(20)}`;
    for (const field of ['srcToken', 'destToken']) {
      expect(await refusal(PRICES, { ...asked(), [field]: unlisted })).toEqual([400, 'Token not supported']);
    }
    expect(await refusal(PRICES, { ...asked(), srcToken: market.token('USDT-') })).toEqual([
      400,
      'Token not supported',
    ]);
    expect(await refusal(PRICES, { ...across(), destToken: market.token('DAI') })).toEqual([
      400,
      'Token not supported',
    ]);
  });

  test('is No route without liquidity, with wrong decimals, from a token to itself, or with no lane', async () => {
    const none = [400, 'No route'];
    expect(await refusal(PRICES, asked({ dest: 'USDC', amount: `${10n ** 24n}` }))).toEqual(none);
    expect(await refusal(PRICES, asked({ side: 'BUY', amount: `${10n ** 15n}` }))).toEqual(none);
    expect(await refusal(PRICES, asked({ srcDecimals: 6 }))).toEqual(none);
    expect(await refusal(PRICES, asked({ destDecimals: 18 }))).toEqual(none);
    expect(await refusal(PRICES, asked({ dest: 'WETH' }))).toEqual(none);
    expect(await refusal(PRICES, across({ dest: 'USDT-' }))).toEqual(none);
    for (const destChainId of [5, BARE_CHAIN]) {
      expect(await refusal(PRICES, across({ destChainId }))).toEqual(none);
    }
  });

  test('with an impact over 15 % is No route, unless maxImpact allows for it', async () => {
    const much = asked({ amount: `${200n * ETHER}` });
    expect(await refusal(PRICES, much)).toEqual([400, 'No route']);
    expect(await refusal(PRICES, { ...much, maxImpact: '20' })).toEqual([200, undefined]);
    expect(await refusal(PRICES, { ...asked({ amount: `${20n * ETHER}` }), maxImpact: '1' })).toEqual([
      400,
      'No route',
    ]);
  });

  test('of what is worth less than the gas is refused, whichever amount is given', async () => {
    const [status, details] = await refusal(PRICES, asked({ amount: '100000000000000' }));
    expect([status, details]).toEqual([400, 'The gas costs more than the swap is worth']);
    expect((await refusal(PRICES, asked({ side: 'BUY', amount: '10000' })))[0]).toBe(400);
  });

  test('of a token without a price in dollars is No route; without one of the native asset it counts no gas', async () => {
    const without = async (symbol: string, deed: () => Promise<void>) => {
      const kept = market.usd[symbol] ?? '';
      delete market.usd[symbol];
      await deed().finally(() => {
        market.usd[symbol] = kept;
      });
    };
    await without('USDC', async () => expect(await refusal(PRICES, asked())).toEqual([400, 'No route']));
    await without('WNAT', async () => expect(gasOf(await price())).toBe(0n));
    expect(gasOf(await price())).toBeGreaterThan(0n);
  });

  test.each([
    [{ amount: '0' }, 'amount must be above zero'],
    [{ amount: '1.5' }, expect.stringMatching(/^amount must be a whole number/)],
    [{ side: 'HOLD' }, expect.stringMatching(/^side /)],
    [{ chainId: 'one' }, expect.stringMatching(/^chainId /)],
    [{ srcDecimals: '' }, expect.stringMatching(/^srcDecimals /)],
    [{ partnerFeeBps: '201' }, expect.stringMatching(/^partnerFeeBps /)],
  ])('asked for with %j is refused, naming the field', async (changes, sentence) => {
    expect(await refusal(PRICES, { ...asked(), ...changes })).toEqual([400, sentence]);
  });

  test('needs chain, tokens, amount and decimals, and nothing else', async () => {
    const { partner: _, ...least } = asked();
    expect(await refusal(PRICES, least)).toEqual([200, undefined]);
    for (const field of Object.keys(least)) {
      const { [field as keyof typeof least]: _gone, ...without } = least;
      expect((await refusal(PRICES, without))[0], field).toBe(400);
    }
  });

  test('is reported as not available where there is no intent contract, or no such chain', async () => {
    const bare = [422, `Intents are not available on chain ${BARE_CHAIN}`];
    expect(await refusal(PRICES, asked({ chainId: BARE_CHAIN }))).toEqual(bare);
    expect(await refusal(PRICES, asked({ chainId: 5 }))).toEqual([422, 'Unsupported chain']);
  });
});

describe('the fee', () => {
  const percent = async (changes: Parameters<typeof asked>[0]) => {
    const one = await price(changes);
    return [one.partner?.name, one.partner?.feePercent];
  };

  test('is 1 bps for whoever names no partner or one that is not registered', async () => {
    expect((await intentPrices(market.client, { ...asked(), partner: undefined } as QuoteAsk)).partner).toEqual({
      name: 'anon',
      feePercent: 0.01,
    });
    expect(await percent({ partner: 'whoever' })).toEqual(['whoever', 0.01]);
    const [free, anon] = [output(await price()), output(await price({ partner: 'anon' }))];
    expect(anon).toBe(free - free / 10_000n);
  });

  test('of a registered partner and partnerFeeBps stack, for what is sold as for what is bought', async () => {
    expect(await percent({ partner: 'dear' })).toEqual(['dear', 0.5]);
    expect(await percent({ partner: 'dear', partnerFeeBps: 0 })).toEqual(['dear', 0.5]);
    expect(await percent({ partner: 'dear', partnerFeeBps: 150 })).toEqual(['dear', 2]);
    expect(await percent({ partnerFeeBps: 200 })).toEqual(['free', 2]);
    const [free, dear] = [output(await price()), output(await price({ partner: 'dear', partnerFeeBps: 50 }))];
    expect(dear).toBe(free - (free * 100n) / 10_000n);
    const buy = { side: 'BUY', amount: '3000000000' } as const;
    const [cheap, more] = [input(await price(buy)), input(await price({ ...buy, partnerFeeBps: 100 }))];
    expect(more).toBe(cheap + (cheap * 100n) / 10_000n);
  });

  test('that comes to more than 2 % is not allowed', async () => {
    const refused = [422, 'Partner not allowed'];
    expect(await refusal(PRICES, asked({ partner: 'dear', partnerFeeBps: 151 }))).toEqual(refused);
  });
});

describe('a price across chains', () => {
  test('has a bridge, crosses with the token that arrives, and has the other ways as alternatives', async () => {
    const crossed = await intentPrices(market.client, across());
    const { origin, destination, bridge } = crossed.route;
    expect(origin.output?.token).toEqual({ chainId: 31337, address: market.token('WETH') });
    expect(destination.input?.token).toEqual({ chainId: FAR_CHAIN, address: market.token('WETH-') });
    expect(destination.output.token).toEqual(crossed.outputToken);
    expect(crossed.outputToken).toEqual({ chainId: FAR_CHAIN, address: market.token('WETH-') });
    expect(bridge).toEqual({
      protocol: 'PracticeBridge',
      estimatedTimeMs: 20_000,
      tags: ['recommended', 'cheapest'],
      contractParams: {
        protocolSelector: expect.stringMatching(/^0x[0-9a-f]{8}$/),
        outputToken: market.token('WETH-'),
        scalingFactor: 0,
        protocolData: '0x',
      },
    });
    expect(crossed.route.fees?.bridge).toMatchObject([{ protocol: 'PracticeBridge' }]);
    expect(crossed.alternatives).toHaveLength(1);
    const [taxed] = crossed.alternatives as IntentPrice['route'][];
    expect(taxed?.bridge).toMatchObject({ protocol: 'PracticeBridgeTaxed' });
    const kept = BigInt(taxed?.bridge?.contractParams?.protocolData ?? '0x');
    expect(BigInt(taxed?.origin.output?.amount ?? 0) - kept).toBe(BigInt(taxed?.destination.output.amount ?? 0));
    expect(kept).toBeGreaterThan(0n);
  });

  test('takes includeBridges and excludeBridges by name', async () => {
    const query = across();
    const only = async (filter: object) => {
      const { route, alternatives } = await intentPrices(market.client, { ...query, ...filter } as QuoteAsk);
      return [route.bridge?.protocol, alternatives.length];
    };
    expect(await only({ excludeBridges: ['practicebridge'] })).toEqual(['PracticeBridgeTaxed', 0]);
    expect(await only({ includeBridges: ['PracticeBridge', 'Other'] })).toEqual(['PracticeBridge', 0]);
    expect(await refusal(PRICES, { ...query, includeBridges: 'Other' })).toEqual([400, 'No route']);
  });

  test('of an exact amount that arrives goes by bridges that keep none of it', async () => {
    const bought = await intentPrices(market.client, across({ side: 'BUY', amount: `${ETHER}` }));
    expect([output(bought), bought.route.bridge?.protocol, bought.alternatives]).toEqual([ETHER, 'PracticeBridge', []]);
    const taxed = { ...across({ side: 'BUY', amount: `${ETHER}` }), includeBridges: 'PracticeBridgeTaxed' };
    expect(await refusal(PRICES, taxed)).toEqual([400, 'No route']);
  });

  test('of the same token costs margin, gas and bridge, and needs no pool', async () => {
    const moved = await intentPrices(market.client, across({ src: 'WETH', amount: `${ETHER}` }));
    expect(below(output(moved), ETHER)).toBeGreaterThan(8);
    expect(below(output(moved), ETHER)).toBeLessThan(15);
  });

  test('with the chain’s own number is of one chain', async () => {
    expect((await price({ destChainId: 31337 })).route.bridge).toBeNull();
  });
});

describe('what solvers count with in an auction', () => {
  const counted = ({ route, side }: IntentPrice) =>
    auctionPrice(market.desk, {
      chainId: 31337,
      side: side ?? 'SELL',
      amount: BigInt((side === 'BUY' ? entering(route) : route.origin.input).amount),
      srcToken: route.origin.input.token.address,
      destToken: entering(route).token.address,
      bridge: (route.bridge?.contractParams ?? null) as never,
    });
  const entering = ({ origin, destination }: IntentPrice['route']) => origin.output ?? destination.output;

  test('is better than the quote by the margin, over every bridge as on one chain', async () => {
    const sold = [await price(), await intentPrices(market.client, across()), await price({ dest: 'ETH' })];
    const [, crossed] = sold;
    const taxed = { ...crossed, route: crossed?.alternatives[0] } as IntentPrice;
    for (const quote of [...sold, taxed]) {
      const quoted = BigInt(entering(quote.route).amount);
      const better = Number(((await counted(quote)) ?? 0n) - quoted) / Number(quoted);
      expect(better).toBeCloseTo(5 / 10_000, 5);
    }
    const bought = await price({ side: 'BUY', amount: '3000000000' });
    const less = Number(input(bought) - ((await counted(bought)) ?? 0n)) / Number(input(bought));
    expect(less).toBeCloseTo(5 / 10_000, 5);
  });

  test('is nothing where the market has no price', async () => {
    const quote = await price();
    const { origin } = quote.route;
    const much = { ...quote, route: { ...quote.route, origin: { ...origin, input: { ...origin.input } } } };
    much.route.origin.input.amount = `${10n ** 24n}`;
    expect(await counted(much)).toBeNull();
  });
});

describe('lanes and tokens', () => {
  test('lanes are the tokens that both chains have, each way, by their address where they arrive', async () => {
    const lanes = await bridgeRoutes(market.client);
    expect(lanes).toEqual([
      { srcChainId: 31337, destChainId: FAR_CHAIN, tokens: [market.token('WETH-')] },
      { srcChainId: FAR_CHAIN, destChainId: 31337, tokens: [market.token('WETH')] },
    ]);
  });

  test('a token is supported where it is listed', async () => {
    const upper = `0x${market.token('WETH').slice(2).toUpperCase()}`;
    expect(await isTokenSupported(market.client, 31337, upper)).toBe(true);
    expect(await isTokenSupported(market.client, 31337, NATIVE_TOKEN)).toBe(true);
    expect(await isTokenSupported(market.client, 31337, market.token('USDT-'))).toBe(false);
    expect(await isTokenSupported(market.client, FAR_CHAIN, market.token('USDT-'))).toBe(true);
    const support = `${PRICES}/is-token-supported`;
    expect((await refusal(support, { chainId: 5, token: upper }))[0]).toBe(422);
    expect((await refusal(support, { chainId: 31337 }))[0]).toBe(400);
  });
});

describe('a combined quote', () => {
  const quote = (changes?: Parameters<typeof asked>[0]) => combinedQuote(market.client, asked(changes));
  const blocks = (answer: object) =>
    Object.entries(answer).flatMap(([name, block]) => (block === undefined ? [] : [name]));

  test('has both blocks by default, and only the one that mode names', async () => {
    expect(blocks(await quote()).sort()).toEqual(['intent', 'market']);
    expect(blocks(await quote({ mode: 'ALL' })).sort()).toEqual(['intent', 'market']);
    expect(blocks(await quote({ mode: 'INTENT' }))).toEqual(['intent']);
    expect(blocks(await quote({ mode: 'MARKET' }))).toEqual(['market']);
    expect((await refusal('/v2/quote', { ...asked(), mode: 'DELTA' }))[0]).toBe(400);
  });

  test('whose market route can be built into a transaction of the router', async () => {
    const { market: route } = await quote({ mode: 'MARKET', partner: 'dear' });
    expect([route?.version, route?.partner, route?.partnerFee]).toEqual(['6.2', 'dear', 0.5]);
    const wish = { priceRoute: route, srcToken: route?.srcToken, destToken: route?.destToken, slippage: 100 };
    const body = { ...wish, srcAmount: route?.srcAmount, userAddress: market.floor.stranger.address };
    const built = await market.post('/transactions/31337?ignoreChecks=true', body);
    expect(built).toMatchObject({ status: 200, body: { to: route?.contractAddress } });
  });

  test('counts partnerFeeBps into both ways, on top of what is registered', async () => {
    const free = await quote();
    const dear = await quote({ partner: 'dear', partnerFeeBps: 100 });
    expect([dear.intent?.partner?.feePercent, dear.market?.partnerFee]).toEqual([1.5, 1.5]);
    const gross = BigInt(free.market?.destAmount ?? 0);
    expect(BigInt(dear.market?.destAmount ?? 0)).toBe(gross - (gross * 150n) / 10_000n);
    for (const mode of ['ALL', 'MARKET']) {
      const over = { ...asked({ partner: 'dear' }), mode, partnerFeeBps: 151 };
      expect(await refusal('/v2/quote', over)).toEqual([422, 'Partner not allowed']);
    }
  });

  test('has a market route that a build with the same fee settles for what it promised', async () => {
    const { market: route } = await quote({ mode: 'MARKET', partnerFeeBps: 100 });
    const wish = { priceRoute: route, srcToken: route?.srcToken, destToken: route?.destToken, slippage: 0 };
    const fee = { partnerAddress: market.floor.stranger.address, partnerFeeBps: '100' };
    const body = { ...wish, ...fee, srcAmount: route?.srcAmount, userAddress: market.floor.owner.address };
    const built = await market.post('/transactions/31337?onlyParams=true', body);
    const { params } = built.body as { params: [{ destAmount: string }] };
    expect(params[0].destAmount).toBe(route?.destAmount);
  });

  test('falls back to the market and says why', async () => {
    const small = await quote({ amount: '100000000000000' });
    expect(blocks(small).sort()).toEqual(['fallbackReason', 'market']);
    expect(small.fallbackReason).toEqual({
      errorType: 'GasCostTooHigh',
      details: 'The gas costs more than the swap is worth',
    });
    const native = await quote({ src: 'ETH', dest: 'WETH' });
    expect(native.fallbackReason).toEqual({ errorType: 'TokenNotSupported', details: 'Token not supported' });
    const bare = await quote({ chainId: BARE_CHAIN });
    expect(bare.fallbackReason?.details).toBe(`Intents are not available on chain ${BARE_CHAIN}`);
    expect(bare.market?.network).toBe(BARE_CHAIN);
  });

  test('of INTENT alone is refused where the intent product cannot price: it is not replaced in silence', async () => {
    expect((await refusal('/v2/quote', asked({ chainId: BARE_CHAIN, mode: 'INTENT' })))[0]).toBe(422);
    const small = asked({ amount: '100000000000000', mode: 'INTENT' });
    expect((await refusal('/v2/quote', small))[0]).toBe(400);
  });

  test('that nobody can price is refused for the intent product’s reason', async () => {
    expect(await refusal('/v2/quote', asked({ dest: 'WETH' }))).toEqual([400, 'No route']);
    expect(await refusal('/v2/quote', asked({ chainId: 5 }))).toEqual([422, 'Unsupported chain']);
  });

  test('across chains is the intent product’s alone', async () => {
    const crossed = await combinedQuote(market.client, across());
    expect(blocks(crossed)).toEqual(['intent']);
    expect(crossed.intent?.route.bridge?.contractParams?.outputToken).toBe(market.token('WETH-'));
    expect(await refusal('/v2/quote', across({ mode: 'MARKET' }))).toEqual([400, 'No route']);
  });

  test('takes side, user, beneficiary and partner, and no fee over 200 bps', async () => {
    const { address } = market.floor.owner;
    const bought = await quote({ side: 'BUY', amount: '3000000000', userAddress: address, beneficiary: address });
    expect([bought.intent?.side, bought.market?.side]).toEqual(['BUY', 'BUY']);
    expect((await quote({ partnerFeeBps: 200 })).intent?.partner?.feePercent).toBe(2);
    expect((await refusal('/v2/quote', { ...asked(), partnerFeeBps: '201' }))[0]).toBe(400);
    expect((await refusal('/v2/quote', { ...asked(), userAddress: '0x12' }))[0]).toBe(400);
    expect((await refusal('/v2/quote', { ...asked(), beneficiary: '0x12' }))[0]).toBe(400);
  });

  test('needs chain, tokens, amount and decimals', async () => {
    const { partner: _, ...least } = asked();
    expect((await refusal('/v2/quote', least))[0]).toBe(200);
    for (const field of Object.keys(least)) {
      const { [field as keyof typeof least]: _gone, ...without } = least;
      expect((await refusal('/v2/quote', without))[0], field).toBe(400);
    }
  });
});

test('a service that calls it delta has path, mode and block of that name, and no others', async () => {
  const delta = await market.named('delta');
  expect((await intentPrices(delta, asked())).route.bridge).toBeNull();
  const both = await combinedQuote(delta, asked());
  expect([both.intent?.side, both.market?.side]).toEqual(['SELL', 'SELL']);
  expect((await combinedQuote(delta, asked({ mode: 'INTENT' }))).intent?.side).toBe('SELL');
  expect((await market.get('/v2/delta/prices', text(asked()))).status).toBe(404);
});

test('while calls are counted, one too many gets 429', async () => {
  onTestFinished(market.stopClock());
  market.limits.on = true;
  try {
    const statuses = [(await market.get(PRICES, text(asked()))).status, (await market.get('/v2/quote')).status];
    expect(statuses).toEqual([200, 429]);
    market.shiftClock(1_001);
    expect((await market.get(`${PRICES}/bridge-routes`)).status).toBe(200);
  } finally {
    market.limits.on = false;
  }
});

test('nothing of all this was an error of the service itself', () => {
  expect(market.lines.filter((line) => line.startsWith('!'))).toEqual([]);
});
