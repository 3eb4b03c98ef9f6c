import { describe, expect, it } from 'vitest';
import type { HedgeQuote, HedgeRoutes, QuotedWay } from '../../electron/contract/hedge.ts';
import { VENUES } from '../../electron/hedge/venues/venues.ts';
import { actWords, shortDigits } from '../../renderer/pages/hedge/hedge-words.ts';
import { offeredOthers, routed } from '../../renderer/pages/hedge/routed.ts';
import { changed, EMPTY_TICKET, lifetimesOf, readTicket, type Ticket } from '../../renderer/pages/hedge/ticket.ts';
import { readAmount, readPercent } from '../../renderer/pages/hedge/typed-amount.ts';
import { bridgesOf, quoteOver } from '../../renderer/pages/hedge/use-quote.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as `0x${string}`;
const weth = { chainId: 1, address: address('1'), symbol: 'WETH', decimals: 18 };
const usdc = { chainId: 1, address: address('2'), symbol: 'USDC', decimals: 6 };
const usdt = { chainId: 2, address: address('3'), symbol: 'USDT', decimals: 6 };
const tokens = [weth, usdc, usdt];
const venues = VENUES.map(({ about }) => ({ ...about, chains: [] }));
const read = (ticket: Ticket) => readTicket(ticket, tokens, venues);
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
    expect(read(sell).ask).toMatchObject({
      chainId: 1,
      srcToken: weth.address,
      destToken: usdc.address,
      side: 'SELL',
      amount: '1234.5',
      slippageBps: 50,
    });
    expect(read(changed(sell, { side: 'BUY' })).ask).toMatchObject({
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
    const market = read(crossing);
    expect([market.ask?.destChainId, market.wish]).toEqual([2, null]);
    expect(market.faults.against).toContain('one chain');
    expect(read(changed(crossing, { mode: 'intent' })).wish?.ask.destChainId).toBe(2);
  });

  it('a chosen bridge is part of a crossing wish alone, and is let go of with the tokens', () => {
    const crossing = { ...changed(sell, { against: `2:${usdt.address}`, mode: 'intent' }), bridge: 'Slow' };
    expect(read(crossing).wish?.bridge).toBe('Slow');
    expect(read({ ...changed(sell, { mode: 'intent' }), bridge: 'Slow' }).wish?.bridge).toBeUndefined();
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
    const typed = read(crossing);
    const known = { routes: null, src: null, dest: null };
    expect(routed(typed, known)).toBe(typed);
    const refused = routed(typed, { ...known, routes: lanes([]) });
    expect([refused.ask, refused.wish, refused.faults.against]).toEqual([
      null,
      null,
      expect.stringMatching(/no route/),
    ]);
    expect(routed(typed, { ...known, src: false }).faults.against).toMatch(/no intent order in WETH/);
  });

  it('the figures are those of the chosen bridge, and one that is offered no more has none', () => {
    const way = (choice: string, destAmount: string) => {
      return { destAmount, bridge: { protocol: choice, seconds: 20, choice } } as QuotedWay;
    };
    const about = { venue: 'intents', title: 'Intent' };
    const intent = { ...about, quote: way('Fast', '10'), fault: null, others: [way('Slow', '11')] };
    const market = { venue: 'market', title: 'Market', quote: null, fault: 'One chain only.', others: [] };
    const quote = { quotes: [market, intent] } as unknown as HedgeQuote;
    expect(bridgesOf(intent)).toEqual(['Fast', 'Slow']);
    const over = (bridge: string) => quoteOver(quote, { bridge }).quotes[1];
    expect(['', 'Fast', 'Slow'].map((bridge) => over(bridge)?.quote?.destAmount)).toEqual(['10', '10', '11']);
    expect(over('Gone')).toMatchObject({ quote: null, fault: expect.stringMatching(/no route over Gone/) });
    expect(quoteOver(quote, { bridge: 'Gone' }).quotes[0]).toEqual(market);
  });

  it('a TWAP sells or buys as the ticket does, and outlasts all of its intervals', () => {
    const twap = { ...changed(sell, { mode: 'twap' }), fields: { slices: '3', interval: '7200' }, deadline: 300 };
    expect(read(twap).way).toEqual({ mode: 'twap', slices: 3, interval: 7_200 });
    expect(Math.min(...lifetimesOf(twap, read(twap).kind))).toBeGreaterThan(3 * 7_200);
    expect(read(twap).wish?.deadlineSeconds).toBeGreaterThan(3 * 7_200);
    const buying = { ...changed(twap, { side: 'BUY' }), other: '9,000' };
    expect(read(buying).way).toMatchObject({ mode: 'twap-buy', maxSrcAmount: '9000' });
  });

  it('an order that waits asks for no permit: its deadline would be over before it is settled', () => {
    const limit = { ...changed(sell, { mode: 'limit' }), other: '5,000,000' };
    expect(read(limit).wish).toMatchObject({ deadlineSeconds: 86_400, approval: 'approve' });
    expect(read(sell).wish?.approval).toBe('permit');
  });

  it('fills stay chosen while the amount changes, and not when it is about something else', () => {
    expect(changed(sell, { amount: '2' }).fillSeqs).toEqual([7, 9]);
    expect(changed(sell, { side: 'BUY' }).fillSeqs).toEqual([]);
  });
});

