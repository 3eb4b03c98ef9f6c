import { describe, expect, test } from 'vitest';
import type { PairRow } from '../../electron/contract/book.ts';
import type { ExposureRow } from '../../electron/contract/desk-view.ts';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { readEnd } from '../../renderer/pages/blacklist/blacklist-terms.tsx';
import { referenceTone } from '../../renderer/pages/desk/mid-to-reference.ts';
import { isQuoted, quotingOf } from '../../renderer/pages/desk/quoting-of.ts';
import { matches, readSearch } from '../../renderer/pages/firm-log/log-filter.ts';
import { applyUpdate, findPair, tokenKey, UNHEARD } from '../../renderer/state/live-desk.ts';
import { mergeRows } from '../../renderer/state/merge-rows.ts';

const pair = (name: string, change: Partial<PairRow> = {}): PairRow => ({
  chainId: 1,
  pair: name,
  base: 'WETH',
  quote: 'USDC',
  bestBid: '1',
  bestBidAmount: '1',
  bestAsk: '2',
  bestAskAmount: '1',
  spreadTenthBps: 1,
  revision: 1,
  publishedAt: 0,
  publishedBy: 'x',
  retiredUntil: null,
  fault: null,
  switches: { pair: true, bids: true, asks: true },
  today: { signed: 0, refused: 0, filled: 0 },
  ...change,
});
const quote = (seq: number, change: Partial<QuoteRow> = {}): QuoteRow => ({
  seq,
  time: '2026-11-20T12:00:00.000Z',
  chainId: 1,
  pair: 'WETH/USDC',
  side: 'bids',
  userAddress: `0x${'1'.repeat(40)}`,
  takerAddress: `0x${'2'.repeat(40)}`,
  makerAsset: `0x${'3'.repeat(40)}`,
  takerAsset: `0x${'4'.repeat(40)}`,
  makerAmount: '1',
  takerAmount: '1',
  orderHash: null,
  state: 'live',
  code: null,
  ladderRevision: 1,
  latencyMs: 1,
  expiry: 1,
  filledMakerAmount: '0',
  filledTakerAmount: '0',
  edgeTenthBps: null,
  outcome: 'open',
  transactions: [],
  ...change,
});

describe('the live view', () => {
  const first = applyUpdate(
    UNHEARD,
    { time: 5_000, actor: 'Trader 1', whole: true, pairs: [pair('A/B'), pair('C/D')] },
    4_000,
  );

  test('keeps what an update does not name, and the identity of rows that did not change', () => {
    const next = applyUpdate(first, { time: 6_000, actor: 'Trader 1', pairs: [pair('C/D', { revision: 2 })] }, 6_000);
    expect(next.pairs.map((row) => [row.pair, row.revision])).toEqual([
      ['A/B', 1],
      ['C/D', 2],
    ]);
    expect(next.pairs[0]).toBe(first.pairs[0]);
    expect(next.chains).toBe(first.chains);
    expect(next.listed).toBe(first.listed);
    expect([first.skewMs, next.skewMs]).toEqual([1_000, 0]);
  });

  test('takes rows out and puts new ones behind, and a whole update replaces all', () => {
    const removed = { chainId: 1, pair: 'A/B' };
    const next = applyUpdate(first, { time: 0, actor: '', removedPairs: [removed], pairs: [pair('E/F')] }, 0);
    expect(next.pairs.map((row) => row.pair)).toEqual(['C/D', 'E/F']);
    expect(
      applyUpdate(next, { time: 0, actor: '', whole: true, pairs: [pair('X/Y')] }, 0).pairs.map((row) => row.pair),
    ).toEqual(['X/Y']);
  });

  test('finds each row in its place, whatever changed, came or went since', () => {
    const row = (view: typeof first, name: string) => findPair(view.pairs, 1, name)?.revision;
    const changed = applyUpdate(first, { time: 0, actor: '', pairs: [pair('C/D', { revision: 2 })] }, 0);
    expect([row(first, 'C/D'), row(changed, 'A/B'), row(changed, 'C/D')]).toEqual([1, 1, 2]);
    const removedPairs = [{ chainId: 1, pair: 'A/B' }];
    const removed = applyUpdate(changed, { time: 0, actor: '', removedPairs, pairs: [pair('E/F')] }, 0);
    expect(['A/B', 'C/D', 'E/F', 'G/H'].map((name) => row(removed, name))).toEqual([undefined, 2, 1, undefined]);
    const arrived = applyUpdate(removed, { time: 0, actor: '', pairs: [pair('G/H', { revision: 7 })] }, 0);
    expect(['C/D', 'E/F', 'G/H'].map((name) => row(arrived, name))).toEqual([2, 1, 7]);
  });
});

