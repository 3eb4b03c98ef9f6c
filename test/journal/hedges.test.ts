import { expect, test } from 'vitest';
import type { HedgeStep } from '../../electron/contract/hedge-steps.ts';
import type { HedgeOpened } from '../../electron/journal/hedges/events.ts';
import { flowOfHedge, shareHedge } from '../../electron/journal/hedges/share-hedge.ts';
import { migrate } from '../../electron/journal/migrate.ts';
import { migrationsOf } from '../../electron/journal/migrations.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { type DirectJournal, openDirectly, temporaryFolder, verifyDirectly } from './fixture.ts';
import { built, ended, mined, opened, signed, simulated, step } from './hedge-events.ts';
import { addressOf, CHAIN, configured, fill, hashOf, quote, reverted, START } from './sample-events.ts';
import { tableContents } from './table-contents.ts';

/** Two fills of the asks: 4,000 WETH units sold for 13,648,000 USDC units each. */
function withTwoFills(): DirectJournal & { fills: number[] } {
  const journal = openDirectly();
  const rows = journal.write(configured(), quote(1), quote(2), fill(1, 1), fill(2, 2));
  return { ...journal, fills: rows.slice(3).map(Number) };
}
const net = ({ queries }: DirectJournal) =>
  Object.fromEntries(queries.positions(null, START).map((row) => [row.token.symbol, row.net]));
const covers = ({ queries }: DirectJournal) =>
  queries.hedgedFills({ limit: 9, now: START }).map(({ cover, unhedgedBase }) => [cover, unhedgedBase]);

test('a position is what fills and hedges moved, and a fill that is taken back leaves it', () => {
  const journal = withTwoFills();
  const [first = 0, second = 0] = journal.fills;
  expect(net(journal)).toEqual({ WETH: '-8000', USDC: '27296000' });
  const [hedge] = journal.write(opened([first]));
  journal.write(
    ...[built, simulated, signed('a'), mined('a', '13600000', '4000'), ended()].map((one) => step(Number(hedge), one)),
  );
  expect(net(journal)).toEqual({ WETH: '-4000', USDC: '13696000' });
  journal.write(reverted(second, 2));
  expect(net(journal)).toEqual({ WETH: '0', USDC: '48000' });
});

test('each fill shows its hedge, what is open, and the result to the last unit, after gas in dollars', () => {
  const journal = withTwoFills();
  const [hedge] = journal.write(opened(journal.fills, { amount: '6000' }));
  expect(covers(journal)).toEqual([
    ['hedging', '-4000'],
    ['hedging', '-4000'],
  ]);
  journal.write(
    ...[built, simulated, signed('a'), mined('a', '20400001', '6000'), ended()].map((one) => step(Number(hedge), one)),
  );
  const [newer, older] = journal.queries.hedgedFills({ limit: 9, now: START });
  expect(older).toMatchObject({ cover: 'hedged', hedgedBase: '4000', unhedgedBase: '0', hedges: [hedge] });
  expect(newer).toMatchObject({ cover: 'part_hedged', hedgedBase: '2000', unhedgedBase: '-2000', result: null });
  expect(BigInt(older?.hedgedQuote ?? 0) + BigInt(newer?.hedgedQuote ?? 0)).toBe(-20_400_001n);
  // 13.648 USDC got for what 13.600001 bought back; two thirds of 3 dollars of gas.
  expect(older).toMatchObject({ result: '0.047999', resultUsd: '-1.96' });
});

