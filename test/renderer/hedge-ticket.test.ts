import { describe, expect, it } from 'vitest';
import type { HedgeQuote, HedgeRoutes, QuotedWay } from '../../electron/contract/hedge.ts';
import { actWords } from '../../renderer/pages/hedge/hedge-words.ts';
import { offeredOthers, routed } from '../../renderer/pages/hedge/routed.ts';
import { changed, EMPTY_TICKET, lifetimesOf, readTicket, type Ticket } from '../../renderer/pages/hedge/ticket.ts';
import { stagesOf } from '../../renderer/pages/hedge/track-steps.ts';
import { readAmount, readPercent } from '../../renderer/pages/hedge/typed-amount.ts';
import { bridgesOf, quoteOver } from '../../renderer/pages/hedge/use-quote.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as `0x${string}`;
const weth = { chainId: 1, address: address('1'), symbol: 'WETH', decimals: 18 };
const usdc = { chainId: 1, address: address('2'), symbol: 'USDC', decimals: 6 };
const usdt = { chainId: 2, address: address('3'), symbol: 'USDT', decimals: 6 };
const tokens = [weth, usdc, usdt];
const sell: Ticket = {
  ...EMPTY_TICKET,
  token: `1:${weth.address}`,
  against: `1:${usdc.address}`,
  amount: '1,234.5',
  fillSeqs: [7, 9],
};
const plain = (words: string) => words.replaceAll('\u00a0', ' ');

describe('a hedge as it is typed', () => {
  it('selling gives the token, buying receives it: the amount is always of the token', () => {
    expect(readTicket(sell, tokens).ask).toMatchObject({
      chainId: 1,
      srcToken: weth.address,
      destToken: usdc.address,
      side: 'SELL',
      amount: '1234.5',
      slippageBps: 50,
    });
    expect(readTicket(changed(sell, { side: 'BUY' }), tokens).ask).toMatchObject({
      srcToken: usdc.address,
      destToken: weth.address,
      side: 'BUY',
      amount: '1234.5',
    });
  });

  it('takes what the token can hold: no exponent, no sign, no digit too many, not nothing', () => {
    expect(readAmount('1,234.5', 6)).toEqual({ raw: '1234500000', fault: null });
    expect(readAmount('.5', 1)).toEqual({ raw: '5', fault: null });
    for (const typed of ['1e3', '-1', '1,23', '0.0000001', '0', '0.0']) {
      expect(readAmount(typed, 6).fault, typed).not.toBeNull();
    }
    expect(readPercent('0.5')).toEqual({ bps: 50, fault: null });
    expect(readPercent('100.01').bps).toBeNull();
  });

  it('a token on another chain makes it a crossing, which the router cannot do', () => {
    const crossing = changed(sell, { against: `2:${usdt.address}` });
    const market = readTicket(crossing, tokens);
    expect([market.ask?.destChainId, market.wish]).toEqual([2, null]);
    expect(market.faults.against).toContain('one chain');
    expect(readTicket(changed(crossing, { mode: 'intent' }), tokens).wish?.ask.destChainId).toBe(2);
  });

  it('a chosen bridge is part of a crossing wish alone, and is let go of with the tokens', () => {
    const crossing = { ...changed(sell, { against: `2:${usdt.address}`, mode: 'intent' }), bridge: 'Slow' };
    expect(readTicket(crossing, tokens).wish?.bridge).toBe('Slow');
    expect(readTicket({ ...changed(sell, { mode: 'intent' }), bridge: 'Slow' }, tokens).wish?.bridge).toBeUndefined();
    expect(changed(crossing, { amount: '2' }).bridge).toBe('Slow');
    expect(changed(crossing, { against: `1:${usdc.address}` }).bridge).toBe('');
  });

  it('what has no route is not offered, with the reason; what is not known is, and says so', () => {
    const lanes = (tokens: `0x${string}`[]) => [{ chainId: 1, isServed: true, lanes: [{ destChainId: 2, tokens }] }];
    const crossing = changed(sell, { against: `2:${usdt.address}`, mode: 'intent' });
    const offer = (routes: HedgeRoutes | null) =>
      offeredOthers({ side: 'SELL', against: '' }, routes, { token: weth, chainId: 1, others: [usdt] });
    expect(offer(lanes([usdt.address]))).toEqual({ offered: [usdt], hint: undefined });
    expect(offer(lanes([]))).toMatchObject({ offered: [], hint: expect.stringContaining('USDT') });
    expect(offer(null)).toMatchObject({ offered: [usdt], hint: expect.stringMatching(/^Not known/) });
    const read = readTicket(crossing, tokens);
    const known = { routes: null, src: null, dest: null };
    expect(routed(read, 'intent', known)).toBe(read);
    const refused = routed(read, 'intent', { ...known, routes: lanes([]) });
    expect([refused.ask, refused.wish, refused.faults.against]).toEqual([
      null,
      null,
      expect.stringMatching(/no route/),
    ]);
    expect(routed(read, 'intent', { ...known, src: false }).faults.against).toMatch(/no intent order in WETH/);
  });

  it('the figures are those of the chosen bridge, and one that is offered no more has none', () => {
    const way = (choice: string, destAmount: string) => {
      return { destAmount, bridge: { protocol: choice, seconds: 20, choice } } as QuotedWay;
    };
    const none = { quote: null, fault: 'One chain only.' };
    const intent = { quote: way('Fast', '10'), fault: null, others: [way('Slow', '11')] };
    const quote = { intent, market: none } as HedgeQuote;
    expect(bridgesOf(quote)).toEqual(['Fast', 'Slow']);
    const amounts = ['', 'Fast', 'Slow'].map((bridge) => quoteOver(quote, { bridge }).intent.quote?.destAmount);
    expect(amounts).toEqual(['10', '10', '11']);
    expect(quoteOver(quote, { bridge: 'Gone' }).intent).toMatchObject({
      quote: null,
      fault: expect.stringMatching(/no route over Gone/),
    });
  });

  it('a TWAP sells or buys as the ticket does, and outlasts all of its intervals', () => {
    const twap = { ...changed(sell, { mode: 'twap' }), slices: '3', interval: '7200', deadline: 300 };
    expect(readTicket(twap, tokens).way).toEqual({ mode: 'twap', slices: 3, interval: 7_200 });
    expect(Math.min(...lifetimesOf(twap))).toBeGreaterThan(3 * 7_200);
    expect(readTicket(twap, tokens).wish?.deadlineSeconds).toBeGreaterThan(3 * 7_200);
    const buying = { ...changed(twap, { side: 'BUY' }), most: '9,000' };
    expect(readTicket(buying, tokens).way).toMatchObject({ mode: 'twap-buy', maxSrcAmount: '9000' });
  });

  it('an order that waits asks for no permit: its deadline would be over before it is settled', () => {
    const limit = { ...changed(sell, { mode: 'limit' }), limit: '5,000,000' };
    expect([limit.deadline, readTicket(limit, tokens).wish?.approval]).toEqual([86_400, 'approve']);
    expect(readTicket(sell, tokens).wish?.approval).toBe('permit');
  });

  it('fills stay chosen while the amount changes, and not when it is about something else', () => {
    expect(changed(sell, { amount: '2' }).fillSeqs).toEqual([7, 9]);
    expect(changed(sell, { side: 'BUY' }).fillSeqs).toEqual([]);
  });
});