describe('tokens', () => {
  const row = (tokenId: string, live: string): ExposureRow => ({
    chainId: 1,
    tokenId,
    address: `0x${'a'.repeat(40)}`,
    decimals: 6,
    live,
    quotes: 0,
    zeroAt: null,
    balance: null,
    allowance: null,
  });

  test('are known by address from the live exposure, and stay the same while only amounts change', () => {
    const first = applyUpdate(UNHEARD, { time: 0, actor: '', whole: true, exposure: [row('USDC', '0')] }, 0);
    expect(first.tokens.get(tokenKey(1, `0x${'a'.repeat(40)}`))).toEqual({ symbol: 'USDC', decimals: 6 });
    const next = applyUpdate(first, { time: 0, actor: '', exposure: [row('USDC', '5')] }, 0);
    expect(next.tokens).toBe(first.tokens);
    const renamed = applyUpdate(next, { time: 0, actor: '', exposure: [row('USDX', '5')] }, 0);
    expect([...renamed.tokens.values()].map(({ symbol }) => symbol)).toEqual(['USDX']);
  });
});

describe('rows of the log', () => {
  test('change in place and come in by their number, newest first', () => {
    const rows = mergeRows([quote(5), quote(3)], [quote(3, { state: 'filled' }), quote(6), quote(4)], {
      atMost: 3,
      insert: true,
    });
    expect(rows.map(({ seq, state }) => [seq, state])).toEqual([
      [6, 'live'],
      [5, 'live'],
      [4, 'live'],
    ]);
    const inPlace = mergeRows([quote(5), quote(3)], [quote(3, { state: 'filled' }), quote(6)], {
      atMost: 9,
      insert: false,
    });
    expect(inPlace.map(({ seq, state }) => [seq, state])).toEqual([
      [5, 'live'],
      [3, 'filled'],
    ]);
  });

  test('a search knows hashes, users, pairs in any spelling and codes, and says when it knows nothing', () => {
    const pairs = ['WETH/USDC'];
    const filterOf = (text: string) => readSearch(text, { pairs, tokens: [], given: [] });
    expect(filterOf(`0x${'AB'.repeat(32)}`)).toEqual({ kind: 'filter', filter: { orderHash: `0x${'ab'.repeat(32)}` } });
    expect(filterOf(`0x${'AB'.repeat(20)}`)).toEqual({ kind: 'filter', filter: { user: `0x${'ab'.repeat(20)}` } });
    expect(filterOf(' weth usdc')).toEqual({ kind: 'filter', filter: { pair: 'WETH/USDC' } });
    expect(filterOf('user_rate')).toEqual({ kind: 'filter', filter: { code: 'user_rate' } });
    expect(filterOf('').kind).toBe('nothing');
    expect(filterOf('0x12').kind).toBe('unknown');
    expect(filterOf('toString').kind).toBe('unknown');
  });

  test('a row that arrives is shown only where the filter lets it', () => {
    expect(matches(quote(1), {})).toBe(true);
    expect(matches(quote(1), { outcome: 'refused' })).toBe(false);
    expect(matches(quote(1), { since: Date.parse('2026-11-20T12:00:01Z') })).toBe(false);
    expect(matches(quote(1), { side: 'bids', pair: 'WETH/USDC', chainId: 1 })).toBe(true);
  });
});

