import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { NewEvent } from '../../electron/journal/events.ts';
import { type DirectJournal, openDirectly, temporaryFolder } from './fixture.ts';
import { CHAIN, cancel, fill, quote, quoteBody, REFUSED, reverted, START } from './sample-events.ts';

const DAY_MS = 86_400_000;
const desk = { time: START, actor: 'desk' };
const over = (...quoteSeqs: number[]): NewEvent => {
  return { ...desk, kind: 'quotes_expired', body: { chainId: CHAIN, quoteSeqs } };
};

/** What is found while `sql` has been run; it is taken back afterwards. */
function provenAfter({ db, queries }: DirectJournal, sql: string, now = START) {
  db.exec('BEGIN');
  try {
    db.exec(sql);
    const { open, faults } = queries.provenOpenQuotes(now);
    return { open: open.map(({ seq, filledMakerAmount }) => [seq, filledMakerAmount]), faults };
  } finally {
    db.exec('ROLLBACK');
  }
}

test('a tail with more in it than the memory holds is proven, to its oldest row', () => {
  const folder = temporaryFolder();
  const { db, write } = openDirectly(folder);
  const [rows, bytes] = [6_000, 32 * 1_024]; // 190 MB
  for (let from = 1; from <= rows; from += 500) {
    const numbers = Array.from({ length: 500 }, (_, index) => from + index);
    write(...numbers.map((number) => quote(number, { requestBody: 'x'.repeat(bytes) })));
  }
  write(over(...Array.from({ length: rows - 4 }, (_, index) => index + 3)));
  db.exec(`UPDATE quotes SET state = 'expired', ended = 'expired' WHERE seq = 1`);
  const script = fileURLToPath(new URL('./prove-in-little-memory.ts', import.meta.url));
  const found = execFileSync(process.execPath, ['--max-old-space-size=64', script, folder], { encoding: 'utf8' });
  expect(JSON.parse(found)).toEqual({
    open: [1, 2, rows - 1, rows],
    faults: ['The order of row 1 is live with 0 filled; in the tables it is expired with 0 filled.'],
  });
});

test('whatever is changed of an order of the tail is found, wherever it stands', () => {
  const rows = 2_500;
  const journal = openDirectly();
  journal.write(...Array.from({ length: rows }, (_, index) => quote(index + 1)));
  const last = rows + 4;
  journal.write(fill(7, 1), fill(7, 2), reverted(rows + 1, 7), over(3));
  const untouched = provenAfter(journal, '');
  expect(untouched.faults).toEqual([]);
  expect(untouched.open).toHaveLength(rows - 1);
  expect(untouched.open).toContainEqual([7, '4000']);
  for (const seq of [1, 1_024, 1_025, rows]) {
    const changes: [string, RegExp[]][] = [
      [`UPDATE quotes SET state = 'expired', ended = 'expired' WHERE seq = ${seq}`, [/row \d+ is live .* is expired/]],
      [`UPDATE quotes SET filled_maker_amount = '1' WHERE seq = ${seq}`, [/live with 0 filled; .* with 1 filled/]],
      [`DELETE FROM quotes WHERE seq = ${seq}`, [/in the tables it is not there/]],
      [`UPDATE main.journal SET time = time + 1 WHERE seq = ${seq}`, [/was changed/]],
      [`UPDATE main.journal SET body = json_set(body, '$.makerAmount', '1') WHERE seq = ${seq}`, [/was changed/]],
      [`UPDATE main.journal SET hash = zeroblob(32) WHERE seq = ${seq}`, [/was changed/]],
    ];
    for (const [sql, told] of changes) {
      const { open, faults } = provenAfter(journal, sql);
      expect([sql, faults]).toEqual([sql, told.map((pattern) => expect.stringMatching(pattern))]);
      expect(faults.join(), sql).toMatch(new RegExp(`row ${seq} `, 'i'));
      expect(open, sql).toHaveLength(rows - 1);
    }
  }
  const others: [string, string[]][] = [
    [
      `DELETE FROM main.journal WHERE seq = 1500`,
      ['Row 1499 of the journal was changed.', '1500 is in the tables alone'],
    ],
    [`UPDATE quotes SET seq = 9999 WHERE seq = 1500`, ['row 9999 is in the tables alone', 'row 1500 is live']],
    [
      `UPDATE main.journal SET body = 'x' WHERE seq = ${last}`,
      [`Row ${last} of the journal was changed`, 'cannot be read'],
    ],
    [`UPDATE quotes SET filled_maker_amount = '8000' WHERE seq = 7`, ['part_filled with 4000 filled']],
    [
      `UPDATE quotes SET state = 'live', ended = NULL WHERE seq = 3`,
      ['row 3 is expired with 0 filled; in the tables it'],
    ],
  ];
  for (const [sql, told] of others) {
    const { faults } = provenAfter(journal, sql);
    for (const part of told) expect(faults.join(), sql).toContain(part);
  }
  expect(provenAfter(journal, 'DELETE FROM main.journal').faults.at(-1)).toBe(`The same goes for ${rows - 3} more.`);
  expect(provenAfter(journal, `UPDATE quotes SET state = 'withheld', ended = 'withheld'`).faults).toHaveLength(4);
});

