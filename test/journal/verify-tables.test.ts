import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type Database, SqliteError } from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewEvent } from '../../electron/journal/events.ts';
import { projectedTables } from '../../electron/journal/migrations.ts';
import { journalFile } from '../../electron/journal/open-database.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { howOften } from '../how-often.ts';
import { openDirectly, temporaryFolder, verifyDirectly } from './fixture.ts';
import { CHAIN, cancel, fill, quote, quoteBody, REFUSED, reverted, START } from './sample-events.ts';

/** The hours of pairs only count what is in other tables, and no sum is proven. */
const PROVEN = projectedTables(SLICES).filter((table) => table !== 'pair_hours');

const SOUND = { firstBad: null, fault: null };

/** What the program of schema 10 wrote: quotes in every state, alarms, stops, a blacklist; and what that of schema 5 wrote: hedges. */
function written(schema: number): Database {
  const folder = temporaryFolder();
  const file = new URL(`./earlier/schema-${schema}.db.gz`, import.meta.url);
  writeFileSync(journalFile(folder), gunzipSync(readFileSync(file)));
  const { db, write } = openDirectly(folder);
  const byHand = quoteBody(901, { pair: null, side: null });
  const seqs = write(
    ...[
      quote(900),
      quote(902),
      quote(903, REFUSED),
      { time: START, actor: 'mara', kind: 'nft_order' as const, body: byHand },
    ],
    ...[fill(900, 910, { makerAmount: '3000' }), fill(900, 911), cancel(900, 912), fill(902, 913), cancel(901, 914)],
  );
  const [signed, , , , first] = seqs.map(Number);
  const desk = { time: START, actor: 'desk' };
  const later: NewEvent[] = [
    reverted(first ?? 0, 900),
    { ...desk, kind: 'quote_withheld', body: { chainId: CHAIN, quoteSeq: (signed ?? 0) + 1, code: 'halted' } },
    fill(902, 915),
    { ...desk, kind: 'quotes_expired', body: { chainId: CHAIN, quoteSeqs: [signed ?? 0] } },
    { ...desk, kind: 'alarms_acknowledged', body: { seqs: [first ?? 0], reason: 'looked at' } },
  ];
  expect([...seqs, ...write(...later)].every((seq) => typeof seq === 'number')).toBe(true);
  // Whoever changes the file by hand is not held up by what would refuse a row.
  db.pragma('ignore_check_constraints = ON');
  const unique = db.prepare<[], string>(`SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE UNIQUE INDEX%'`).pluck();
  for (const index of unique.all()) db.exec(`DROP INDEX ${index}`);
  return db;
}

type Column = { name: string; type: string; pk: number; notnull: number };
type Value = number | string | Buffer | null;

function another(value: Value, type: string): Value {
  if (typeof value === 'number') return value === 0 || value === 1 ? 1 - value : value + 100_000;
  if (typeof value === 'string') return `${value}1`;
  if (value !== null) return Buffer.from(value.map((byte, index) => (index === 0 ? byte ^ 1 : byte)));
  return type === 'INTEGER' ? 100_000 : type === 'TEXT' ? '1' : Buffer.alloc(32, 1);
}

/** A table with all its rows, and what puts another row in the place of one. */
function tableOf(db: Database, table: string) {
  const columns = db.pragma(`table_info(${table})`) as Column[];
  const names = columns.map(({ name }) => name);
  const rows = db.prepare<[], Value[]>(`SELECT ${names} FROM ${table}`).raw().all();
  // Text is given as its bytes: not every text that lies in a file is one that can be said.
  const cell = ({ type }: Column) => (type === 'TEXT' ? 'CAST(? AS TEXT)' : '?');
  const put = db.prepare(`INSERT INTO ${table} (${names}) VALUES (${columns.map(cell)})`);
  const takeOut = db.prepare(
    `DELETE FROM ${table} WHERE ${columns.map((column) => `${column.name} IS ${cell(column)}`).join(' AND ')}`,
  );
  const replace = (one: Bound[], other: Bound[]) => {
    if (one.length > 0) expect(takeOut.run(...one).changes).toBe(1);
    put.run(...other);
  };
  return { table, columns, rows, replace };
}

type Bound = Value | bigint;

/** The value with one bit of one of its bytes the other way round. */
function withOneBit(value: number | string | Buffer, at: number, bit: number): Bound {
  if (typeof value === 'number') return BigInt.asIntN(64, BigInt(value) ^ (1n << BigInt((at % 8) * 8 + bit)));
  const bytes = Buffer.from(value);
  bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit);
  return bytes;
}

