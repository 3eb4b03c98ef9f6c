import type { Database } from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type EventFilter,
  type EventRow,
  eventCsvLine,
  eventRowSchema,
  sentenceText,
} from '../../electron/contract/journal.ts';
import { findEvents } from '../../electron/desk/find-events.ts';
import { EVENT_BODIES, type EventKind, type NewEvent } from '../../electron/journal/events.ts';
import { extremeBody, type Named } from '../extreme-events.ts';
import { howOften } from '../how-often.ts';
import { type DirectJournal, openDirectly } from './fixture.ts';
import {
  addressOf,
  CHAIN,
  cancel,
  configured,
  fill,
  hashOf,
  quote,
  REFUSED,
  reverted,
  START,
} from './sample-events.ts';

const KINDS = Object.keys(EVENT_BODIES) as EventKind[];
const USER = addressOf('user 1');
const LIMITS = { maxQuote: {}, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0 };

const by = <K extends EventKind>(actor: string, kind: K, body: unknown, time = START + 10_000): NewEvent =>
  ({ time, actor, kind, body }) as unknown as NewEvent;
const published = (revision: number, bid: string, ask: string, actor = 'mara'): NewEvent =>
  by(actor, 'ladder_published', {
    chainId: CHAIN,
    pair: 'WETH/USDC',
    revision,
    baseRevision: revision - 1,
    ladder: { bids: [[bid, '1']], asks: [[ask, '2']] },
    ...(actor === 'follow' && { followed: { mid: '3400', bids: '-1', asks: '1' } }),
  });

/** What the page gets, read in small steps as a console would. */
async function found(
  { queries }: Pick<DirectJournal, 'queries'>,
  filter: EventFilter = {},
  { limit = 500, order = 'newest' as 'newest' | 'oldest' } = {},
): Promise<EventRow[]> {
  const rows: EventRow[] = [];
  const read = {
    eventsPart: async (...args: Parameters<typeof queries.eventsPart>) => queries.eventsPart(...args),
    logSpan: async (...args: Parameters<typeof queries.logSpan>) => queries.logSpan(...args),
  };
  for await (const part of findEvents(read, { filter, order, limit }, () => 0, undefined)) rows.push(...part.rows);
  return rows;
}

async function sentences(journal: DirectJournal, filter: EventFilter = {}): Promise<string[]> {
  return (await found(journal, filter)).map(sentenceText);
}

/** Writes a row past every check, as an earlier or a later program may have left it. */
function putRaw(
  db: Database,
  { kind, body, actor = 'desk', time = START }: { kind: string; body: string; actor?: string; time?: number },
): number {
  const next = (db.prepare('SELECT coalesce(max(seq), 0) + 1 FROM journal').pluck().get() ?? 1) as number;
  db.prepare(
    'INSERT INTO main.journal (seq, time, actor, kind, body, previous, hash) VALUES (?, ?, ?, ?, ?, zeroblob(32), zeroblob(32))',
  ).run(next, time, actor, kind, body);
  return next;
}