test('what the fills of a hedge came to is summed exactly, and only once every one of them is hedged', () => {
  const journal = withTwoFills();
  const [, second = 0] = journal.fills;
  const hedged = (fills: number[], name: string, spent: string, received: string) => {
    const [hedge = 0] = journal.write(opened(fills));
    journal.write(
      ...[built, simulated, signed(name), mined(name, spent, received), ended()].map((one) => step(Number(hedge), one)),
    );
    return Number(hedge);
  };
  const first = hedged(journal.fills, 'a', '20400001', '6000');
  const none = Number(journal.write(opened([]))[0]);
  expect(journal.queries.hedgeNets([first, none]), 'a part is open still').toEqual([null, null]);
  const rest = hedged([second], 'b', '6800000', '2000');
  // 27.296 USDC, less the 27.200001 that bought it back, less three dollars of gas twice.
  const [whole, own] = journal.queries.hedgeNets([first, rest]);
  expect(whole).toBe('-5.91');
  const shown = journal.queries.hedgedFills({ limit: 9, now: START }).map(({ resultUsd }) => Number(resultUsd));
  expect(own).toBe(shown[0]?.toFixed(2));
  expect(
    shown.reduce((sum, one) => sum + one, 0),
    'rounded once, not for each fill',
  ).toBeLessThan(Number(whole));
  journal.write(reverted(second, 2));
  expect(journal.queries.hedgeNets([first, rest]), 'one of them was taken back').toEqual([null, null]);
});

test('a hedged fill that a reorganisation puts into another block stays hedged, by the same transaction or by another one', () => {
  const journal = withTwoFills();
  const [first = 0, second = 0] = journal.fills;
  const [done = 0] = journal.write(opened([first]));
  const trade = [built, simulated, signed('a'), mined('a', '13600000', '4000'), ended()];
  journal.write(...trade.map((one) => step(Number(done), one)));
  const [runs = 0] = journal.write(opened([second]));
  journal.write(...[built, simulated, signed('b')].map((one) => step(Number(runs), one)));
  journal.write(reverted(first, 1), reverted(second, 2));
  const [again = 0, other = 0] = journal
    .write(
      fill(1, 7, { transactionHash: hashOf('transaction 1') }),
      fill(2, 8, { transactionHash: hashOf('sent anew') }),
    )
    .map(Number);
  expect(journal.queries.unhedgedFills({ chainId: CHAIN, pair: 'WETH/USDC', limit: 9 }), 'nothing is open').toEqual([]);
  expect(journal.write(opened([other])), 'a hedge of it runs').toEqual(['journal_row_refused']);
  journal.write(...[mined('b', '13600000', '4000'), ended()].map((one) => step(Number(runs), one)));
  const stands = journal.queries.hedgedFills({ limit: 9, now: START, cover: ['hedged', 'hedging'] });
  expect(stands).toMatchObject([
    { seq: other, hedges: [runs], unhedgedBase: '0', cover: 'hedged' },
    { seq: again, hedges: [done], unhedgedBase: '0', cover: 'hedged' },
  ]);
  expect(net(journal)).toEqual({ WETH: '0', USDC: `${27_296_000n - 27_200_000n}` });
  const before = tableContents(journal.db);
  expect(verifyDirectly(journal.db)).toEqual({ firstBad: null, fault: null });
  rebuildProjections(journal.db, SLICES);
  expect(tableContents(journal.db)).toEqual(before);
});

test('of two parts of one order that a reorganisation puts in another order the hedged one stays hedged, and the other one open', () => {
  const journal = openDirectly();
  const parts = {
    A: { makerAmount: '3000', takerAmount: '10236000' },
    B: { makerAmount: '2000', takerAmount: '6824000' },
  };
  const part = (name: 'A' | 'B', log: number) => fill(1, log, { ...parts[name], transactionHash: hashOf(name) });
  const rows = journal.write(configured(), quote(1), part('A', 1), part('B', 2)).map(Number);
  let [a = 0, b = 0] = rows.slice(2);
  const [hedge = 0] = journal.write(opened([a], { amount: '3000' })).map(Number);
  const trade = [built, simulated, signed('a'), mined('a', '10215000', '3000'), ended()];
  journal.write(...trade.map((one) => step(hedge, one)));
  // Three times in turn: each time the hedge was carried over before.
  for (const log of [10, 20, 30]) {
    journal.write(reverted(a, 1), reverted(b, 1));
    [b = 0, a = 0] = journal.write(part('B', log), part('A', log + 1)).map(Number);
    expect(journal.queries.hedgedFills({ limit: 9, now: START, cover: ['hedged', 'unhedged'] })).toMatchObject([
      { seq: a, cover: 'hedged', unhedgedBase: '0', hedgedQuote: '-10215000', hedges: [hedge] },
      { seq: b, cover: 'unhedged', unhedgedBase: '-2000', hedges: [] },
    ]);
    expect(journal.queries.hedge(hedge)?.opened.fillSeqs).toEqual([a]);
  }
  // Another transaction in the place of the hedged one has its hedge, until that is back.
  journal.write(reverted(a, 1));
  const [other = 0] = journal.write(fill(1, 40, { ...parts.A, transactionHash: hashOf('sent anew') })).map(Number);
  const hedged = () => journal.queries.hedgedFills({ limit: 9, now: START, cover: ['hedged'] }).map(({ seq }) => seq);
  expect(hedged()).toEqual([other]);
  journal.write(reverted(other, 1));
  const [back = 0] = journal.write(part('A', 41)).map(Number);
  expect(hedged()).toEqual([back]);
  const before = tableContents(journal.db);
  expect(verifyDirectly(journal.db)).toEqual({ firstBad: null, fault: null });
  rebuildProjections(journal.db, SLICES);
  expect(tableContents(journal.db)).toEqual(before);
});

