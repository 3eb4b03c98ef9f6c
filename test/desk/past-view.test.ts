import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { addAt, addDiff } from '../../electron/commands/past.ts';
import { formulaOf } from '../../electron/contract/formula.ts';
import type {
  ChangedCell,
  Moment,
  PastDeskView,
  PastDiffPart,
  PastPair,
  PastToken,
} from '../../electron/contract/past.ts';
import { type PairFollowing, pairRows } from '../../electron/desk/pair-rows.ts';
import { PastReader } from '../../electron/desk/past-reader.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { CHAIN } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { openTestJournal, temporaryFolder } from '../journal/fixture.ts';
import { configured, quote, REFUSED, CHAIN as SAMPLE_CHAIN, START } from '../journal/sample-events.ts';
import { ETHER, happens, type OpenDesk, person, seen, TAKER } from '../quoting/open-desk.ts';
import { FORMULA, happen, openForSession, type Step, session } from '../quoting/session.ts';
import { commandsHere } from './commands-here.ts';
import { runCommand } from './desk-process.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';
const RULE = {
  name: 'flow',
  counts: 'signed',
  per: 'pair',
  windowSeconds: 60,
  limit: '4',
  freezeSeconds: 300,
} as const;

/** What may also happen: the chain tells of orders, a node is silent for long, pairs leave and come back, stops of other sorts. */
type Also =
  | { do: 'fill'; which: number; percent: number; own: boolean }
  | { do: 'cancel'; which: number }
  | { do: 'take back' }
  | { do: 'silence'; milliseconds: number }
  | { do: 'drain'; scope: 'chain' | 'pair' }
  | { do: 'retire' | 'list' | 'import' | 'acknowledge' | 'protect' };

const also: fc.Arbitrary<Also> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('fill' as const),
      which: fc.nat(40),
      percent: fc.constantFrom(1, 40, 100),
      own: fc.constant(true),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel' as const), which: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.constant({ do: 'take back' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('silence' as const), milliseconds: fc.constantFrom(30_000, 400_000) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('drain' as const),
      scope: fc.constantFrom('chain' as const, 'pair' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'retire' as const,
        'list' as const,
        'import' as const,
        'acknowledge' as const,
        'protect' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'fill' as const, which: 0, percent: 100, own: false }) },
);
const day = fc.tuple(
  session.chain((steps) => session.map((more) => [...steps, ...more])),
  fc.array(fc.tuple(fc.nat(1_000), also), { minLength: 8, maxLength: 24 }),
  fc.array(fc.nat(1_000), { minLength: 5, maxLength: 5 }),
);

const NAMED = { of: 'user', id: TAKER, before: null, name: 'somebody' } as const;

type Recorded = { row: number; time: number; live: ReturnType<typeof liveOf> };
type Happened = { seq: number; orderHash: string };

/** What a console shows of the desk, as far as the journal tells it. */
function liveOf(desk: OpenDesk) {
  const { guard, book } = desk;
  const { state, actor, since } = guard.status();
  const chains = book.chains();
  const following = {
    referenceOf: () => null,
    references: book.references,
    now: desk.now(),
    followers: { of: () => ({ followers: new Map() }) },
  } as unknown as PairFollowing;
  const rows = chains.flatMap((chain) =>
    pairRows(chain, guard, { today: () => undefined, draftCells: () => 0 }, following),
  );
  return {
    desk: { state, actor, since },
    chains: chains.map(({ chainId, config }) => ({
      chainId,
      name: config.name,
      state: guard.trading.stateOf({ chainId }),
    })),
    pairs: rows.map(
      ({
        chainId,
        pair,
        base,
        quote,
        revision,
        publishedAt,
        publishedBy,
        spreadTenthBps,
        switches,
        retiredUntil,
        fault,
      }) => ({
        chainId,
        pair,
        base,
        quote,
        revision,
        publishedAt,
        publishedBy,
        spreadTenthBps,
        switches,
        retiredUntil,
        fault,
        state: guard.trading.states.ofPair(chainId, pair),
        ladder: book.chain(chainId)?.pairs.get(pair)?.ladder.ladder,
        followed: book.chain(chainId)?.pairs.get(pair)?.ladder.followed,
        formula: formulaOf(book.chain(chainId)?.config ?? {}, pair) ?? undefined,
      }),
    ),
    exposure: guard.orders.rows().map(({ chainId, tokenId, decimals, live, quotes, zeroAt }) => ({
      chainId,
      tokenId,
      decimals,
      live,
      quotes,
      zeroAt,
    })),
    alarms: alarmsOf(desk),
    trips: guard.protections.standing().length,
    stops: guard.trading.states.all().filter((said) => said.state !== 'LIVE').length,
  };
}