test('as comma-separated values an event is one line, and no text of it begins a formula', () => {
  const journal = openDirectly();
  const limits = { chainId: CHAIN, limits: { ...LIMITS, maxQuote: { WETH: '12000.5' } } };
  journal.write(
    configured(),
    by('=cmd', 'limits_set', limits),
    by('mara', 'trading_state', { scope: {}, state: 'HALTED', reason: 'a "b", c', until: null, cause: null }),
  );
  const rows = journal.queries.eventsPart({ filter: {}, order: 'oldest', from: 2, to: 3, limit: 9 }).rows;
  expect(rows.map(eventCsvLine)).toEqual([
    expect.stringMatching(/^2,[^,]*Z,limits_set,[^,]*,'=cmd,31337,,"set limits: .*12,000.5",\r\n$/),
    expect.stringMatching(/^3,[^,]*Z,trading_state,Stop or start,mara,,,"halted the desk: HALTED “a ""b"", c”",\r\n$/),
  ]);
});

describe('a sentence says what was before and what is now', () => {
  test('also where many rows of the same kind, of something else, were written since', async () => {
    const journal = openDirectly();
    const token = (id: string, name: string) => {
      const body = { symbol: id, name, address: addressOf(id), decimals: 18, type: 'ERC20' };
      return by('mara', 'token_saved', { chainId: CHAIN, tokenId: id, token: body });
    };
    const others = Array.from({ length: 6 }, (_, at) => token(`T${at}`, 'other'));
    journal.write(configured(), token('LINK', 'Chainlink'), ...others, token('LINK', 'Link'), token('WETH', 'Ether'));
    expect((await sentences(journal)).slice(0, 2)).toEqual([
      expect.stringMatching(/^saved the token WETH: .*name .* → Ether/),
      'saved the token LINK: name Chainlink → Link',
    ]);
  });

  test('of what is set of the whole desk, each by itself', async () => {
    const journal = openDirectly();
    journal.write(
      configured(),
      by('mara', 'desk_set', { deadManMinutes: 30 }),
      by('mara', 'desk_set', { lockAfterMinutes: 5, surfaceNames: ['desk.example'] }),
      by('mara', 'desk_set', { deadManMinutes: null }),
      by('mara', 'desk_set', { deadManMinutes: null }),
    );
    expect((await sentences(journal)).slice(0, 4)).toEqual([
      'set the desk as it was',
      'set the desk: dead man minutes 30 → none',
      'set the desk: surface names none → ["desk.example"], lock after minutes none → 5',
      'set the desk: dead man minutes none → 30',
    ]);
  });

  test('of ladders, limits, takers, tokens, following and stops', async () => {
    const journal = openDirectly();
    const [a, b] = [addressOf('taker a'), addressOf('taker b')];
    const token = { symbol: 'LINK', name: 'Chainlink', address: addressOf('LINK'), decimals: 18, type: 'ERC20' };
    const written = journal.write(
      configured({ takers: [a] }),
      published(2, '3396.98', '3412.5'),
      by('mara', 'limits_set', { chainId: CHAIN, limits: { ...LIMITS, maxQuote: { WETH: '10' } } }),
      by('mara', 'limits_set', {
        chainId: CHAIN,
        limits: { ...LIMITS, maxQuote: { WETH: '12000.5' }, ladderMaxAgeSeconds: 30 },
      }),
      by('mara', 'takers_set', { chainId: CHAIN, takers: [a, b], reason: 'the new router' }),
      by('mara', 'token_saved', { chainId: CHAIN, tokenId: 'LINK', token }),
      by('mara', 'token_saved', { chainId: CHAIN, tokenId: 'LINK', token: { ...token, name: 'Link' } }),
      by('mara', 'follow_set', { chainId: CHAIN, pair: 'WETH/USDC', on: true }),
      by('mara', 'trading_state', {
        scope: { chainId: CHAIN },
        state: 'LIVE',
        reason: 'checked',
        until: null,
        cause: null,
      }),
      by('desk', 'trading_state', {
        scope: { chainId: CHAIN },
        state: 'HALTED',
        reason: null,
        until: null,
        cause: 'drift',
      }),
    );
    expect(written.every((seq) => typeof seq === 'number')).toBe(true);
    const short = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`;
    expect(await sentences(journal)).toEqual([
      'halted the chain: LIVE → HALTED, by itself: “drift”',
      'resumed the chain: LIVE “checked”',
      'following the reference: off → on',
      'saved the token LINK: name Chainlink → Link',
      expect.stringMatching(/^added the token LINK: symbol LINK, name Chainlink, address 0x/),
      `added ${short(b)}, takers 1 → 2 “the new router”`,
      'set limits: at most in one quote WETH 10 → 12,000.5, Close a ladder older than, seconds never → 30',
      'set limits: at most in one quote WETH no limit → 10',
      'published revision 2: we buy 3,400 → 3,396.98, spread 36.6 bps → 45.5 bps',
      'imported a desk file: 1 chain, 3 tokens, 2 pairs, 1 counterparty',
    ]);
  });

  test('of ladders that moved with the reference, a row for all of a tick', async () => {
    const journal = openDirectly();
    const ladder = { bids: [['0.99', '5']], asks: [['1.01', '5']] };
    const pairs = Object.fromEntries(
      ['WETH', 'DAI', 'A', 'B', 'C'].map((base) => [`${base}/USDC`, { base, quote: 'USDC', liquidityUSD: 1 }]),
    );
    const prices = Object.fromEntries(Object.keys(pairs).map((pair) => [pair, ladder]));
    const names = Object.keys(pairs);
    const moved = (...moves: [string, number, string][]) => by('follow', 'ladders_moved', { chainId: CHAIN, moves });
    const written = journal.write(
      configured({ pairs, prices }),
      moved(['WETH/USDC', 2, '1.02']),
      moved(['WETH/USDC', 3, '1.02'], ['DAI/USDC', 2, '1.5']),
      moved(...names.slice(1).map((pair): [string, number, string] => [pair, pair === 'DAI/USDC' ? 3 : 2, '1'])),
    );
    expect(written).toEqual([1, 2, 3, 4]);
    const pushed = by('prices:alpha', 'ladders_moved', { chainId: CHAIN, moves: [['C/USDC', 3, '1.5']] });
    expect(journal.write(pushed)).toEqual([5]);
    expect((await sentences(journal)).slice(0, 4)).toEqual([
      'r3: we buy 0.99 → 1.49, we sell 1.01 → 1.51, spread 200 bps → 133.3 bps',
      'DAI/USDC r3: we buy 1.49 → 0.99, we sell 1.51 → 1.01, spread 133.3 bps → 200 bps; A/USDC r2: as it was; B/USDC r2: as it was; and 1 pair more',
      'WETH/USDC r3: as it was; DAI/USDC r2: we buy 0.99 → 1.49, we sell 1.01 → 1.51, spread 200 bps → 133.3 bps',
      'r2: we buy 0.99 → 1.01, we sell 1.01 → 1.03, spread 200 bps → 196 bps',
    ]);
    const rowsOf = async (pair: string) =>
      (await found(journal, { pair, kinds: ['ladders_moved'] })).map((row) => [row.seq, row.pair]);
    expect(await rowsOf('WETH/USDC')).toEqual([
      [3, null],
      [2, 'WETH/USDC'],
    ]);
    expect(await rowsOf('C/USDC')).toEqual([
      [5, 'C/USDC'],
      [4, null],
    ]);
    expect((await found(journal, { words: 'c/usdc moved' })).map(({ seq }) => seq)).toEqual([5, 4]);
  });

  test('of names: given, changed and taken away, with the address or the domain always there', async () => {
    const journal = openDirectly();
    const user = { of: 'user', id: USER };
    journal.write(
      by('mara', 'name_given', { ...user, before: null, name: 'Abel' }),
      by('theo', 'name_given', { ...user, before: 'Abel', name: 'שלום' }),
      by('mara', 'name_given', { ...user, before: 'שלום', name: null }),
      by('mara', 'name_given', { of: 'counterparty', id: 'solver.example', before: null, name: 'Solver' }),
    );
    const short = `${USER.slice(0, 6)}…${USER.slice(-4)}`;
    expect(await sentences(journal)).toEqual([
      'named counterparty solver.example Solver',
      `took the name away from user ${short}: שלום`,
      `renamed user ${short} Abel → שלום`,
      `named user ${short} Abel`,
    ]);
    expect((await found(journal, { actor: { name: 'theo' } })).map(({ name }) => name)).toEqual(['Name given']);
    expect(await sentences(journal, { words: 'abel' })).toHaveLength(2);
  });

  test('of quotes and what became of them, with a way to their own pages', async () => {
    const journal = openDirectly();
    journal.write(configured(), quote(1), quote(2, REFUSED), fill(1, 0));
    journal.write(reverted(4, 1), cancel(1, 7));
    const rows = await found(journal, { kinds: KINDS });
    expect(rows.map(({ name, pair, about }) => [name, pair, about])).toEqual([
      ['Order cancelled', 'WETH/USDC', { quote: 2 }],
      ['Taken back', 'WETH/USDC', { quote: 2 }],
      ['Fill', 'WETH/USDC', { quote: 2, fill: 4 }],
      ['Quote', expect.anything(), { quote: 3 }],
      ['Quote', 'WETH/USDC', { quote: 2 }],
      ['Desk file imported', null, {}],
    ]);
    expect(sentenceText(rows[4] as EventRow)).toMatch(/^signed: we give [\d.,…]+ WETH for [\d.,…]+ USDC to 0x/);
    expect(sentenceText(rows[3] as EventRow)).toMatch(/^refused .*“.+”$/);
    const amounts = rows.flatMap(({ sentence }) => sentence.flatMap(({ amount }) => amount?.symbol ?? []));
    expect(amounts.slice(0, 2)).toEqual(['WETH', 'USDC']);
    expect(rows[4]?.sentence.flatMap(({ amount }) => amount ?? [])).toEqual([
      { raw: expect.stringMatching(/^\d+$/), decimals: 18, symbol: 'WETH' },
      { raw: expect.stringMatching(/^\d+$/), decimals: 6, symbol: 'USDC' },
    ]);
  });
});

test('a user stands in sentences by the name that people gave them, beside the address', async () => {
  const journal = openDirectly();
  journal.write(
    configured(),
    quote(1),
    by('paul', 'blacklist_added', { chainId: CHAIN, address: addressOf('user 1'), reason: 'slow', until: null }),
    by('paul', 'blacklist_removed', { chainId: CHAIN, address: addressOf('user 1'), reason: null }),
    by('paul', 'blacklist_added', { chainId: CHAIN, address: addressOf('user 2'), reason: null, until: null }),
    by('mara', 'name_given', { of: 'user', id: addressOf('user 1'), before: null, name: 'Abel' }),
  );
  const [, other, removed, added, quoted] = (await found(journal, { kinds: KINDS })).map((row) => sentenceText(row));
  const short = addressOf('user 1').replace(/^(.{6}).*(.{4})$/, '$1…$2');
  expect(added).toBe(`blacklisted Abel ${short} “slow”`);
  expect(removed).toBe(`took Abel ${short} off the blacklist`);
  expect(quoted).toMatch(new RegExp(` to Abel ${short}$`));
  expect(other).not.toContain('Abel');
  expect(await found(journal, { words: 'abel', kinds: ['quote'] }), 'and is found by it').toHaveLength(1);
});

describe('a filter', () => {
  function desk(): DirectJournal {
    const journal = openDirectly();
    journal.write(
      configured(),
      quote(1),
      published(2, '3399', '3413'),
      published(3, '3399.5', '3413.5', 'follow'),
      by('mara', 'limits_set', { chainId: CHAIN, limits: LIMITS }),
      by('mara', 'follow_set', { chainId: CHAIN, pair: 'DAI/USDC', on: true }),
      by('paul', 'blacklist_added', { chainId: CHAIN, address: USER, reason: 'picks us off', until: null }),
      by('mara', 'token_removed', { chainId: CHAIN, tokenId: 'DAI' }),
    );
    return journal;
  }
  const kindsOf = async (filter: EventFilter) => (await found(desk(), filter)).map(({ kind }) => kind);

  test('lets quotes through only where they are asked for', async () => {
    expect(await kindsOf({})).not.toContain('quote');
    expect(await kindsOf({ kinds: ['quote'] })).toEqual(['quote']);
    expect(await kindsOf({ kinds: ['quote', 'limits_set'] })).toEqual(['limits_set', 'quote']);
  });

  test('of a pair is everything that changed it: its own events, those of its tokens, its chain and the desk', async () => {
    expect(await kindsOf({ pair: 'WETH/USDC' })).toEqual([
      'limits_set',
      'ladder_published',
      'ladder_published',
      'desk_configured',
    ]);
    expect(await kindsOf({ pair: 'DAI/USDC' })).toEqual([
      'token_removed',
      'follow_set',
      'limits_set',
      'desk_configured',
    ]);
    expect(await kindsOf({ pair: 'WETH/USDC', chainId: 1 })).toEqual(['desk_configured']);
  });

  test('of people leaves out what the program did by itself, and a name is that name', async () => {
    expect(await kindsOf({ actor: { people: true }, pair: 'WETH/USDC' })).toEqual([
      'limits_set',
      'ladder_published',
      'desk_configured',
    ]);
    expect(await kindsOf({ actor: { name: 'paul' } })).toEqual(['blacklist_added']);
  });

  test('of words looks in sentence, names and fields, in any case, and knows a hash as the screen shortens it', async () => {
    expect(await kindsOf({ words: 'PICKS us' })).toEqual(['blacklist_added']);
    expect(await kindsOf({ words: `${USER.slice(0, 6)}…${USER.slice(-4)}` })).toEqual(['blacklist_added']);
    expect(await kindsOf({ words: `${USER.slice(0, 6)}…0000` })).toEqual([]);
    expect(await kindsOf({ words: '3,399.5' })).toEqual(['ladder_published']);
    expect(await kindsOf({ words: 'follow revision' })).toContain('ladder_published');
  });

  test('of a whole hash or address looks in the rows themselves, in any case, quotes among them', async () => {
    const journal = openDirectly();
    journal.write(
      configured(),
      quote(1),
      quote(2),
      fill(1, 1),
      by('mara', 'takers_set', {
        chainId: CHAIN,
        takers: [USER],
        reason: `was ${hashOf('order 2').toUpperCase().replace('0X', '0x')}`,
      }),
    );
    const seqsOf = async (words: string) => (await found(journal, { words, kinds: KINDS })).map(({ seq }) => seq);
    expect(await seqsOf(hashOf('order 1'))).toEqual([4, 2]);
    expect(await seqsOf(hashOf('order 2'))).toEqual([5, 3]);
    expect(await seqsOf(`${hashOf('order 1').toUpperCase().replace('0X', '0x')} fill`)).toEqual([4]);
    expect(await seqsOf(addressOf('user 2'))).toEqual([3]);
    expect(await seqsOf(hashOf('order 3'))).toEqual([]);
  });

  test('of a time ends where it says', async () => {
    expect(await kindsOf({ until: START })).toEqual(['desk_configured']);
    expect(await kindsOf({ since: START + 20_000 })).toEqual([]);
  });

  test('gives the same rows page by page, oldest first too, however small the pages are', async () => {
    const journal = desk();
    const whole = (await found(journal)).map(({ seq }) => seq);
    expect((await found(journal, {}, { order: 'oldest' })).map(({ seq }) => seq)).toEqual(whole.toReversed());
    const paged: number[] = [];
    for (let to = 8; to >= 1; ) {
      const part = journal.queries.eventsPart({ filter: {}, order: 'newest', from: 1, to, limit: 2 });
      paged.push(...part.rows.map(({ seq }) => seq));
      to = part.at - 1;
    }
    expect(paged).toEqual(whole);
  });
});

test('among very many quotes the other events are read from their own index, none of the quotes is', () => {
  const journal = openDirectly();
  journal.write(configured());
  const plan = journal.db
    .prepare(
      "EXPLAIN QUERY PLAN SELECT seq FROM main.journal INDEXED BY journal_beside_quotes WHERE kind <> 'quote' AND kind = ? AND seq < ? ORDER BY seq DESC LIMIT 5",
    )
    .all('limits_set', 9) as { detail: string }[];
  expect(plan.map(({ detail }) => detail).join()).toMatch(
    /SEARCH main.journal USING COVERING INDEX journal_beside_quotes \(kind=\? AND seq<\?\)/,
  );
});

describe('one event whole', () => {
  test('has every field by its path, and says whether it still is what was written', async () => {
    const journal = openDirectly();
    journal.write(configured(), published(2, '3399', '3413'));
    const event = journal.queries.eventAt(2);
    expect(event).toMatchObject({ holds: true, more: 0, row: { seq: 2, kind: 'ladder_published' } });
    expect(event?.fields).toContainEqual({ path: 'ladder.bids[0][0]', value: '3399' });
    expect(event?.previous).toBe(journal.queries.eventAt(1)?.hash);
    expect(journal.queries.eventAt(3)).toBeUndefined();
    journal.db.prepare("UPDATE main.journal SET body = replace(body, '3399', '3398') WHERE seq = 2").run();
    expect(journal.queries.eventAt(2)?.holds).toBe(false);
  });

  test('of very many fields says how many were left out', () => {
    const journal = openDirectly();
    const seq = putRaw(journal.db, {
      kind: 'quotes_expired',
      body: JSON.stringify({ chainId: 1, quoteSeqs: Array.from({ length: 5_000 }, (_, at) => at) }),
    });
    const event = journal.queries.eventAt(seq);
    expect((event?.fields.length ?? 0) + (event?.more ?? 0)).toBe(5_001);
  });
});

describe('whatever a row holds, it takes no other along', () => {
  test.each(['{"chainId":31337', '{}', '[]', 'null', '{"chainId":-1,"pair":7,"ladder":null}'])(
    'spoilt as %s',
    async (body) => {
      const journal = openDirectly();
      journal.write(configured(), published(2, '3399', '3413'), published(3, '3400', '3413'));
      journal.db.prepare('UPDATE main.journal SET body = ? WHERE seq = 2').run(body);
      const rows = await found(journal);
      expect(rows.map(({ seq, unreadable }) => [seq, unreadable === undefined])).toEqual([
        [3, true],
        [2, false],
        [1, true],
      ]);
      expect(sentenceText(rows[0] as EventRow), 'nothing is known of before').toMatch(
        /^published revision 3: we buy 3,400, we sell/,
      );
      expect(journal.queries.eventAt(2)?.row.unreadable).toEqual(expect.any(String));
    },
  );

  test('a kind that this program does not know is listed and can be asked for', async () => {
    const journal = openDirectly();
    journal.write(configured());
    putRaw(journal.db, { kind: 'moon_phase', body: '{"full":true}' });
    expect((await found(journal)).map(({ name }) => name)).toEqual(['moon_phase', 'Desk file imported']);
    expect(await sentences(journal, { kinds: ['moon_phase'] })).toEqual(['an event that this program does not know']);
    expect(journal.queries.eventKinds().map(({ kind }) => kind)).toContain('moon_phase');
  });

  test('every kind of event has a sentence, whatever its schema allows', async () => {
    const named: Named = {
      chainId: fc.constantFrom(CHAIN, 1),
      pair: fc.constantFrom('WETH/USDC', '\u202Eobmuj', '=1+1', 'x'.repeat(64)),
      makerAsset: fc.constantFrom(addressOf('WETH'), addressOf('not listed')),
      quoteSeq: fc.integer({ min: 1, max: 40 }),
      hedgeSeq: fc.integer({ min: 1, max: 40 }),
      eventSeq: fc.integer({ min: 1, max: 40 }),
      orderHash: fc.constantFrom(hashOf('order 1'), '', 'b'.repeat(500)),
    };
    const bodies = fc.tuple(
      ...KINDS.map((kind) => extremeBody(kind, named).map((body) => ({ kind, body: JSON.stringify(body) }))),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(bodies, { minLength: 2, maxLength: 3 }), async (rounds) => {
        const journal = openDirectly();
        journal.write(configured());
        for (const event of rounds.flat()) putRaw(journal.db, event);
        const rows = await found(journal, { kinds: KINDS });
        expect(rows).toHaveLength(1 + rounds.length * KINDS.length);
        for (const row of rows) {
          eventRowSchema.parse(row);
          const text = sentenceText(row);
          expect(row.unreadable, `${row.kind} ${text}`).toBeUndefined();
          expect(text.length, row.kind).toBeGreaterThan(0);
          expect(text.length, text).toBeLessThan(1_500);
          expect(text).not.toMatch(/[\p{Cc}\p{Bidi_Control}]|undefined|\[object/u);
          expect(eventCsvLine(row).split('\r\n')).toHaveLength(2);
          expect(journal.queries.eventAt(row.seq)?.fields.length).toBeGreaterThan(0);
        }
        journal.db.close();
      }),
      { numRuns: howOften(1, 6), endOnFailure: true },
    );
  });
});
