import { expect, test } from 'vitest';
import { loadBook } from '../../electron/book/load-book.ts';
import { followLadder } from '../../electron/book/whether-to-follow.ts';
import type { CellChange, LadderCell } from '../../electron/contract/book.ts';
import type { Ladder } from '../../electron/contract/desk-file.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { openDirectly } from './fixture.ts';
import { CHAIN, configured, START } from './sample-events.ts';

const PAIR = 'WETH/USDC';
const FIRST: Ladder = { bids: [['3399.5', '1']], asks: [['3400.50', '2']] };
const [BID, SIZE, DEEPER]: LadderCell[] = [
  { side: 'bids', level: 0, field: 'price' },
  { side: 'bids', level: 0, field: 'amount' },
  { side: 'bids', level: 1, field: 'price' },
] as const;

/** A desk whose pair follows the reference; each event a millisecond after the one before, `n` ms after the start. */
function followedPair() {
  const { db, queries, write } = openDirectly();
  const desk = () => configured({ referenceUrl: 'http://127.0.0.1:1/r', follow: [PAIR], prices: { [PAIR]: FIRST } });
  const at = (n: number, actor: string, kind: NewEvent['kind'], body: object) =>
    write({ time: START + n, actor, kind, body: { chainId: CHAIN, ...body } } as unknown as NewEvent);
  write(desk());
  return {
    move: (n: number, revision: number, mid: string) =>
      at(n, 'follow', 'ladders_moved', { moves: [[PAIR, revision, mid]] }),
    publish: (n: number, actor: string, revision: number, ladder: object) =>
      at(n, actor, 'ladder_published', { pair: PAIR, revision, baseRevision: revision - 1, ...ladder }),
    importAgain: (n: number) => write({ ...desk(), time: START + n }),
    history: (cell: LadderCell | undefined, before?: number) =>
      queries.cellHistory(CHAIN, PAIR, cell ?? { side: 'asks', level: 99, field: 'price' }, before),
    newest: () => queries.revisions(CHAIN, PAIR, 1)[0],
    revisions: () => queries.revisions(CHAIN, PAIR, 9),
    book: () => loadBook(queries.storedBook()),
    db,
  };
}

const said = ({ kind, revision, moves, time, actor, before, after, unread = [] }: CellChange) => {
  const [from, to] = [unread.includes('before') ? 'unread' : before, unread.includes('after') ? 'unread' : after];
  return `${time - START} ms, ${actor}, ${kind} in ${revision}${moves === 0 ? '' : ` (${moves})`}: ${from} → ${to}`;
};

test('a cell says who changed it, when, from what to what: people and desk files one by one, moves between them as one', () => {
  const { move, publish, importAgain, history } = followedPair();
  move(1, 2, '3410');
  move(2, 3, '3420');
  const ladder = {
    bids: [
      ['3415', '1'],
      ['3300', '4'],
    ],
    asks: [['3425', '2']],
  };
  publish(3, 'mara', 4, { ladder, followed: { mid: '3420', bids: '0', asks: '0' } });
  publish(4, 'theo', 5, {
    ladder: {
      ...ladder,
      bids: [
        ['3415', '2.5'],
        ['3300', '4'],
      ],
    },
    followed: { mid: '3420', bids: '0', asks: '0' },
  });
  move(5, 6, '3421');
  move(6, 7, '3420');
  importAgain(7);
  expect(history(BID).changes.map(said)).toEqual([
    '7 ms, ops, imported in 8: 3415 → 3399.5',
    '6 ms, follow, moved in 7 (2): 3415 → 3415',
    '3 ms, mara, published in 4: 3419.50 → 3415',
    '2 ms, follow, moved in 3 (2): 3399.5 → 3419.50',
    '0 ms, ops, imported in 1: null → 3399.5',
  ]);
  expect(history(SIZE).changes.map(said)).toEqual([
    '7 ms, ops, imported in 8: 2.5 → 1',
    '4 ms, theo, published in 5: 1 → 2.5',
    '0 ms, ops, imported in 1: null → 1',
  ]);
  expect(history(DEEPER).changes.map(said)).toEqual([
    '7 ms, ops, imported in 8: 3300 → null',
    '6 ms, follow, moved in 7 (2): 3300 → 3300',
    '3 ms, mara, published in 4: null → 3300',
  ]);
  expect(history(undefined)).toEqual({ changes: [], further: null });
});

