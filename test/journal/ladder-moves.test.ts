import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookState } from '../../electron/book/chain-state.ts';
import { foldEvent } from '../../electron/book/fold-event.ts';
import { loadBook } from '../../electron/book/load-book.ts';
import { anchorText } from '../../electron/book/reference-fence.ts';
import { followLadder } from '../../electron/book/whether-to-follow.ts';
import type { PublishedLadder } from '../../electron/contract/book.ts';
import type { Ladder } from '../../electron/contract/desk-file.ts';
import type { LadderMove } from '../../electron/journal/book/events.ts';
import type { ChainEvent } from '../../electron/journal/book/fold.ts';
import { moveLadder } from '../../electron/journal/book/ladder-move.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { schemaVersion } from '../../electron/journal/migrate.ts';
import { migrationsOf } from '../../electron/journal/migrations.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { createQueries, SLICES } from '../../electron/journal/slices.ts';
import { howOften } from '../how-often.ts';
import { bringBack } from './earlier-schema.ts';
import { type DirectJournal, openDirectly, temporaryFolder, verifyDirectly } from './fixture.ts';
import { CHAIN, configured, START } from './sample-events.ts';
import { tableContents } from './table-contents.ts';

const PAIRS = ['WETH/USDC', 'DAI/USDC'] as const;
const [WETH, DAI] = PAIRS;
const SHAPES: readonly Ladder[] = [
  { bids: [['3399.5', '1']], asks: [['3400.50', '2']] },
  {
    bids: [
      ['3399', '1'],
      ['2800.125', '4'],
    ],
    asks: [
      ['3401', '0.5'],
      ['3500', '3'],
    ],
  },
  { bids: [['3400', '1']], asks: [['3403', '1']] },
  { bids: [], asks: [['3401', '1']] },
];
type Standing = Pick<PublishedLadder, 'revision' | 'ladder' | 'followed' | 'anchor'>;

const at = (time: number, actor: string, kind: NewEvent['kind'], body: object): NewEvent =>
  ({ time: START + time, actor, kind, body: { chainId: CHAIN, ...body } }) as unknown as NewEvent;
const moved = (time: number, ...moves: LadderMove[]) => movedBy('follow', time, ...moves);
const movedBy = (actor: string, time: number, ...moves: LadderMove[]) => at(time, actor, 'ladders_moved', { moves });
const following = () =>
  configured({
    referenceUrl: 'http://127.0.0.1:1/r',
    follow: [...PAIRS],
    prices: { [WETH]: SHAPES[0], [DAI]: SHAPES[1] },
  });

const mid = fc
  .record({ ticks: fc.integer({ min: 3_000_000, max: 3_800_000 }), places: fc.integer({ min: 0, max: 6 }) })
  .map(({ ticks, places }) => (ticks / 1_000).toFixed(places));
const pair = fc.constantFrom(...PAIRS);
const shape = fc.constantFrom(...SHAPES);
const action = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      by: fc.constantFrom('follow', 'prices:alpha'),
      mids: fc.dictionary(pair, mid, { minKeys: 1 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('price' as const),
      pair,
      bid: fc.integer({ min: 3_000, max: 3_400 }),
      apart: fc.nat(9),
    }),
  },
  fc.record({ do: fc.constant('push whole' as const), pair, shape, mid }),
  fc.record({ do: fc.constant('move as before' as const), pair, mid }),
  fc.record({ do: fc.constant('publish' as const), pair, shape, goesOn: fc.boolean() }),
  fc.record({ do: fc.constant('follow' as const), pair, on: fc.boolean() }),
  fc.record({ do: fc.constant('import' as const), priced: fc.boolean() }),
  fc.record({ do: fc.constant('take off and list again' as const), pair }),
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