test.each([
  ['more', '6000', '9000000', '6000'],
  ['less', '1000', '1500000', '1000'],
])(
  'a hedged fill that comes back with %s than before is covered anew by what its hedge moved',
  (_what, makerAmount, takerAmount, hedgedBase) => {
    const journal = withTwoFills();
    const [first = 0] = journal.fills;
    const [hedge = 0] = journal.write(opened([first], { amount: '6000' }));
    const trade = [built, simulated, signed('a'), mined('a', '20400000', '6000'), ended()];
    journal.write(...trade.map((one) => step(Number(hedge), one)));
    journal.write(reverted(first, 1));
    const [again] = journal.write(fill(1, 7, { transactionHash: hashOf('sent anew'), makerAmount, takerAmount }));
    const covered = journal.queries.hedgedFills({ limit: 9, now: START, cover: ['hedged'] });
    expect(covered).toMatchObject([{ seq: again, hedges: [hedge], hedgedBase, unhedgedBase: '0' }]);
  },
);

test('a hedged fill that comes back is written also where another fill of its hedge cannot be read', () => {
  const journal = withTwoFills();
  const [first = 0, second = 0] = journal.fills;
  const [hedge = 0] = journal.write(opened(journal.fills, { amount: '6000' }));
  const trade = [built, simulated, signed('a'), mined('a', '20400000', '6000'), ended()];
  journal.write(...trade.map((one) => step(Number(hedge), one)));
  journal.db.prepare("UPDATE main.journal SET body = '{' WHERE seq = ?").run(second);
  journal.write(reverted(first, 1));
  const [again] = journal.write(fill(1, 7, { transactionHash: hashOf('sent anew'), makerAmount: '6000' }));
  expect(again).toEqual(expect.any(Number));
});

test('a transaction is watched until it is final, and no longer than its chain is there', () => {
  const journal = withTwoFills();
  const place = { chainId: CHAIN, purpose: 'swap' as const };
  const hedged = (name: string) => {
    const [hedge = 0] = journal.write(opened([]));
    const all = [built, simulated, signed(name), mined(name, '13600000', '4000'), ended()];
    journal.write(...all.map((one) => step(Number(hedge), one)));
    return Number(hedge);
  };
  const [first, second] = [hedged('a'), hedged('b')];
  const watched = () => journal.queries.hedgeReceipts().map(({ hedgeSeq }) => hedgeSeq);
  expect(journal.queries.hedgeReceipts()).toMatchObject([{ hedgeSeq: first, hash: hashOf('a'), block: 9 }, {}]);
  journal.write(step(first, { step: 'final', ...place, hash: hashOf('a') }));
  expect(watched()).toEqual([second]);
  const never: HedgeStep = { step: 'taken_back', ...place, hash: hashOf('c'), feeWei: '0' };
  expect(journal.write(step(second, never)), 'it was never sent').toEqual(['journal_row_refused']);
  journal.write({ time: START, actor: 'desk', kind: 'chain_reset', body: { chainId: CHAIN, quoteSeqs: [] } });
  expect(watched()).toEqual([]);
  const before = tableContents(journal.db);
  expect(verifyDirectly(journal.db)).toEqual({ firstBad: null, fault: null });
  rebuildProjections(journal.db, SLICES);
  expect(tableContents(journal.db)).toEqual(before);
});