type Whole = { desk: PastDeskView; pairs: readonly PastPair[]; tokens: readonly PastToken[] };

/** The same of a moment of the past. */
function pastOf({ desk, pairs, tokens }: Whole): ReturnType<typeof liveOf> {
  const of = (kind: PastDeskView['alerts'][number]['kind']) => desk.alerts.filter((alert) => alert.kind === kind);
  const { state, actor, since } = desk.desk;
  return {
    desk: { state, actor, since: since ?? -1 },
    chains: desk.chains.map(({ chainId, name, state }) => ({ chainId, name, state })),
    pairs: pairs.map(({ asked: _, ...pair }) => ({ ...pair, followed: pair.followed, formula: pair.formula })),
    exposure: tokens.map(({ held: _, ...token }) => token),
    alarms: of('alarm')
      .map(({ event }) => event.seq)
      .sort((a, b) => a - b),
    trips: of('protection').length,
    stops: of('stop').length,
  };
}

async function ask(reader: PastReader, moment: Moment): Promise<Whole> {
  const whole = { desk: undefined as PastDeskView | undefined, pairs: [] as PastPair[], tokens: [] as PastToken[] };
  for await (const part of reader.ask({ ask: 'at', moment }, undefined)) {
    if (part.part === 'desk') whole.desk = part.desk;
    else if (part.part === 'pairs') whole.pairs.push(...part.pairs);
    else if (part.part === 'tokens') whole.tokens.push(...part.tokens);
  }
  if (whole.desk === undefined) throw new Error('No desk was told.');
  return { ...whole, desk: whole.desk };
}

function readerOf({ folder }: OpenDesk): PastReader {
  const reader = new PastReader(folder);
  onTestFinished(() => reader.close());
  return reader;
}

/** Waits until everything that was begun is durable and folded, and gives the last row of the journal. */
async function settled(desk: OpenDesk, name: string): Promise<number> {
  // Whether a fill is of a strange order is asked of the tables, and may halt the desk.
  await vi.waitFor(async () => {
    const open = (await desk.journal.read.openAlarms()).map(({ seq }) => seq);
    expect(alarmsOf(desk)).toEqual(open);
  });
  // An order of before, of which an event was taken back, counts until the desk has asked the journal, and has looked again.
  for (const _ of [1, 2, 3]) {
    await desk.journal.read.openQuotes();
    await new Promise((resolve) => setImmediate(resolve));
  }
  desk.quoter.tick();
  const body = { ...NAMED, name };
  const row = await desk.journal.append({ time: desk.now(), actor: 'mara', kind: 'name_given', body });
  await new Promise((resolve) => setImmediate(resolve));
  return row;
}

function alarmsOf({ guard }: OpenDesk): number[] {
  const seqs = guard.alarms.list().flatMap((alarm) => alarm.seqs);
  return seqs.sort((a, b) => a - b);
}

class Day {
  readonly desk: OpenDesk;
  /** Fills and cancels that stand. */
  readonly told: Happened[] = [];
  #block = 1;

  constructor(desk: OpenDesk) {
    this.desk = desk;
  }

