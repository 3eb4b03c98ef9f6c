import { expect, it } from 'vitest';
import { router } from '../../../electron/book/sources/router/source.ts';
import type { Token } from '../../../electron/protocol/wire.ts';
import { priceRoute, USDC, WETH } from '../../protocol/wire-samples.ts';
import { json } from '../../service/http-answers.ts';
import { talkingService } from '../../service/talking-service.ts';
import { hearSource, NOW } from './hear-source.ts';

const PAIR = 'WETH/USDC';
const PAIRS = { [PAIR]: { amount: '0.3' } };
const token = (address: string, decimals: number) => ({ address, decimals }) as Token;
const pair = (id: string) => (id === PAIR ? { base: token(WETH, 18), quote: token(USDC, 6) } : undefined);
const ends = { srcToken: WETH, srcDecimals: 18, destToken: USDC, destDecimals: 6 };
const sold = { ...priceRoute(), ...ends, srcAmount: '300000000000000000', destAmount: '1023000001' };
const back = { srcToken: USDC, srcDecimals: 6, destToken: WETH, destDecimals: 18, side: 'BUY' };
const bought = { ...priceRoute(), ...back, srcAmount: '1024000001', destAmount: '300000000000000000' };

it('the router is asked both ways without market makers, and its price is exact: the bid rounded down, the ask up', async () => {
  const { service, heard: asked } = await talkingService([json({ priceRoute: sold }), json({ priceRoute: bought })]);
  const { heard } = hearSource(router, { pairs: PAIRS }, { pair, service: () => service });
  await expect
    .poll(() => heard.of(PAIR))
    .toEqual({
      bid: `3410.00000${'3'.repeat(31)}`,
      ask: `3413.33333666${'6'.repeat(27)}7`,
      time: NOW,
    });
  expect(asked.map(({ query }) => [query.side, query.excludeRFQ, query.amount])).toEqual([
    ['SELL', 'true', '300000000000000000'],
    ['BUY', 'true', '300000000000000000'],
  ]);
});

it.each([
  ['gives more than it takes', [{ ...sold, destAmount: '1024000002' }, bought], 'is over its ask'],
  ['gives nothing', [{ ...sold, destAmount: '0' }, bought], 'its bid is zero'],
])('a router that %s is told with its pair', async (_what, routes, why) => {
  const { service } = await talkingService(routes.map((route) => json({ priceRoute: route })));
  const { line } = hearSource(router, { pairs: PAIRS }, { pair, service: () => service });
  await expect.poll(() => line().pairs[PAIR]?.fault ?? '').toContain(why);
});

it('a chain without a service, and a pair that is not listed, are sentences', async () => {
  const none = hearSource(router, { pairs: PAIRS }, { pair });
  await expect.poll(() => none.line().fault).toBe('WETH/USDC: This desk has no service.');
  const { service } = await talkingService([json({})]);
  const lost = hearSource(router, { pairs: { 'NO/PAIR': { amount: '1' } } }, { pair, service: () => service });
  await expect.poll(() => lost.line().pairs['NO/PAIR']?.fault).toBe('it is not listed');
});
