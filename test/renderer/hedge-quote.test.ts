import { describe, expect, it } from 'vitest';
import type { HedgeDetail, HedgeRow, QuotedWay } from '../../electron/contract/hedge.ts';
import { VENUES } from '../../electron/hedge/venues/venues.ts';
import { signedText } from '../../renderer/pages/hedge/cover-mark.tsx';
import {
  costOf,
  costParts,
  dollarsText,
  LOSS_TO_ASK,
  LOSS_TO_WARN,
  lossOf,
  shareText,
} from '../../renderer/pages/hedge/hedge-loss.ts';
import { spoken, spokenWhole, stateLook } from '../../renderer/pages/hedge/hedge-words.ts';
import { dealWords, lossWords } from '../../renderer/pages/hedge/place-bar.tsx';
import { priceOfAmounts, pricesOf, pricesText, priceTerms } from '../../renderer/pages/hedge/price-terms.ts';
import { EMPTY_TICKET, readTicket, type Ticket } from '../../renderer/pages/hedge/ticket.ts';
import { limitWords } from '../../renderer/pages/hedge/ticket-panel.tsx';
import { trackLines } from '../../renderer/pages/hedge/track-steps.ts';
import { hedgeWatch } from '../../renderer/pages/hedge/use-quote.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as `0x${string}`;
const weth = { chainId: 1, address: address('1'), symbol: 'WETH', decimals: 18 };
const usdc = { chainId: 1, address: address('2'), symbol: 'USDC', decimals: 6 };
const listed = [{ chainId: 1, base: 'WETH', quote: 'USDC' }];
const venues = VENUES.map(({ about }) => ({ ...about, chains: [] }));
const limit: Ticket = {
  ...EMPTY_TICKET,
  token: `1:${weth.address}`,
  against: `1:${usdc.address}`,
  amount: '2',
  mode: 'limit',
};
/** Two WETH for 6,800 USDC. */
const way = { srcAmount: '2000000000000000000', destAmount: '6800000000' } as QuotedWay;
const plain = (words: string | null) => words?.replaceAll('\u00a0', ' ');

describe('the price of a hedge', () => {
  it('is said the way round in which the pair is quoted, whichever token is sold', () => {
    const terms = { of: usdc, per: weth };
    expect(priceTerms(weth, usdc, listed)).toEqual(terms);
    expect(priceTerms(usdc, weth, listed)).toEqual(terms);
    expect(priceTerms(weth, usdc, [])).toEqual(terms);
  });

  it('is turned where the wire has it the other way, and cut towards our loss', () => {
    const terms = { of: usdc, per: weth };
    const sold = { price: '3400.009', priceAfterGas: null };
    expect(pricesOf(sold, weth, terms)).toEqual({ price: '3400.009', afterGas: null });
    const bought = pricesOf({ price: '0.0003', priceAfterGas: '0.00025' }, usdc, terms);
    expect(bought).toEqual({ price: '3333.333333333333333334', afterGas: '4000.000000000000000000' });
    expect(pricesText([bought.price])(bought.price)).toBe('3,333.33');
  });

  it('of two amounts is the same from either side', () => {
    const terms = { of: usdc, per: weth };
    const [two, usd] = [
      { token: weth, raw: '2000000000000000000' },
      { token: usdc, raw: '6800000000' },
    ];
    expect(priceOfAmounts(terms, two, usd)).toMatch(/^3400\.0+$/);
    expect(priceOfAmounts(terms, usd, two)).toMatch(/^3400\.0+$/);
    expect(priceOfAmounts(terms, usd, { token: weth, raw: '0' })).toBeNull();
  });
});

it('what placing it means is asked anew when another hedge of one of its tokens begins, is signed and is over, not at each step between', () => {
  const touches = hedgeWatch();
  const other = { seq: 7, src: usdc, dest: weth, state: 'opened', endedAt: null } as HedgeRow;
  const elsewhere = { seq: 5, src: { ...weth, chainId: 10 }, dest: { ...usdc, address: address('3') } };
  expect(touches([], limit)).toBe(false);
  expect(touches([{ ...other, ...elsewhere }], limit)).toBe(false);
  const steps = (['opened', 'approving', 'signed', 'sent', 'mined'] as const).map((state) =>
    touches([{ ...other, state }], limit),
  );
  expect(steps).toEqual([true, false, true, false, false]);
  const done = { ...other, state: 'done' as const, endedAt: 1 };
  expect([touches([done], limit), touches([done], limit)]).toEqual([true, false]);
});