  async do(step: Also): Promise<unknown> {
    const { desk } = this;
    const { book, guard } = desk;
    switch (step.do) {
      case 'fill':
      case 'cancel': {
        const open = await desk.journal.read.openQuotes();
        const order = open[step.which % Math.max(1, open.length)];
        if (order === undefined) return;
        const left = BigInt(order.makerAmount) - BigInt(order.filledMakerAmount);
        const block = this.mine();
        const { makerAsset, takerAsset } = order;
        const orderHash =
          step.do === 'fill' && !step.own ? `0x${block.toString(16).padStart(64, 'f')}` : order.orderHash;
        const place = {
          chainId: CHAIN,
          orderHash,
          block,
          blockHash: `0x${'b'.repeat(64)}`,
          blockTime: desk.now(),
          transactionHash: `0x${block.toString(16).padStart(64, '0')}`,
          logIndex: 0,
        };
        const common = { time: desk.now(), actor: 'chain' } as const;
        if (step.do === 'cancel')
          this.told.push({ orderHash, seq: await happens(desk, { ...common, kind: 'cancel', body: place }) });
        else {
          const percent = BigInt(step.percent);
          const makerAmount = `${percent === 100n ? left : (left * percent) / 100n + 1n}`;
          const body = { ...place, taker: TAKER, makerAsset, takerAsset, makerAmount, takerAmount: '1' };
          this.told.push({ orderHash, seq: await happens(desk, { ...common, kind: 'fill', body }) });
        }
        return this.look();
      }
      case 'take back': {
        const last = this.told.pop();
        if (last === undefined) return;
        const body = { chainId: CHAIN, eventSeq: last.seq, orderHash: last.orderHash };
        await happens(desk, { time: desk.now(), actor: 'chain', kind: 'reverted', body });
        return this.look();
      }
      case 'silence':
        desk.clock.ahead += step.milliseconds;
        return desk.quoter.tick();
      case 'drain':
        return guard.trading.drain(
          step.scope === 'chain' ? { chainId: CHAIN } : { chainId: CHAIN, pair: OTHER },
          600,
          person,
        );
      case 'retire':
        return book.retirePair(CHAIN, OTHER, 'ben');
      case 'list':
        return book.savePair(CHAIN, OTHER, { base: 'DAI', quote: 'USDC', liquidityUSD: 7 }, 'ben');
      case 'import': {
        await guard.trading.halt({}, person);
        const file = await book.deskFile();
        return book.importDesk(file, { actor: 'ada', keepSecrets: () => ({}) });
      }
      case 'acknowledge': {
        const seqs = guard.alarms.list().flatMap((alarm) => alarm.seqs);
        return seqs.length === 0 ? undefined : guard.alarms.acknowledge(seqs, { actor: 'ben', reason: 'seen' });
      }
      case 'protect':
        return book.setProtections({ protections: [RULE], seen: [...(book.desk().protections ?? [])], actor: 'ben' });
    }
  }

  /** The number of a new block. */
  mine(): number {
    this.#block += 1;
    return this.#block;
  }

  /** The balances of a new block are read, and orders that are over end. */
  look(): void {
    const { desk } = this;
    desk.chain.view = seen(desk.now(), {}, this.mine());
    desk.quoter.tick();
  }
}

/** A random day, and the live view at random moments of it. */
async function live(
  steps: readonly (Step | Also)[],
  at: ReadonlySet<number>,
): Promise<{ desk: OpenDesk; moments: Recorded[] }> {
  const desk = await openForSession();
  const day = new Day(desk);
  const moments: Recorded[] = [];
  for (const [index, step] of steps.entries()) {
    const isAlso = [
      'fill',
      'cancel',
      'take back',
      'silence',
      'drain',
      'retire',
      'list',
      'import',
      'acknowledge',
      'protect',
    ].includes(step.do);
    await (isAlso ? day.do(step as Also) : happen(desk, step as Step, day.mine())).catch(() => {}); // what the desk refuses changes nothing
    if (!at.has(index)) continue;
    const row = await settled(desk, `at ${index}`);
    moments.push({ row, time: desk.now(), live: liveOf(desk) });
    desk.clock.ahead += 1; // what comes after it is of a later millisecond
  }
  return { desk, moments };
}