describe('the button', () => {
  const words = (ticket: Ticket, bound: string | null) => {
    const way = bound === null ? null : ({ bound } as Parameters<typeof actWords>[2]);
    return plain(actWords(ticket, readTicket(ticket, tokens), way, null));
  };

  it('says what is given, and the worst that may come of it, cut towards the loss', () => {
    expect(words(sell, '4081209999')).toBe('Sell 1,234.5 WETH for at least 4,081.20 USDC');
    expect(words(changed(sell, { side: 'BUY' }), '4081200001')).toBe('Buy 1,234.5 WETH for at most 4,081.21 USDC');
  });

  it('says the limit of a limit order, and the slices of a TWAP', () => {
    expect(words({ ...changed(sell, { mode: 'limit' }), limit: '5000000' }, '1')).toBe(
      'Sell 1,234.5 WETH for at least 5,000,000 USDC',
    );
    expect(words(changed(sell, { mode: 'twap' }), '1')).toBe(
      'Sell 1,234.5 WETH in 3 slices for USDC, each at most 0.5 % under its price',
    );
  });
});

describe('the stages of a hedge', () => {
  const stages = (steps: readonly object[], state: string) => {
    const endedAt = state === 'failed' ? 1 : null;
    const detail = { steps: steps.map((step) => ({ step })), mode: 'market', state, endedAt } as unknown;
    return stagesOf(detail as Parameters<typeof stagesOf>[0]).map(({ is }) => is);
  };

  it('what is behind it is done, one is under way, the rest is to come', () => {
    expect(stages([], 'opened')[0]).toBe('now');
    expect(stages([{ step: 'swap_built' }, { step: 'swap_simulated' }], 'simulated')).toEqual([
      ...['done', 'done', 'done', 'now', 'to come', 'to come'],
    ]);
  });

  it('a failure stands at the stage that it could not pass', () => {
    expect(stages([{ step: 'swap_built' }], 'failed')).toEqual([
      ...['done', 'done', 'failed', 'to come', 'to come', 'to come'],
    ]);
  });
});