describe('what a hedge costs', () => {
  const costing = (srcUsd: string | null, worthUsd: string | null) =>
    costOf({ ...way, srcUsd, worthUsd } as QuotedWay)?.share;

  it('is what is given less what is left after gas and fees, as a share of it, never said smaller than it is', () => {
    expect(costing('1000', '994.2')).toBe(580n);
    expect(costing('30000', '29999.99')).toBe(1n);
    expect(costing('1000', '1001')).toBe(-100n);
    expect([costing(null, '1'), costing('1000', null), costing('0', '0')]).toEqual([undefined, undefined, undefined]);
  });

  it('is said in basis points, from one percent on in percent', () => {
    expect([58n, 999n, 1_000n, 69_873n, -58n].map((share) => plain(shareText(share)))).toEqual([
      ...['5.8 bps', '99.9 bps', '1.0 %', '69.9 %', '−5.8 bps'],
    ]);
  });

  it('stands in one line with what we get and the price of a token, whatever else is in sight', () => {
    const terms = { of: usdc, per: weth };
    const told = { ...way, price: '3400', srcUsd: '7000', worthUsd: '6793.001' } as QuotedWay;
    const said = (ticket: Ticket, offered = told) =>
      plain(dealWords(ticket, readTicket(ticket, [weth, usdc], venues), offered, terms));
    const market = { ...limit, mode: 'market' };
    expect(said(market)).toBe('We get 6,800.00 USDC · 3,400.00 USDC per WETH · costs 3.0 %, $207.00');
    expect(said(market, { ...told, worthUsd: null })).toContain('· costs not known');
    const bought = { ...told, srcAmount: '6800009999', price: '0.000294117647058823' };
    expect(said({ ...market, side: 'BUY' }, bought)).toMatch(/^We pay 6,800\.01 USDC · 3,400\.00 USDC per WETH/);
    // Neither the limit nor the later slices are what the price now comes to.
    expect(said({ ...limit, other: '6,900' })).toMatch(/^Now we would get 6,800\.00 USDC/);
    expect(said({ ...limit, mode: 'twap' })).toMatch(/^Now we would get/);
  });

  it('is warned of in dollars too: what a share comes to is not seen at a glance', () => {
    const told = { ...way, srcUsd: '1023529.06', worthUsd: '917083.03' } as QuotedWay;
    expect(plain(lossWords({ limitRaw: null }, told, shareText(10_400n)))).toBe(
      'This costs 10.4 %, $106,446.03, of what is given. Hedge less at once, or in slices.',
    );
  });

  it('comes part by part to what the whole is said to be', () => {
    const fees = { partner: null, percent: 0.01, gasUsd: null, bridgeUsd: null };
    const gas = { units: '150000', usd: '0.617' };
    const told = { ...way, srcUsd: '1023529.06', worthUsd: '917083.031', gas, fees } as QuotedWay;
    const parts = costParts(told);
    expect(plain(shareText(parts?.feeShare ?? 0n))).toBe('1.0 bps');
    // 106,446.03 less 0.62 of gas and 102.36 of fee.
    expect([parts?.fee, parts?.price].map((part) => part && dollarsText(part))).toEqual(['$102.36', '$106,343.05']);
    // An intent has gas and bridge in its price.
    const within = { partner: null, percent: null, gasUsd: '1.001', bridgeUsd: '2' };
    const intent = costParts({ ...told, gas: { units: null, usd: '0' }, fees: within });
    expect([intent?.fee, intent && dollarsText(intent.price)]).toEqual([null, '$106,443.02']);
    expect(costParts({ ...told, gas: { units: null, usd: null } })).toBeNull();
    expect(costParts({ ...told, worthUsd: null })).toBeNull();
  });

  it('a warning from one percent on, a question from five on', () => {
    expect([LOSS_TO_WARN, LOSS_TO_ASK].map((share) => plain(shareText(share)))).toEqual(['1.0 %', '5.0 %']);
  });
});