/** What the desk writes for an action, as its follower, its drafts and an engine would from what stands. */
function eventsOf(done: Action, standing: (pair: string) => Standing, time: number): NewEvent[] {
  const next = (of: string) => standing(of).revision + 1;
  switch (done.do) {
    case 'move':
      return [movedBy(done.by, time, ...Object.entries(done.mids).map(([of, to]): LadderMove => [of, next(of), to]))];
    case 'price': {
      const { bids, asks } = standing(done.pair)?.ladder ?? { bids: [], asks: [] };
      const [bid, ask] = [
        bids.length > 0 ? `${done.bid}` : null,
        asks.length > 0 ? `${done.bid + done.apart}.5` : null,
      ];
      return [movedBy('formula', time, [done.pair, next(done.pair), bid, ask])];
    }
    case 'move as before': {
      const { revision, ladder, followed } = standing(done.pair);
      const step = followLadder(ladder, followed, done.mid);
      if (step.kind !== 'move') return [];
      const body = { pair: done.pair, revision: revision + 1, baseRevision: revision };
      return [at(time, 'follow', 'ladder_published', { ...body, ladder: step.ladder, followed: step.followed })];
    }
    case 'push whole': {
      const body = { pair: done.pair, revision: next(done.pair), baseRevision: 0 };
      const put = moveLadder(done.shape, undefined, done.mid) ?? { ladder: done.shape };
      const anchor = anchorText({ ladder: standing(done.pair) ?? { ladder: { bids: [], asks: [] } } });
      return [at(time, 'prices:alpha', 'ladder_published', { ...body, ...put, ...(anchor && { anchor }) })];
    }
    case 'publish': {
      const body = { pair: done.pair, revision: next(done.pair), baseRevision: 0, ladder: done.shape };
      const followed = { mid: '3400', bids: '0', asks: '0' };
      return [at(time, 'mara', 'ladder_published', done.goesOn ? { ...body, followed } : body)];
    }
    case 'follow':
      return [at(time, 'mara', 'follow_set', { pair: done.pair, on: done.on })];
    case 'import':
      return [
        { ...following(), time: START + time },
        ...(done.priced ? [] : [configured({ prices: {} }, START + time)]),
      ];
    case 'take off and list again':
      return [
        at(time, 'mara', 'pair_removed', { pair: done.pair }),
        at(time, 'mara', 'pair_saved', {
          pair: done.pair,
          definition: { base: done.pair.split('/')[0], quote: 'USDC', liquidityUSD: 1 },
        }),
      ];
  }
}

const ladderOf = (book: BookState, of: string) => book.chains.get(CHAIN)?.pairs.get(of)?.ladder;

/** Every revision of both pairs as it is read now. */
function readBack(queries: DirectJournal['queries']) {
  return PAIRS.flatMap((of) => queries.revisions(CHAIN, of, 10_000).toReversed());
}