/** Two fills of one pair, of which a token got another address between them, and a hedge of both. */
function withChangedToken(changes: Parameters<typeof fill>[2], spent: string, received: string) {
  const journal = openDirectly();
  const rows = journal.write(configured(), quote(1), quote(2), fill(1, 1, changes), fill(2, 2));
  const fills = rows.slice(3).map(Number);
  const [hedge = 0] = journal.write(opened(fills, { amount: received })).map(Number);
  const trade = [built, simulated, signed('a'), mined('a', spent, received), ended()];
  journal.write(...trade.map((one) => step(hedge, one)));
  const [newer, older] = journal.queries.hedgedFills({ limit: 9, now: START });
  const before = tableContents(journal.db);
  expect(verifyDirectly(journal.db)).toEqual({ firstBad: null, fault: null });
  rebuildProjections(journal.db, SLICES);
  expect(tableContents(journal.db)).toEqual(before);
  return { older, newer };
}

test('what a hedge moved is of the fills of that token alone, where the base of their pair got another address between them', () => {
  const { older, newer } = withChangedToken({ makerAsset: addressOf('WETH before') }, '13600000', '4000');
  expect(newer).toMatchObject({ cover: 'hedged', unhedgedBase: '0', hedgedQuote: '-13600000', result: '0.048' });
  expect(older).toMatchObject({ cover: 'unhedged', unhedgedBase: '-4000', hedgedQuote: '0' });
});

test('where the quote token got another address between two fills a hedge covers both, and counts what it paid for its own', () => {
  const { older, newer } = withChangedToken({ takerAsset: addressOf('USDC before') }, '27200000', '8000');
  expect(newer).toMatchObject({ cover: 'hedged', hedgedQuote: '-13600000', result: '0.048' });
  expect(older).toMatchObject({ cover: 'hedged', unhedgedBase: '0', hedgedQuote: '0', result: null });
});

test('a hedge that moved nothing leaves its fills as they were', () => {
  const journal = withTwoFills();
  const [hedge] = journal.write(opened(journal.fills));
  journal.write(step(Number(hedge), ended('failed')));
  expect(covers(journal).map(([cover]) => cover)).toEqual(['unhedged', 'unhedged']);
  expect(journal.queries.unhedgedFills({ chainId: CHAIN, pair: 'WETH/USDC', limit: 9 })).toHaveLength(2);
});

test('what cannot follow is refused: a second hedge of a fill, a second swap, an end while a transaction may be mined', () => {
  const journal = withTwoFills();
  const [hedge] = journal.write(opened(journal.fills));
  const refused = 'journal_row_refused';
  const write = (...steps: HedgeStep[]) => journal.write(...steps.map((one) => step(Number(hedge), one)));
  expect(journal.write(opened(journal.fills))).toEqual([refused]);
  expect(write(signed('swap before it is tried'))).toEqual([refused]);
  write(built, simulated, signed('a'));
  expect(write(signed('b'), ended('failed'), mined('b', '1', '1'))).toEqual([refused, refused, refused]);
  const lost: HedgeStep = { step: 'transaction_lost', purpose: 'swap', hash: hashOf('a') };
  write(lost);
  expect(write(built, simulated, signed('b')).at(-1), 'a swap is signed once').toBe(refused);
});