test('a long history comes in parts, of which none is lost and none told twice, and a part of a run of moves is told as far as it goes', () => {
  const { publish, move, history } = followedPair();
  for (let n = 2; n <= 131; n += 1) publish(n, 'mara', n, { ladder: { ...FIRST, bids: [[`${3000 + n}`, '1']] } });
  const told: CellChange[] = [];
  for (let before: number | undefined; ; ) {
    const { changes, further } = history(BID, before);
    told.push(...changes);
    if (further === null) break;
    before = further;
  }
  expect(told.map(({ revision }) => revision)).toEqual(Array.from({ length: 131 }, (_, index) => 131 - index));
  const followed = { mid: '3400', bids: '0', asks: '0' };
  publish(132, 'mara', 132, { ladder: FIRST, followed });
  for (let n = 133; n <= 140; n += 1) move(n, n, `${3400 + n}`);
  expect(history(BID, 136).changes[0]).toMatchObject({ kind: 'moved', revision: 135, moves: 3, after: '3534.50' });
});

test('moves that an older desk published whole are moves all the same, and one line', () => {
  const { publish, history, newest } = followedPair();
  for (const [index, mid] of ['3410', '3420', '3430'].entries()) {
    const now = newest();
    const step = followLadder(now?.ladder ?? FIRST, now?.followed, mid);
    if (step.kind !== 'move') throw new Error('the ladder does not move');
    publish(index + 1, 'follow', index + 2, { ladder: step.ladder, followed: step.followed });
  }
  expect(history(BID).changes.map(said)).toEqual([
    '3 ms, follow, moved in 4 (3): 3399.5 → 3429.50',
    '0 ms, ops, imported in 1: null → 3399.5',
  ]);
});

test.each([
  ['a ladder that somebody published', 2, 'x'],
  ['a ladder without a price', 2, '{"ladder":{"bids":[["",""]],"asks":[]}}'],
  ['a move', 3, '{}'],
  ['a move to no number', 3, `{"chainId":${CHAIN},"moves":[["${PAIR}",3,"x"]]}`],
])(
  '%s that cannot be read says so in its place, and no other revision is lost, nor any pair of the book',
  (_what, revision, body) => {
    const { db, move, publish, history, revisions, book } = followedPair();
    const followed = { mid: '3400', bids: '0', asks: '0' };
    publish(1, 'mara', 2, { ladder: { bids: [['3398', '1']], asks: [['3402', '2']] }, followed });
    move(2, 3, '3401');
    db.prepare(
      `UPDATE main.journal SET body = ? WHERE seq = (SELECT max(seq) FROM main.journal) - ${3 - revision}`,
    ).run(body);
    const read = revisions();
    expect(read.map((one) => one.revision)).toEqual([3, 2, 1]);
    expect(read.filter(({ unreadable }) => unreadable !== undefined).map((one) => one.revision)).toContain(revision);
    expect(read.at(-1)?.ladder).toEqual(FIRST);
    expect(history(BID).changes.at(-1)).toMatchObject({ revision: 1, after: '3399.5' });
    expect(book().chains.get(CHAIN)?.pairs.get(PAIR)?.ladder.ladder, 'nothing is quoted by it').toBeNull();
  },
);

test('a revision that cannot be read is told as that, and not as one without the level', () => {
  const { db, publish, history } = followedPair();
  const withBid = (price: string) => ({ ladder: { ...FIRST, bids: [[price, '1']] } });
  publish(1, 'mara', 2, withBid('3398'));
  publish(2, 'theo', 3, withBid('3397'));
  publish(3, 'mara', 4, { ladder: { ...FIRST, bids: [] } });
  db.prepare('UPDATE main.journal SET body = ? WHERE seq = (SELECT max(seq) FROM main.journal) - 1').run('x');
  expect(history(BID).changes.map(said)).toEqual([
    '3 ms, mara, published in 4: unread → null',
    '2 ms, theo, published in 3: 3398 → unread',
    '1 ms, mara, published in 2: 3399.5 → 3398',
    '0 ms, ops, imported in 1: null → 3399.5',
  ]);
});