test('an end that stands before its order, or was taken back, ends nothing', () => {
  const journal = openDirectly();
  journal.write(over(3, 4), fill(1, 1), quote(1), quote(2), cancel(2, 2), reverted(5, 2));
  expect(provenAfter(journal, '')).toEqual({
    open: [
      [3, '0'],
      [4, '0'],
    ],
    faults: [],
  });
});

/** An order that was signed by hand ten days ago, for twenty, with more behind it than the tail takes. */
function byHand(...after: NewEvent[]): DirectJournal {
  const journal = openDirectly();
  const then = START - 10 * DAY_MS;
  const body = {
    ...quoteBody(1, { pair: null, side: null, ladderRevision: null, balance: null, allowance: null, exposure: null }),
    makerNft: { kind: 'erc1155' as const, id: '7' },
    expiry: (START + 10 * DAY_MS) / 1_000,
  };
  journal.write(
    { time: then, actor: 'mara', kind: 'nft_order', body },
    ...after.map((event) => ({ ...event, time: then })),
  );
  for (let from = 0; from < 4; from += 1) {
    journal.write(...Array.from({ length: 600 }, (_, index) => quote(2, REFUSED, then + from * 600 + index)));
  }
  journal.write(quote(3));
  return journal;
}

const WHOLE = [1, '0'];
const isOpen = { open: [WHOLE, expect.anything()], faults: [] };
const isOver = { open: [[expect.any(Number), '0']], faults: [] };

test('an order signed by hand weeks ago that only the tables have as ended counts whole, and each way is told', () => {
  const journal = byHand(fill(9, 4, { makerAmount: '10000' }), cancel(9, 5));
  expect(provenAfter(journal, '')).toEqual(isOpen);
  const changes = [
    `UPDATE quotes SET state = 'expired', ended = 'expired' WHERE seq = 1`,
    `UPDATE quotes SET state = 'withheld', ended = 'withheld' WHERE seq = 1`,
    `UPDATE quotes SET state = 'cancelled' WHERE seq = 1`,
    `UPDATE quotes SET state = 'filled', filled_maker_amount = '10000' WHERE seq = 1`,
    `UPDATE quotes SET state = 'part_filled', filled_maker_amount = '9999' WHERE seq = 1`,
    `UPDATE quotes SET filled_maker_amount = 'x' WHERE seq = 1`,
    `UPDATE quotes SET expiry = 1, state = 'expired', ended = 'expired' WHERE seq = 1`,
    `DELETE FROM quotes WHERE seq = 1`,
    // Fills and cancels that are another order's, or no fill at all.
    `UPDATE fills SET quote_seq = 1; UPDATE quotes SET state = 'filled', filled_maker_amount = '10000' WHERE seq = 1`,
    `UPDATE cancels SET quote_seq = 1; UPDATE quotes SET state = 'cancelled' WHERE seq = 1`,
    `UPDATE fills SET quote_seq = 1, seq = 10; UPDATE quotes SET state = 'filled', filled_maker_amount = '1' WHERE seq = 1`,
  ];
  for (const sql of changes) {
    const { open, faults } = provenAfter(journal, sql);
    expect([sql, open[0]]).toEqual([sql, WHOLE]);
    expect([sql, faults]).toEqual([
      sql,
      [expect.stringContaining('The order of row 1 is live with 0 filled; in the tables')],
    ]);
  }
  const { faults } = provenAfter(journal, `UPDATE main.journal SET body = json_set(body, '$.expiry', 1) WHERE seq = 1`);
  expect(faults).toContainEqual('Row 1 of the journal was changed.');
});

test('an order signed by hand weeks ago is over, or open in part, where rows of the journal say so', () => {
  const withheld: NewEvent = { ...desk, kind: 'quote_withheld', body: { chainId: CHAIN, quoteSeq: 1, code: 'halted' } };
  const reset: NewEvent = { ...desk, kind: 'chain_reset', body: { chainId: CHAIN, quoteSeqs: [1] } };
  for (const event of [withheld, reset, cancel(1, 1), fill(1, 1, { makerAmount: '10000' })]) {
    expect([event.kind, provenAfter(byHand(event), '')]).toEqual([event.kind, isOver]);
  }
  const inPart = byHand(fill(1, 1), fill(1, 2), reverted(2, 1));
  expect(provenAfter(inPart, '')).toEqual({ open: [[1, '4000'], expect.anything()], faults: [] });
  const takenBack = byHand(cancel(1, 1), reverted(2, 1));
  expect(provenAfter(takenBack, '')).toEqual(isOpen);
  const hidden = `UPDATE cancels SET reverted = 0; UPDATE quotes SET state = 'cancelled' WHERE seq = 1`;
  expect(provenAfter(takenBack, hidden)).toMatchObject({
    open: [WHOLE, [expect.anything(), '0']],
    faults: [expect.stringContaining('is live')],
  });
});

test('an order signed by hand whose time is over is over once its row says so, and counts until then', () => {
  const journal = byHand();
  const later = START + 11 * DAY_MS;
  journal.write(quote(4, REFUSED, later));
  expect(provenAfter(journal, '', later)).toEqual(isOpen);
  journal.write({ ...over(1), time: later });
  expect(provenAfter(journal, '', later)).toEqual(isOver);
});