test('any random moment is shown as the live view was then, by its row and by its time', async () => {
  let counted = 0;
  const property = fc.asyncProperty(day, async ([steps, inserted, picked]) => {
    const all: (Step | Also)[] = [...steps];
    for (const [where, step] of inserted) all.splice(where % (all.length + 1), 0, step);
    const at = new Set(picked.map((one) => one % all.length));
    const { desk, moments } = await live(all, at);
    const reader = readerOf(desk);
    for (const { row, time, live } of moments) {
      const byRow = await ask(reader, { row });
      expect(pastOf(byRow)).toEqual(live);
      expect(byRow.desk).toMatchObject({ row: { seq: row }, unreadCount: 0 });
      const byTime = await ask(reader, { time });
      expect(byTime).toEqual(byRow);
      counted += 1;
    }
    await reader.close();
    await desk.close();
  });
  await fc.assert(property, { numRuns: howOften(1, 14), endOnFailure: true });
  expect(counted).toBeGreaterThanOrEqual(howOften(1, 50));
});

/** A short day whose rows are known: two publishes, a limit, a quote, a pair that is retired, a stop. */
async function knownDay(): Promise<{ desk: OpenDesk; rows: Record<'begun' | 'priced' | 'quoted' | 'end', number> }> {
  const desk = await openForSession();
  const begun = await settled(desk, 'begun');
  const pass = () => {
    desk.clock.ahead += 1_000;
  };
  pass();
  await happen(desk, { do: 'price', cents: 500, wait: true }, 0);
  const priced = await settled(desk, 'priced');
  pass();
  await happen(desk, { do: 'limits', maxQuote: 2, outstanding: 0, perMinute: 0, wait: true }, 1);
  await happen(desk, { do: 'ask', maker: 'WETH', given: 'makerAmount', share: 200_000, other: false }, 2);
  const quoted = await settled(desk, 'quoted');
  pass();
  await desk.book.retirePair(CHAIN, OTHER, 'ben');
  await desk.book.setFormula({ chainId: CHAIN, pair: PAIR, formula: FORMULA, seen: null, actor: 'eve' });
  await desk.guard.trading.halt({ chainId: CHAIN, pair: PAIR, side: 'asks' }, { actor: 'ada', reason: 'a look' });
  const end = await settled(desk, 'end');
  return { desk, rows: { begun, priced, quoted, end } };
}

/** Writes nonsense over the body of a row, as a disk may. */
function spoil(folder: string, row: number, body = '{"chainId": 31337, "nonsense'): void {
  const db = new Database(journalFile(folder));
  db.prepare('UPDATE journal SET body = ? WHERE seq = ?').run(body, row);
  db.close();
}

const rowOf = (folder: string, kind: string, which: 'min' | 'max'): number => {
  const db = new Database(journalFile(folder), { readonly: true });
  try {
    return db.prepare<[string], number>(`SELECT ${which}(seq) FROM journal WHERE kind = ?`).pluck().get(kind) ?? 0;
  } finally {
    db.close();
  }
};

test('balances are as the last decision before had read them, and not known before any', async () => {
  const { desk, rows } = await knownDay();
  const reader = readerOf(desk);
  const heldAt = async (row: number) =>
    new Map((await ask(reader, { row })).tokens.map(({ tokenId, held }) => [tokenId, held]));
  expect(new Set((await heldAt(rows.priced)).values())).toEqual(new Set([null]));
  const held = await heldAt(rows.end);
  const row = rowOf(desk.folder, 'quote', 'max');
  expect(held.get('WETH')).toMatchObject({ balance: `${1_000n * ETHER}`, allowance: `${1_000n * ETHER}`, seq: row });
  expect(held.get('USDC')).toBeNull();
  expect((await ask(reader, { row: rows.end })).pairs.find(({ pair }) => pair === PAIR)?.asked).toMatchObject({
    seq: row,
    side: 'asks',
    code: null,
  });
});