test('a journal of the second schema counts what was filled before into its positions', () => {
  const folder = temporaryFolder();
  const { db, queries, write } = openDirectly(folder);
  write(configured(), quote(1), quote(2), fill(1, 1), fill(2, 2), fill(1, 3));
  write(reverted(5, 2));
  const before = queries.positions(null, START);
  expect(before).toMatchObject([{ filled: expect.stringMatching(/^-?[1-9]/) }, { filled: expect.any(String) }]);
  db.exec(`DROP VIEW temp.journal; DROP TABLE archives; DROP INDEX fills_to_hedge; DROP INDEX fills_taken_back; ALTER TABLE fills DROP COLUMN cover; DROP TABLE hedges; DROP TABLE hedge_steps;
    DROP TABLE hedge_fills; DROP TABLE positions; DROP TABLE auto_hedges`);
  db.pragma('user_version = 2');
  migrate(db, journalFile(folder), migrationsOf(SLICES).slice(0, 3));
  expect(queries.positions(null, START)).toEqual(before);
});

test('the tables come out the same when they are built anew', () => {
  const journal = withTwoFills();
  const [hedge] = journal.write(opened(journal.fills));
  journal.write(
    ...[built, simulated, signed('a'), mined('a', '13600000', '4000'), ended()].map((one) => step(Number(hedge), one)),
  );
  const before = tableContents(journal.db);
  expect(verifyDirectly(journal.db)).toEqual({ firstBad: null, fault: null });
  rebuildProjections(journal.db, SLICES);
  expect(tableContents(journal.db)).toEqual(before);
});

test('fills of both sides close each other at the price of the hedge, and the shares add up', () => {
  const fills = [
    { seq: 1, open: 70n },
    { seq: 2, open: -30n },
    { seq: 3, open: 10n },
  ];
  const shares = shareHedge(fills, { base: -50n, quote: 1_003n });
  expect(shares.map(({ base }) => base)).toEqual([-70n, 30n, -10n]);
  expect(shares.reduce((sum, { quote: part }) => sum + (part ?? 0n), 0n)).toBe(1_003n);
  expect(shareHedge(fills, { base: 0n, quote: 0n }).every(({ base }) => base === 0n)).toBe(true);
});

test('of a hedge between two chains on which a token has one address, that end counts that is on the chain of the fills', () => {
  const [asset, quoteAsset] = [addressOf('WETH'), addressOf('USDC')];
  const [here, far] = [CHAIN, CHAIN + 1].map((chainId) => ({ chainId, address: asset, symbol: 'WETH', decimals: 18 }));
  if (here === undefined || far === undefined) throw new Error('two chains');
  const flow = (src: typeof here, dest: typeof here) => {
    const { body } = opened([], { src, dest });
    const moved = { opened: body as HedgeOpened, spent: '100', received: '99' };
    return flowOfHedge(moved, { chainId: CHAIN, asset, quoteAsset });
  };
  expect(flow(far, here)).toEqual({ base: 99n, quote: null });
  expect(flow(here, far)).toEqual({ base: -100n, quote: null });
});

test('settings of automatic hedging that cannot be read are off until they are set again, and take no other pair along', () => {
  const { db, queries, write } = openDirectly(temporaryFolder());
  const settings = {
    on: true,
    threshold: '0.5',
    capPerDay: '5',
    slippageBps: 50,
    maxDistanceBps: 50,
    lossCapPerDay: '0',
    mode: 'market',
    dryRun: false,
  };
  const set = (pair: string) =>
    ({ time: START, actor: 'mara', kind: 'auto_hedge_set', body: { chainId: CHAIN, pair, settings } }) as const;
  write(set('WETH/USDC'), set('WBTC/USDC'));
  for (const unread of ['{"on":tru', '{"on":true}', '"on"']) {
    db.prepare(`UPDATE auto_hedges SET settings = ? WHERE pair = 'WBTC/USDC'`).run(unread);
    const read = new Map(queries.autoHedges().map((one) => [one.pair, one]));
    expect(read.get('WETH/USDC')).toMatchObject({ settings, since: START });
    expect(read.get('WBTC/USDC')).toMatchObject({ settings: null, since: null, sinceSeq: null });
    const [again] = write({ ...set('WBTC/USDC'), time: START + 1 });
    const later = queries.autoHedges().find(({ pair }) => pair === 'WBTC/USDC');
    expect(later, 'set again, from then on').toMatchObject({ settings, since: START + 1, sinceSeq: again });
  }
});
