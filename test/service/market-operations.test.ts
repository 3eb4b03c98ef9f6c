import { describe, expect, it } from 'vitest';
import { NATIVE_TOKEN } from '../../electron/protocol/route-token.ts';
import { marketChains, marketPrices, marketTransaction } from '../../electron/service/market-operations.ts';
import { envelope, OWNER, priceRoute, ROUTER, USDC, WETH } from '../protocol/wire-samples.ts';
import { json } from './http-answers.ts';
import { talkingService } from './talking-service.ts';

const ETHER = '1000000000000000000';
const ask = { srcToken: WETH, destToken: USDC, amount: ETHER, network: 31337 } as const;
const body = () => ({
  priceRoute: priceRoute(),
  srcToken: WETH,
  destToken: USDC,
  userAddress: OWNER,
  srcAmount: ETHER,
});

describe('a market price', () => {
  it('is asked for at the router’s version, with the key where there is one', async () => {
    const { service, heard } = await talkingService([json({ priceRoute: priceRoute() })], { apiKey: 'pro' });
    await marketPrices(service, { ...ask, excludeRFQ: true, includeDEXS: ['A', 'B'] });
    expect(heard[0]).toMatchObject({
      method: 'GET',
      path: '/prices',
      query: { ...ask, network: '31337', version: '6.2', excludeRFQ: 'true', includeDEXS: 'A,B' },
      headers: { 'x-api-key': 'pro' },
    });
  });

  it('has no key where there is none', async () => {
    const { service, heard } = await talkingService([json({ priceRoute: priceRoute() })]);
    await marketPrices(service, ask);
    expect(heard[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it('that is asked for twice at once, or again within a moment, is asked once', async () => {
    const { service, heard, unix } = await talkingService([json({ priceRoute: priceRoute() })]);
    await Promise.all([marketPrices(service, ask), marketPrices(service, ask)]);
    await marketPrices(service, ask);
    expect(heard).toHaveLength(1);
    unix.now = 2_000;
    await marketPrices(service, ask);
    expect(heard).toHaveLength(2);
  });

  it.each([
    ['a lower-case native placeholder', { srcToken: NATIVE_TOKEN.toLowerCase() }, /Invalid srcToken/],
    ['an amount with a point', { amount: '1.5' }, /amount/],
    ['five tokens in a row', { route: 'A-B-C-D-E' }, /at most 4 tokens/],
  ])('of %s is not asked for', async (_what, change, sentence) => {
    const { service, heard } = await talkingService([json({})]);
    const asked = marketPrices(service, { ...ask, ...change });
    await expect(asked).rejects.toMatchObject({ code: 'bad_ask', message: expect.stringMatching(sentence) });
    expect(heard).toEqual([]);
  });

  it.each([
    ['on another chain', { network: 1 }, /on chain 1/],
    ['of another token', { destToken: ROUTER }, /a route of 0x06/],
    ['for another amount', { srcAmount: '2' }, /for 2 units/],
    ['for the other side', { side: 'BUY' }, /for BUY/],
    ['with amounts as numbers', { destAmount: 3412 }, /priceRoute\.destAmount/],
  ])('%s is of no use', async (_what, change, sentence) => {
    const { service } = await talkingService([json({ priceRoute: { ...priceRoute(), ...change } })]);
    const asked = marketPrices(service, ask);
    await expect(asked).rejects.toMatchObject({ code: 'service_nonsense', message: expect.stringMatching(sentence) });
  });
});

describe('a market transaction', () => {
  it('is built from the very text of the route, on the route’s chain', async () => {
    const text = JSON.stringify({ priceRoute: priceRoute() });
    const answers = [json(JSON.parse(text)), json(envelope())];
    const { service, heard } = await talkingService(answers);
    const route = await marketPrices(service, ask);
    const built = await marketTransaction(service, { ...body(), priceRoute: route, slippage: 250 }, { eip1559: true });
    expect(built).toEqual(envelope());
    expect(heard[1]).toMatchObject({ method: 'POST', path: '/transactions/31337', query: { eip1559: 'true' } });
    expect(heard[1]?.headers['content-type']).toBe('application/json');
    expect(heard[1]?.body).toContain(text.slice(1, -1));
  });

  it.each([
    ['goes elsewhere than to the router', { to: OWNER }, /transaction to 0x1111/],
    ['is of somebody else', { from: ROUTER }, /transaction of 0x06/],
    ['is on another chain', { chainId: 1 }, /on chain 1/],
    ['takes ether along for a token', { value: '1' }, /takes 1 wei/],
  ])('that %s is refused', async (_what, change, sentence) => {
    const { service } = await talkingService([json({ ...envelope(), ...change })]);
    await expect(marketTransaction(service, { ...body(), slippage: 250 })).rejects.toThrow(sentence);
  });

  it('of the native asset takes no more along than what is sold, or what a bought amount may cost', async () => {
    const native = { ...priceRoute(), srcToken: NATIVE_TOKEN };
    const most = async (side: 'SELL' | 'BUY', value: string) => {
      const { service } = await talkingService([json({ ...envelope(), value })]);
      const { srcAmount: _, ...rest } = body();
      const amounts = side === 'SELL' ? { srcAmount: ETHER } : { destAmount: '3412000000' };
      const route = { ...native, side };
      return marketTransaction(service, {
        ...rest,
        ...amounts,
        priceRoute: route,
        srcToken: NATIVE_TOKEN,
        slippage: 100,
      });
    };
    expect((await most('SELL', ETHER)).value).toBe(ETHER);
    await expect(most('SELL', '1000000000000000001')).rejects.toThrow(/takes/);
    expect((await most('BUY', '1010000000000000000')).value).toBe('1010000000000000000');
    await expect(most('BUY', '1010000000000000001')).rejects.toThrow(/takes/);
  });

  it('that is half described is not asked for', async () => {
    const { service, heard } = await talkingService([json(envelope())]);
    await expect(marketTransaction(service, body())).rejects.toThrow(/slippage is required/);
    expect(heard).toEqual([]);
  });
});

describe('the lists', () => {
  it.each([
    ['a bare list', [1, 31337]],
    ['an object of objects', { chains: [{ chainId: 1, name: 'x' }, { chainId: 31337 }] }],
    ['a list with something else in it', [1, 'mainnet', null, 31337]],
  ])('of chains may be %s', async (_what, answer) => {
    const { service } = await talkingService([json(answer)]);
    expect(await marketChains(service)).toEqual([1, 31337]);
  });
});