test('what was signed of a token that has another address since is told of the past as it is told live', async () => {
  const desk = await openForSession();
  await happen(desk, { do: 'ask', maker: 'WETH', given: 'makerAmount', share: 200_000, other: false }, 1);
  const token = desk.book.chain(CHAIN)?.tokens.get('WETH');
  if (token === undefined) throw new Error('no token');
  await desk.book.saveToken(CHAIN, 'WETH', { ...token, address: `0x${'9'.repeat(40)}` }, 'ben');
  const row = await settled(desk, 'another address');
  const { exposure } = pastOf(await ask(readerOf(desk), { row }));
  expect(exposure.filter(({ live: amount }) => amount !== '0')).toMatchObject([{ tokenId: token.address, quotes: 1 }]);
  expect(exposure).toEqual(liveOf(desk).exposure);
});

test('a comparison lists the cells that changed, each with who changed it last, and no other', async () => {
  const { desk, rows } = await knownDay();
  const reader = readerOf(desk);
  const diffOf = async (from: number, to: number) => {
    const cells: ChangedCell[] = [];
    let end: Extract<PastDiffPart, { part: 'end' }> | undefined;
    for await (const part of reader.ask({ ask: 'diff', from: { row: from }, to: { row: to } }, undefined)) {
      if (part.part === 'cells') cells.push(...part.cells);
      else if (part.part === 'end') end = part;
    }
    const shown = cells.map(({ pair, tokenId, name, before, after, by }) => [
      pair ?? tokenId,
      name,
      before,
      after,
      by?.actor ?? null,
    ]);
    return { shown, end };
  };
  const prices = await diffOf(rows.begun, rows.priced);
  expect(prices.end).toMatchObject({ changed: 4, left: 0, from: { row: { seq: rows.begun } } });
  expect(prices.shown).toEqual([
    [PAIR, 'We buy, level 1, price', '3412.50', '3413.000', 'mara'],
    [PAIR, 'We buy, level 2, price', '3412.00', '3412.500', 'mara'],
    [PAIR, 'We sell, level 1, price', '3413.00', '3413.500', 'mara'],
    [PAIR, 'We sell, level 2, price', '3414.40', '3414.900', 'mara'],
  ]);
  const { shown } = await diffOf(rows.priced, rows.end);
  expect(shown).toContainEqual([PAIR, 'Formula', null, expect.stringContaining('spread 4 bps'), 'eve']);
  expect(shown).toContainEqual([OTHER, 'Listed', 'DAI for USDC', 'DAI for USDC, retired', 'ben']);
  expect(shown).toContainEqual([PAIR, 'We sell, switch', 'on', 'off', 'ada']);
  expect(shown).toContainEqual([null, 'Setting “Limits”', expect.any(String), expect.any(String), 'mara']);
  expect(shown).toContainEqual(['WETH', 'Open quotes', '0', '1', null]);
  expect(shown.filter(([, name]) => `${name}`.includes('level'))).toEqual([]);
  expect((await diffOf(rows.end, rows.end)).shown).toEqual([]);
});