describe('what a pair quotes', () => {
  test('is told by its most serious cause', () => {
    expect(quotingOf(pair('A/B'), 'LIVE', null).word).toBe('both');
    expect(quotingOf(pair('A/B', { bestAsk: null }), 'LIVE', null).word).toBe('bids only');
    expect(quotingOf(pair('A/B', { switches: { pair: true, bids: false, asks: true } }), 'LIVE', null).word).toBe(
      'asks only',
    );
    expect(quotingOf(pair('A/B', { fault: 'crossed' }), 'HALTED', 'chain_unseen').word).toBe('set aside');
    expect(quotingOf(pair('A/B'), 'LIVE', 'chain_unseen').word).toBe('closed');
    const off = { bids: null, asks: { kind: 'through' as const, tenthBps: 224, closed: true } };
    const lost = pair('A/B', { offReference: off });
    expect(quotingOf(lost, 'LIVE', null)).toMatchObject({ word: 'bids only', tone: 'stop' });
    expect([isQuoted(lost, 'LIVE', null, 'bids'), isQuoted(lost, 'LIVE', null, 'asks')]).toEqual([true, false]);
    expect([referenceTone(lost), referenceTone(pair('A/B'))]).toEqual(['stop', 'muted']);
    expect(quotingOf(pair('A/B'), 'DRAIN', null).word).toBe('drain');
    expect(quotingOf(pair('A/B'), 'HALTED', null).word).toBe('off');
  });

  test('is nobody’s while the service skips it, unless something worse is to be told', () => {
    const skipped = 'The service probably skips A/B until 12:15 UTC.';
    expect(quotingOf(pair('A/B', { skipped }), 'LIVE', null)).toMatchObject({
      word: 'skipped',
      shape: 'look',
      why: skipped,
    });
    expect(quotingOf(pair('A/B', { skipped }), 'LIVE', 'chain_unseen').word).toBe('closed');
    expect(quotingOf(pair('A/B', { skipped }), 'HALTED', null).word).toBe('off');
  });

  test('is nothing, and says why, where what it would pay is not covered', () => {
    const why = 'USDC is not approved for the RFQ contract.';
    const none = pair('A/B', { unquoted: { bids: why, asks: 'WETH is not approved for the RFQ contract.' } });
    expect(quotingOf(none, 'LIVE', null)).toMatchObject({ word: 'nothing', tone: 'stop' });
    expect(quotingOf(none, 'LIVE', null).why).toContain(why);
    expect([isQuoted(none, 'LIVE', null, 'bids'), isQuoted(none, 'LIVE', null, 'asks')]).toEqual([false, false]);
    const one = pair('A/B', { unquoted: { bids: why, asks: null } });
    expect(quotingOf(one, 'LIVE', null)).toMatchObject({ word: 'asks only', tone: 'attn', why });
    expect(quotingOf(pair('A/B', { unquoted: { bids: null, asks: null } }), 'LIVE', null).word).toBe('both');
  });

  test('is no price where a switch, the guard or a retirement stands against it', () => {
    expect(isQuoted(pair('A/B'), 'LIVE', null, 'bids')).toBe(true);
    expect(isQuoted(pair('A/B', { switches: { pair: true, bids: false, asks: true } }), 'LIVE', null, 'bids')).toBe(
      false,
    );
    expect(isQuoted(pair('A/B', { retiredUntil: 5 }), 'LIVE', null, 'asks')).toBe(false);
    expect(isQuoted(pair('A/B'), 'LIVE', 'ladder_stale', 'asks')).toBe(false);
  });
});

describe('the end of a blacklist entry', () => {
  const now = Date.UTC(2026, 10, 20, 12);

  test('is a span, a day, a time, or never', () => {
    expect(readEnd('24 h', now)).toEqual({ kind: 'at', time: now + 86_400_000 });
    expect(readEnd('30min', now)).toEqual({ kind: 'at', time: now + 1_800_000 });
    expect(readEnd('2026-12-24 18:00', now)).toEqual({ kind: 'at', time: Date.UTC(2026, 11, 24, 18) });
    expect(readEnd(' ', now)).toEqual({ kind: 'never' });
  });

  test('is refused when it is over or cannot be read', () => {
    expect(readEnd('2026-11-20 11:59', now).kind).toBe('wrong');
    expect(readEnd('tomorrow', now).kind).toBe('wrong');
    expect(readEnd('2026-13-45', now).kind).toBe('wrong');
  });
});