describe('the limit of an order', () => {
  const tokens = [weth, usdc];
  const said = (ticket: Ticket) =>
    plain(
      limitWords({ ticket, read: readTicket(ticket, tokens, venues), way, terms: { of: usdc, per: weth } }) ?? null,
    );
  const lossAt = (ticket: Ticket) => lossOf(ticket, readTicket(ticket, tokens, venues), way);

  it('is said as a price, with how far it is from the price now', () => {
    expect(said({ ...limit, other: '6,460' })).toBe(
      'At least 3,230.00 USDC per WETH: 5.0 % worse than the price now, it fills at once.',
    );
    expect(said({ ...limit, other: '7,480' })).toBe(
      'At least 3,740.00 USDC per WETH: it waits until the price is 10.0 % better than now.',
    );
    expect(said({ ...limit, side: 'BUY', other: '6,900' })).toContain('At most 3,450.00 USDC per WETH');
  });

  it('loses what it gives away against the price now, bought or sold', () => {
    expect(lossAt({ ...limit, other: '6,460' })).toBe(5_000n);
    expect(lossAt({ ...limit, other: '7,480' })).toBe(-10_000n);
    const buying = { ...limit, side: 'BUY' as const, other: '7,140' };
    const [read, bought] = [readTicket(buying, tokens, venues), { ...way, srcAmount: '6800000000' }];
    expect(lossOf(buying, read, bought)).toBe(5_000n);
  });

  it('needs no slippage: what was typed there before keeps nothing from being sent', () => {
    expect(readTicket({ ...limit, other: '6,460', slippage: 'x' }, tokens, venues).wish).not.toBeNull();
    expect(readTicket({ ...limit, mode: 'intent', slippage: 'x' }, tokens, venues).wish).toBeNull();
  });
});

describe('words', () => {
  it('a web page that came instead of an answer is read by its words', () => {
    expect(spoken('No JSON: <!doctype html><html><h1>502 Bad\nGateway</h1></html>')).toBe('No JSON: 502 Bad Gateway');
    expect(spoken('No JSON: {"price": <htm')).toBe('No JSON: {"price":');
    expect(['No route', 'It is closed.', ''].map(spokenWhole)).toEqual(['No route.', 'It is closed.', '']);
  });

  it('a result is cut towards the loss', () => {
    expect(['12.349', '-2.981', '0.001', '-0.001'].map((result) => signedText(result))).toEqual([
      ...['+12.34', '−2.99', '0.00', '−0.01'],
    ]);
  });

  it('an order that is filled in part says how much', () => {
    const row = { state: 'submitted', orderStatus: 'ACTIVE', held: false, side: 'SELL', amount: '900' } as HedgeRow;
    expect(plain(stateLook({ ...row, spent: '300', received: '1' }).word)).toBe('ACTIVE 33 %');
    expect(stateLook({ ...row, spent: '0', received: '0' }).word).toBe('ACTIVE');
  });

  it('what was entered by hand, and a correction of it, are told in whole sentences', () => {
    const entry = { spent: '10', received: '20', feeUsd: '1.2', where: 'Kraken', at: 0, note: 'by phone' };
    const said = (...steps: object[]) =>
      trackLines({
        src: { symbol: 'A', decimals: 0 },
        dest: { symbol: 'B', decimals: 0 },
        steps: steps.map((step) => ({ seq: 1, time: 0, step })),
      } as unknown as HedgeDetail).map(({ text }) => plain(text));
    expect(said({ step: 'entered', ...entry })).toEqual([
      'Done at Kraken, 1 Jan 00:00:00 UTC: gave 10 A, got 20 B. Extra fee $1.20. Note: “by phone”.',
    ]);
    const corrected = { ...entry, step: 'corrected', before: entry, reason: 'a slip' };
    expect(
      said(
        { ...corrected, received: '19', feeUsd: '0', note: '' },
        { ...corrected, where: 'Coinbase', at: 60_000 },
        { step: 'corrected', spent: '10', received: '19', feeUsd: '0.125', reason: 'as of before' },
      ),
    ).toEqual([
      'Corrected: gave 10 A, got 19 B. Extra fee $0.125. Why: as of before',
      'Corrected: gave 10 A, got 20 B. Extra fee $1.20. Done at Coinbase, not at Kraken. Done on 1 Jan 00:01:00 UTC, not on 1 Jan 00:00:00 UTC. Why: a slip',
      'Corrected: gave 10 A, got 19 B. The note is taken away. Why: a slip',
    ]);
  });

  it('why a hedge failed is said once', () => {
    const ended = { step: 'ended', outcome: 'failed', sentence: 'The service refused.' };
    const lines = (note: string | null) =>
      trackLines({ steps: [{ seq: 1, time: 0, step: ended }], note } as unknown as HedgeDetail).map(({ text }) => text);
    expect(lines('The service refused.')).toEqual(['Failed.']);
    expect(lines(null)).toEqual(['The service refused.']);
  });
});