test('a row that cannot be read is named, and takes nothing else along', async () => {
  const { desk, rows } = await knownDay();
  const before = await ask(readerOf(desk), { row: rows.end });
  await desk.close();
  const limits = rowOf(desk.folder, 'limits_set', 'max');
  spoil(desk.folder, limits);
  const reader = readerOf(desk);
  const without = await ask(reader, { row: rows.end });
  expect(without.desk).toMatchObject({ unreadCount: 1, unread: [{ seq: limits, kind: 'limits_set', actor: 'mara' }] });
  expect({ ...without, desk: null }).toEqual({ ...before, desk: null });

  // The ladder that it published is not known; the other pair is as it was.
  spoil(desk.folder, rowOf(desk.folder, 'ladder_published', 'max'));
  const dark = await ask(reader, { row: rows.end });
  const [pair, other] = [PAIR, OTHER].map((id) => dark.pairs.find((one) => one.pair === id));
  expect(pair).toMatchObject({ ladder: { bids: [], asks: [] }, unreadable: expect.any(String) });
  expect(other).toEqual(before.pairs.find((one) => one.pair === OTHER));
  expect(await ask(reader, { row: rows.begun })).toMatchObject({ desk: { unreadCount: 0 } });

  // What an open order can still take is not known where its row cannot be read: it is said, and not counted as nothing.
  const quote = rowOf(desk.folder, 'quote', 'max');
  spoil(desk.folder, quote);
  const { desk: said, tokens } = await ask(reader, { row: rows.end });
  expect(said.unknown).toContainEqual(expect.stringContaining(`not counted as live: row ${quote}`));
  expect(tokens.every(({ quotes }) => quotes === 0)).toBe(true);

  // A desk file that cannot be read takes every chain with it, and whatever was set there later is named as well.
  spoil(desk.folder, rowOf(desk.folder, 'desk_configured', 'min'));
  const nothing = await ask(reader, { row: rows.end });
  expect(nothing.desk.unread[0]?.kind).toBe('desk_configured');
  expect(nothing).toMatchObject({ pairs: [], tokens: [] });
});

const DAY = 86_400_000;

test('what lies in archives is read, and a file that is missing is named with its rows', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  await journal.append(configured({}, START - 3 * DAY));
  const signed = Array.from({ length: 30 }, (_, n) =>
    quote(n, { expiry: Math.floor((START - 3 * DAY) / 1_000) + 150 }, START - 3 * DAY + n),
  );
  const seqs = await Promise.all(signed.map((event) => journal.append(event)));
  const then = seqs.at(-1) ?? 0;
  const end = { chainId: SAMPLE_CHAIN, quoteSeqs: seqs };
  await journal.append({ time: START - 3 * DAY + 200_000, actor: 'desk', kind: 'quotes_expired', body: end });
  const later = Array.from({ length: 2_100 }, (_, n) => quote(100 + n, REFUSED, START - 2 * DAY + n));
  await Promise.all(later.map((event) => journal.append(event)));
  await journal.append(quote(80_000));
  const reader = new PastReader(folder);
  onTestFinished(() => reader.close());
  const before = await ask(reader, { row: then });
  expect(before.tokens.find(({ tokenId }) => tokenId === 'WETH')).toMatchObject({
    live: '300000',
    quotes: 30,
    held: { balance: '5000000', seq: then },
  });
  expect(await journal.archive(START - 2.5 * DAY, 'mara', false)).toMatchObject({ rows: 30, files: 1 });
  const { newest, ...archived } = (await ask(reader, { row: then })).desk;
  expect({ ...before.desk, newest }).toEqual({ ...archived, newest });
  expect((await ask(reader, { row: then })).tokens).toEqual(before.tokens);

  // A row on the end of orders that cannot be read is named, and they count as open.
  const over = rowOf(folder, 'quotes_expired', 'max');
  const after = await ask(reader, { row: over });
  expect(after.tokens.find(({ tokenId }) => tokenId === 'WETH')).toMatchObject({ quotes: 0 });
  spoil(folder, over);
  const unended = await ask(reader, { row: over });
  expect(unended.tokens.find(({ tokenId }) => tokenId === 'WETH')).toMatchObject({ quotes: 30 });
  expect(unended.desk.unknown).toContainEqual(expect.stringContaining(`such as row ${over}:`));

  const file = readdirSync(join(folder, 'archive'))[0] ?? '';
  rmSync(join(folder, 'archive', file));
  const without = await ask(reader, { row: then });
  expect(without.pairs.map(({ asked: _, ...pair }) => pair)).toEqual(before.pairs.map(({ asked: _, ...pair }) => pair));
  expect(without.desk.unknown).toContainEqual(
    expect.stringMatching(new RegExp(`^30 open orders .*${file} .* is missing`)),
  );
  expect(without.tokens.find(({ tokenId }) => tokenId === 'WETH')).toMatchObject({ held: null, quotes: 0 });
});