for (const schema of [5, 10]) {
  describe(`the tables of a journal of schema ${schema}`, () => {
    it('have no byte in any column of any row that could be changed unnoticed', () => {
      const db = written(schema);
      const cells = PROVEN.map((table) => tableOf(db, table)).flatMap(({ table, columns, rows, replace }) =>
        rows.flatMap((row) =>
          columns.flatMap(({ name }, index) => {
            const was = row[index];
            return was === null || was === undefined || was === '' ? [] : [{ table, name, index, was, row, replace }];
          }),
        ),
      );
      const change = fc.record({
        // Tables with few rows as often as those with many.
        table: fc.constantFrom(...new Set(cells.map(({ table }) => table))),
        cell: fc.nat(),
        at: fc.nat(),
        bit: fc.nat({ max: 7 }),
      });
      fc.assert(
        fc.property(change, ({ table, cell, at, bit }) => {
          const ofTable = cells.filter((one) => one.table === table);
          const { index, was, row, replace, name } = ofTable[cell % ofTable.length] ?? expect.unreachable();
          const changed: Bound[] = row.with(index, null);
          changed[index] = withOneBit(was, at, bit);
          try {
            replace(row, changed);
          } catch (error) {
            replace([], row); // there is a row of that number
            fc.pre(!(error instanceof SqliteError));
            throw error;
          }
          const { firstBad, fault } = verifyDirectly(db);
          replace(changed, row);
          expect([table, name, firstBad, fault]).toEqual([table, name, null, expect.any(String)]);
        }),
        { numRuns: howOften(60, 300) },
      );
      expect(verifyDirectly(db)).toEqual(SOUND);
    }, 900_000);

    it('verify, and every change to any column of any row is found, so is each row that is taken out or put in', () => {
      const db = written(schema);
      expect(verifyDirectly(db)).toEqual(SOUND);
      const unnoticed: unknown[] = [];
      const tampered = (what: unknown[], tamper: () => void, undo: () => void) => {
        tamper();
        const { firstBad, fault } = verifyDirectly(db);
        if (firstBad !== null || fault === null) unnoticed.push(what);
        undo();
      };
      let changes = 0;
      for (const table of PROVEN) {
        const columns = db.pragma(`table_info(${table})`) as Column[];
        const names = columns.map(({ name }) => name);
        const put = db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`);
        const takeOut = db.prepare(`DELETE FROM ${table} WHERE ${names.map((name) => `${name} IS ?`).join(' AND ')}`);
        const rows = db.prepare<[], Value[]>(`SELECT ${names} FROM ${table}`).raw().all();
        const apart = Math.ceil(rows.length / howOften(1, 60));
        for (const row of rows.filter((_, index) => index % apart === 0)) {
          const replace = (one: Value[], other: Value[]) => {
            expect(takeOut.run(...one).changes).toBe(1);
            put.run(...other);
          };
          tampered(
            [table, 'taken out', row],
            () => takeOut.run(...row),
            () => put.run(...row),
          );
          const strange = row.map((value, index) => (columns[index]?.pk ? another(value, '') : value));
          tampered(
            [table, 'put in', row],
            () => put.run(...strange),
            () => takeOut.run(...strange),
          );
          for (const [index, { name, type, notnull }] of columns.entries()) {
            const was = row[index] ?? null;
            const values = [another(was, type), ...(was === null || notnull || columns[index]?.pk ? [] : [null])];
            for (const value of values) {
              const changed = row.with(index, value);
              tampered(
                [table, name, value, row],
                () => replace(row, changed),
                () => replace(changed, row),
              );
              changes += 1;
            }
          }
        }
      }
      expect(unnoticed).toEqual([]);
      expect(changes).toBeGreaterThan(100);
      expect(verifyDirectly(db)).toEqual(SOUND);
    }, 900_000);
  });
}

describe('tables that agree with each other, and not with the journal', () => {
  it('are found: a fill that was never taken back, one that was, an end that nobody said, an order without its fill', () => {
    const honest = () => {
      const { db, write } = openDirectly();
      const amounts = { makerAmount: '4000', takerAmount: '50' };
      const seqs = write(quote(1), quote(2), fill(1, 1, amounts), fill(2, 2, amounts), quote(3)).map(Number);
      write(reverted(seqs[3] ?? 0, 2));
      return { db, seqs };
    };
    const { db: untouched, seqs } = honest();
    expect(verifyDirectly(untouched)).toEqual(SOUND);
    const [first, second, fillOfFirst, fillOfSecond, third] = seqs;
    const unfilled = `state = 'live', filled_maker_amount = NULL, filled_taker_amount = NULL`;
    const filled = `state = 'part_filled', filled_maker_amount = '4000', filled_taker_amount = '50'`;
    const lies: [string, RegExp][] = [
      [
        `UPDATE fills SET reverted = 1 WHERE seq = ${fillOfFirst}; UPDATE quotes SET ${unfilled} WHERE seq = ${first}`,
        /taken back, which the journal does not say/,
      ],
      [
        `UPDATE fills SET reverted = 0 WHERE seq = ${fillOfSecond}; UPDATE quotes SET ${filled} WHERE seq = ${second}`,
        /was taken back, which its table does not say/,
      ],
      [`UPDATE quotes SET state = 'expired', ended = 'expired' WHERE seq = ${third}`, /but live \(open/],
      [
        `DELETE FROM fills WHERE seq = ${fillOfFirst}; UPDATE quotes SET ${unfilled} WHERE seq = ${first}`,
        /fills has no row/,
      ],
      [
        `UPDATE fills SET quote_seq = ${third} WHERE seq = ${fillOfFirst}; UPDATE quotes SET ${unfilled} WHERE seq = ${first};
         UPDATE quotes SET ${filled} WHERE seq = ${third}`,
        /with another quote/,
      ],
    ];
    for (const [sql, sentence] of lies) {
      const { db } = honest();
      db.exec(sql);
      expect([sql, verifyDirectly(db)]).toEqual([sql, { firstBad: null, fault: expect.stringMatching(sentence) }]);
    }
  });
});