describe('a ladder’s moves with the reference', () => {
  it('are read back at any revision as they were served then, over edits, imports, formulas, following on and off', () => {
    let moves = 0;
    let priced = 0;
    fc.assert(
      fc.property(fc.array(action, { minLength: 25, maxLength: 50 }), (actions) => {
        const { db, queries, write } = openDirectly();
        write(following());
        let book = loadBook(queries.storedBook());
        const served: unknown[] = [];
        const note = (of: string) => {
          const now = ladderOf(book, of);
          if (now !== undefined && now.revision > 0) served.push({ chainId: CHAIN, pair: of, ...now });
        };
        PAIRS.forEach(note);
        for (const [index, done] of actions.entries()) {
          const standing = (of: string) => ladderOf(book, of) as Standing;
          for (const event of eventsOf(done, standing, index + 1)) {
            const before = book;
            const newest = 'pair' in event.body ? queries.revisions(CHAIN, String(event.body.pair), 1)[0]?.revision : 0;
            if (typeof write(event)[0] === 'string') continue;
            if (event.kind === 'ladders_moved') moves += 1;
            if (event.actor === 'formula') priced += 1;
            book =
              event.kind === 'desk_configured'
                ? loadBook(queries.storedBook())
                : foldEvent(book, event as ChainEvent, newest);
            for (const of of PAIRS) if (ladderOf(book, of)?.revision !== ladderOf(before, of)?.revision) note(of);
          }
        }
        const inOrder = (of: string) => served.filter((one) => (one as { pair: string }).pair === of);
        expect(readBack(queries)).toEqual(PAIRS.flatMap(inOrder));
        for (const one of served as { pair: string; revision: number }[]) {
          expect(queries.ladderRevision(CHAIN, one.pair, one.revision)).toEqual(one);
        }
        expect(loadBook(queries.storedBook())).toEqual(book);
        const tables = tableContents(db);
        expect(verifyDirectly(db)).toEqual({ firstBad: null, fault: null });
        rebuildProjections(db, SLICES);
        expect(tableContents(db)).toEqual(tables);
        expect(readBack(createQueries(db))).toEqual(PAIRS.flatMap(inOrder));
        db.close();
      }),
      { numRuns: howOften(5, 30) },
    );
    expect(moves).toBeGreaterThan(0);
    expect(priced).toBeGreaterThan(0);
  });

  it('share rows of their table, of which each revision is found however many there are', () => {
    const { db, queries, write } = openDirectly();
    write(following());
    const midOf = (revision: number) => `34${String(10 + (revision % 80)).padStart(2, '0')}.25`;
    for (let revision = 2; revision <= 400; revision += 1) {
      const moves = PAIRS.filter((of) => of === WETH || revision % 3 !== 0);
      const daiRevision = revision - Math.floor(revision / 3);
      write(
        moved(revision, ...moves.map((of): LadderMove => [of, of === WETH ? revision : daiRevision, midOf(revision)])),
      );
    }
    expect(db.prepare('SELECT count(*) FROM ladder_moves WHERE pair = ?').pluck().get(WETH)).toBe(4);
    for (const revision of [1, 2, 128, 129, 130, 256, 257, 399, 400]) {
      const found = queries.ladderRevision(CHAIN, WETH, revision);
      expect(found).toMatchObject({ revision, time: revision === 1 ? START : START + revision });
      if (revision > 1) expect(found?.followed?.mid).toBe(midOf(revision));
    }
    expect(queries.ladderRevision(CHAIN, WETH, 401)).toBeNull();
    expect(queries.ladderRevision(CHAIN, WETH, 0)).toBeNull();
    expect(queries.revisions(CHAIN, DAI, 1_000).map(({ revision }) => revision)).toEqual(
      Array.from({ length: 267 }, (_, index) => 267 - index),
    );
  });

  it('are refused, all of a row, where one is not the next revision, or its ladder cannot be put on the mid', () => {
    const { db, queries, write } = openDirectly();
    write(following(), moved(1, [WETH, 2, '3410']));
    const before = tableContents(db);
    const fine: LadderMove = [DAI, 2, '3410'];
    const refused: LadderMove[][] = [
      [fine, [WETH, 2, '3420']],
      [fine, [WETH, 4, '3420']],
      [fine, [DAI, 2, '3411']],
      [fine, ['OLD/USDC', 1, '3420']],
      [fine, [WETH, 3, '0']],
      [fine, [WETH, 3, '0', '3420']],
      [fine, [WETH, 3, null, '3420']],
      [fine, [WETH, 3, '3400.0001', '3420']],
      // The lowest bid stands 600 below the middle.
      [[DAI, 2, '599']],
    ];
    for (const moves of refused) expect(write(moved(2, ...moves))).toEqual(['journal_row_refused']);
    expect(tableContents(db)).toEqual(before);
    write(at(3, 'mara', 'ladder_published', { pair: WETH, revision: 3, baseRevision: 2, ladder: SHAPES[3] }));
    expect(write(moved(4, [WETH, 4, '3420']))).toEqual(['journal_row_refused']);
    expect(write(moved(4, fine, [DAI, 3, '3411']))).toEqual([4]);
    expect(queries.revisions(CHAIN, DAI, 9).map(({ followed }) => followed?.mid)).toEqual(['3411', '3410', undefined]);
  });

  it('are proven: a changed table is found, and says of a revision no other prices', () => {
    const { db, queries, write } = openDirectly();
    write(following(), moved(1, [WETH, 2, '3410'], [DAI, 2, '3411']), moved(2, [WETH, 3, '3420']));
    db.exec(`UPDATE ladder_moves SET rows = '2,0' WHERE pair = '${WETH}'`);
    expect(queries.ladderRevision(CHAIN, WETH, 3)?.ladder).toEqual({ bids: [], asks: [] });
    expect(verifyDirectly(db).fault).toContain('ladder_moves');
  });

  it('go on in a journal of before, on the ladder that it has', () => {
    const folder = temporaryFolder();
    const first = openDirectly(folder);
    first.write(following());
    const [came] = first.queries.revisions(CHAIN, WETH, 1);
    const step = followLadder(came?.ladder ?? { bids: [], asks: [] }, undefined, '3450.07');
    const body = { pair: WETH, revision: 2, baseRevision: 1, ...step };
    first.write(at(1, 'follow', 'ladder_published', body));
    expect(bringBack(first.db, 14)).toContain('ladder_moves');
    first.db.close();

    const { db, queries, write } = openDirectly(folder);
    expect(schemaVersion(db)).toBe(migrationsOf(SLICES).length);
    expect(existsSync(`${journalFile(folder)}.before-schema-15`)).toBe(true);
    expect(write(moved(2, [WETH, 3, '3400']))).toEqual([3]);
    const [now, before, imported] = queries.revisions(CHAIN, WETH, 9);
    // Back on the middle of the ladder that was imported, each price is what it was, with all its places.
    expect(now?.ladder).toEqual({ bids: [['3399.50', '1']], asks: [['3400.50', '2']] });
    expect(before?.followed?.mid).toBe('3450.07');
    expect(imported).toEqual(came);
    expect(verifyDirectly(db)).toEqual({ firstBad: null, fault: null });
  });
});
