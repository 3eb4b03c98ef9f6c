import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { loadBook } from '../../electron/book/load-book.ts';
import { schemaVersion } from '../../electron/journal/migrate.ts';
import { migrationsOf } from '../../electron/journal/migrations.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { openDirectly, openTestJournal, temporaryFolder, verifyDirectly } from './fixture.ts';
import { addressOf, CHAIN, fill, hashOf, quote } from './sample-events.ts';
import { tableContents } from './table-contents.ts';

/**
 * A folder with a journal as the program of schema 5 wrote it: a desk, its stops, quotes in every state, fills of its own and of
 * strange orders, some taken back, hedges that ended and that run, automatic hedging, and a chain begun anew.
 */
function earlierFolder(schema = 5): string {
  const folder = temporaryFolder();
  const file = new URL(`./earlier/schema-${schema}.db.gz`, import.meta.url);
  writeFileSync(journalFile(folder), gunzipSync(readFileSync(file)));
  return folder;
}

test('a journal of schema 5 opens with what it held: open orders, hedges, switches and settings', () => {
  const { db, queries } = openDirectly(earlierFolder());
  expect(schemaVersion(db)).toBe(migrationsOf(SLICES).length);
  const open = queries.openQuotes().map(({ orderHash }) => orderHash);
  expect(open, 'also those whose time is long over, until a chain has shown it').toEqual(
    [2, 7, 8, 9, 21].map((number) => hashOf(`order ${number}`)),
  );
  expect(queries.openHedges()).toMatchObject([
    { state: 'approving', cancel: 'no', pending: { purpose: 'approval', hash: hashOf('b'), nonce: 8 } },
    { state: 'submitted', cancel: 'signed', orderId: 'id-1', spent: '10', received: '3' },
  ]);
  expect(queries.autoHedges()).toMatchObject([
    { pair: 'WETH/USDC', settings: { on: true, capPerDay: '2', maxDistanceBps: 50, lossCapPerDay: '0' }, said: null },
  ]);
  expect(queries.givenSpenders().map(({ spender }) => spender)).toEqual([addressOf('router'), addressOf('intent')]);
  const [[, chain] = []] = loadBook(queries.storedBook()).chains;
  const limits = { headAheadMaxSeconds: 15, headMaxAgeSeconds: 120, unknownFillHalts: true };
  expect(chain?.settings).toMatchObject({ ...limits, overfillBps: 100, offReferenceCloses: 'through' });
  expect(chain?.setApart).toEqual([]);
});

test('fills of orders that a desk of schema 5 never signed or never handed over are alarms from then on', () => {
  const { queries } = openDirectly(earlierFolder());
  const strange = queries.openAlarms().map(({ kind, body }) => [kind, 'orderHash' in body && body.orderHash]);
  expect(strange).toEqual([99, 5, 98].map((number) => ['fill', hashOf(`order ${number}`)]));
});

test('a journal of schema 5 goes on, and what is rebuilt from its rows is what its tables say', async () => {
  const folder = earlierFolder();
  const journal = await openTestJournal(folder);
  await journal.append(quote(49)); // which notes the end of it: the file came without a head
  await journal.close();
  expect(await verifyJournal(folder)).toMatchObject({ ok: true });
  const { db, write } = openDirectly(folder);
  const written = write(quote(50), fill(50, 60), fill(51, 61));
  expect(written.every((seq) => typeof seq === 'number')).toBe(true);
  const contents = () => {
    const { hedges = [], ...tables } = tableContents(db);
    // What came back in other tokens: a hedge of that time has none of it, and now says so.
    const records = hedges.map((row) => JSON.parse((row as { record: string }).record));
    return { ...tables, hedges: records.map(({ others, ...record }) => record) };
  };
  const before = contents();
  rebuildProjections(db, SLICES);
  expect(contents()).toEqual(before);
});

/**
 * The journal of schema 10 was written before domains had slices: two imports, following, a pair that was retired and came back,
 * limits, takers, a blacklist, stops of every scope with their words, quotes in every state, alarms, and rows outside the chain.
 */
test('a journal from before the slices opens, holds together, goes on and is rebuilt to the tables it came with', async () => {
  const folder = earlierFolder(10);
  const { db, write, queries } = openDirectly(folder);
  const came = tableContents(db);
  expect(Object.entries(came).filter(([, rows]) => rows.length > 0)).toHaveLength(18);
  expect(verifyDirectly(db)).toEqual({ firstBad: null, fault: null });
  rebuildProjections(db, SLICES);
  expect(tableContents(db)).toEqual(came);
  expect(queries.stops({ which: 'all', limit: 20 }).rows.filter(({ ended }) => ended === null)).toHaveLength(3);
  expect(queries.switchedOff()).toEqual([[CHAIN, { 'WETH/USDC': ['asks'] }]]);
  expect(queries.setting('layout')).toEqual({ wide: true });
  expect(queries.heartbeats()).toHaveLength(1);
  expect(write(quote(70), fill(70, 80)).every((seq) => typeof seq === 'number')).toBe(true);
  db.close();
  const journal = await openTestJournal(folder);
  await journal.append(quote(71)); // which notes the end of it: the file came without a head
  await journal.close();
  expect(await verifyJournal(folder)).toMatchObject({ ok: true, total: 49 });
});