test('a time is after the last row that is not later, also where the clock was set back or was ahead', async () => {
  const folder = temporaryFolder();
  const journal = await openTestJournal(folder);
  const seconds = [0, 10, 20, 30, 15, 25, 9_000, 40];
  await journal.append(configured({}, START + 1_000 * (seconds[0] ?? 0)));
  for (const second of seconds.slice(1)) {
    await journal.append({ time: START + second * 1_000, actor: 'mara', kind: 'name_given', body: NAMED });
  }
  const reader = new PastReader(folder);
  onTestFinished(() => reader.close());
  const rowAt = async (second: number) => {
    const { desk } = await ask(reader, { time: START + second * 1_000 });
    return [desk.row.seq, desk.ahead === null ? null : (desk.ahead - START) / 1_000];
  };
  expect(await rowAt(0)).toEqual([1, null]);
  expect(await rowAt(12)).toEqual([2, null]);
  // 22 came twice, before the clock was set back from 30 and after it.
  expect(await rowAt(22)).toEqual([5, 30]);
  expect(await rowAt(35)).toEqual([6, null]);
  // While it was 2 h 30 min ahead nothing else was written: what came then was before 40.
  expect(await rowAt(60)).toEqual([8, 9_000]);
  await expect(rowAt(-1)).rejects.toMatchObject({
    code: 'unknown_row',
    message: expect.stringContaining('begins after'),
  });
  await expect(ask(reader, { row: 9 })).rejects.toMatchObject({ code: 'unknown_row' });
});

test('a lane counts the rows of a stretch once, and names what stands out of it', async () => {
  const { desk, rows } = await knownDay();
  const reader = readerOf(desk);
  const since = desk.now() - 10_000;
  for await (const lane of reader.ask({ ask: 'lane', since, until: since + 20_000, steps: 20 }, undefined)) {
    expect(lane.rows.reduce((sum, one) => sum + one, 0)).toBe(rows.end);
    expect(lane.marks.filter(({ kind }) => kind === 'publish')).toMatchObject([{ actor: 'mara' }]);
    // A switch of one side is no halt.
    expect(lane.marks.filter(({ kind }) => kind === 'halt')).toEqual([]);
    expect(lane.left).toBe(0);
  }
  await desk.guard.trading.halt({ chainId: CHAIN }, person);
  for await (const lane of reader.ask({ ask: 'lane', since, until: since + 20_000, steps: 4 }, undefined)) {
    expect(lane.marks.filter(({ kind }) => kind === 'halt')).toMatchObject([{ chainId: CHAIN, until: null }]);
  }
});

test('who takes a question back hears nothing more of it, and too many that wait are refused', async () => {
  const { desk, rows } = await knownDay();
  const reader = readerOf(desk);
  const stop = new AbortController();
  const parts = reader.ask({ ask: 'at', moment: { row: rows.end } }, stop.signal);
  const first = parts.next();
  stop.abort();
  expect((await first).done).toBe(true);
  const many = Array.from({ length: 20 }, () =>
    ask(reader, { row: rows.end }).then(
      () => 'told',
      ({ code }) => code,
    ),
  );
  const told = await Promise.all(many);
  expect(told.filter((one) => one === 'busy')).toHaveLength(4);
  expect(told.filter((one) => one === 'told')).toHaveLength(16);
  await reader.close();
  await expect(ask(reader, { row: rows.end })).rejects.toMatchObject({ code: 'busy' });
});