describe('the button', () => {
  const words = (ticket: Ticket, bound: string | null) => {
    const way = bound === null ? null : ({ bound } as Parameters<typeof actWords>[2]);
    return plain(actWords(ticket, read(ticket), way, null));
  };

  it('says what is given, and the worst that may come of it, cut towards the loss', () => {
    expect(words(sell, '4081209999')).toBe('Sell 1,234.5 WETH for at least 4,081.20 USDC');
    expect(words(changed(sell, { side: 'BUY' }), '4081200001')).toBe('Buy 1,234.5 WETH for at most 4,081.21 USDC');
  });

  it('shows eight decimals of what is typed with more, and leaves all others to its tooltip', () => {
    const fine = { ...changed(sell, { amount: '1234.012345678901234567' }) };
    expect(shortDigits(words(fine, '4081209999'))).toBe('Sell 1,234.01234567… WETH for at least 4,081.20 USDC');
    expect(shortDigits('Sell 1,234,567.12345678 WETH')).toBe('Sell 1,234,567.12345678 WETH');
  });

  it('says the limit of a limit order, and the slices of a TWAP', () => {
    expect(words({ ...changed(sell, { mode: 'limit' }), other: '5000000' }, '1')).toBe(
      'Sell 1,234.5 WETH for at least 5,000,000 USDC',
    );
    expect(words(changed(sell, { mode: 'twap' }), '1')).toBe(
      'Sell 1,234.5 WETH in 3 slices for USDC, each at most 0.5 % under its price',
    );
  });
});

describe('what was done elsewhere', () => {
  const entered = { ...changed(sell, { mode: 'by-hand' }), other: '4,081.2', fields: { where: ' Kraken ' } };

  it('is entered with both amounts, where and when; it asks for no slippage', () => {
    expect(read({ ...entered, slippage: 'x' }).wish?.way).toEqual({
      mode: 'by-hand',
      other: '4081.2',
      where: 'Kraken',
    });
    const whole = { ...entered, fields: { where: 'Kraken', at: '2026-11-23 03:05', feeUsd: '1.20', note: 'by phone' } };
    expect(read(whole).way).toMatchObject({ at: '2026-11-23T03:05:00.000Z', feeUsd: '1.20', note: 'by phone' });
    expect(read({ ...entered, fields: { where: 'Kraken', at: 'yesterday' } }).faults.at).toMatch(/Such as/);
    expect(read({ ...entered, fields: {} }).wish).toBeNull();
    expect(read({ ...entered, other: '' }).wish).toBeNull();
  });

  it('says what will be entered, all its digits', () => {
    expect(plain(actWords(entered, read(entered), null, null))).toBe('Enter: sold 1,234.5 WETH for 4,081.2 USDC');
  });
});