test('the command line shows a moment and compares two, beside no desk', async () => {
  const { desk, rows } = await knownDay();
  await desk.close();
  const here = commandsHere(addAt, addDiff);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await here(desk.folder, args);
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  const text = await run('at', `${rows.end}`);
  const shipped = await runCommand(desk.folder, ['at', `${rows.end}`]);
  expect(shipped).toEqual({ code: 0, stdout: text, stderr: '' });
  expect(text).toContain(`after row ${rows.end} of the journal`);
  expect(text).toMatch(/WETH\/USDC +LIVE +bids .*3413\.000 +3413\.500/);
  expect(text).toMatch(/DAI\/USDC +LIVE +retired/);
  expect(text).toMatch(/Open alerts:\n.*ada .*“a look”/);
  const told = JSON.parse(await run('at', `${rows.end}`, '--json'));
  expect(told).toMatchObject({ row: { seq: rows.end }, desk: { state: 'LIVE', actor: 'mara' }, quotes: 1 });
  const diff = await run('diff', `${rows.begun}`, `${rows.end}`);
  expect(diff).toMatch(/WETH\/USDC +We sell, level 1, price +3413\.00 +3413\.500 +mara /);
  const { rows: cells, changed } = JSON.parse(await run('diff', `${rows.begun}`, `${rows.end}`, '--json'));
  expect(cells).toHaveLength(changed);
  const refused = await here(desk.folder, ['at', '1999-01-01']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('The journal begins after 1999')]);
});

test('an order counts until the desk said that it is over: one signed later goes on, and while a node is silent all do', async () => {
  const desk = await openForSession();
  const ether = { do: 'ask', maker: 'WETH', given: 'makerAmount', share: 100_000, other: false } as const;
  await happen(desk, ether, 1);
  desk.clock.ahead += 40_000;
  desk.chain.view = seen(desk.now(), {}, 3);
  await happen(desk, ether, 2);
  desk.clock.ahead += 120_000;
  // Both clocks are past the first one's end, and 30 s before the second one's.
  desk.chain.view = seen(desk.now(), {}, 4);
  const one = await settled(desk, 'one is over');
  const ended = await settled(desk, 'and that is written down');
  desk.clock.ahead += 3_600_000;
  const silent = await settled(desk, 'an hour later, no block since');
  const reader = readerOf(desk);
  const openAt = async (row: number) =>
    (await ask(reader, { row })).tokens.find(({ tokenId }) => tokenId === 'WETH')?.quotes;
  expect(one).toBeLessThan(ended);
  expect(await openAt(rowOf(desk.folder, 'quote', 'max'))).toBe(2);
  expect([await openAt(ended), await openAt(silent)]).toEqual([1, 1]);
  desk.chain.view = seen(desk.now(), {}, 5);
  await settled(desk, 'a block');
  expect(await openAt(await settled(desk, 'nothing is open'))).toBe(0);
});

test('an alarm and a trip are open from their rows until somebody ended them', async () => {
  const desk = await openForSession();
  const day = new Day(desk);
  const reader = readerOf(desk);
  const openAt = async (row: number) =>
    (await ask(reader, { row })).desk.alerts.flatMap(({ kind }) => (kind === 'stop' ? [] : [kind])).sort();
  const ether = { do: 'ask', maker: 'WETH', given: 'makerAmount', share: 100_000, other: false } as const;
  await day.do({ do: 'protect' });
  // Until its windows are remade of the journal nothing is signed.
  await vi.waitFor(async () => expect(await desk.guard.protections.rows()).toMatchObject([{ filling: false }]));
  for (const n of [1, 2, 3, 4, 5]) await happen(desk, ether, 10 + n);
  const tripped = await settled(desk, 'the fifth was one too many');
  await day.do({ do: 'fill', which: 0, percent: 100, own: false });
  const alarmed = await settled(desk, 'somebody else signed');
  await day.do({ do: 'acknowledge' });
  const looked = await settled(desk, 'somebody looked');
  await desk.book.setProtections({ protections: [], seen: [RULE], actor: 'ben' });
  const gone = await settled(desk, 'a rule that is gone freezes nothing');
  await desk.book.setProtections({ protections: [RULE], seen: [], actor: 'ben' });
  await desk.guard.protections.reset({ rule: RULE.name }, { actor: 'ben', reason: 'it was us' });
  const reset = await settled(desk, 'and it is reset');
  expect(await openAt(tripped)).toEqual(['protection']);
  expect(await openAt(alarmed)).toEqual(['alarm', 'protection']);
  expect(await openAt(looked)).toEqual(['protection']);
  expect([await openAt(gone), await openAt(reset)]).toEqual([[], []]);
});
