import { availableParallelism } from 'node:os';
import { type Head, headFile, readHead } from './head-file.ts';
import { journalFile, openForReading } from './open-database.ts';
import { readerTask } from './reader-task.ts';
import { GENESIS_HASH } from './row-hash.ts';
import { journalFault } from './sqlite-fault.ts';
import type { VerifiedRange } from './verify-range.ts';

/** `total` is how many rows there are or ought to be; `firstBad` the first of them that is not as it was written. */
export type Verification = { ok: boolean; total: number; firstBad: number | null; detail: string | null };
export type VerifyProgress = { checked: number; total: number };

type Ends = { last: number; noted: Head | null; atNoted: string | null; counts: number[] };

/** Tables with a row for each event of these kinds. */
const COUNTED = [
  { table: 'quotes', kinds: ['quote', 'nft_order'] },
  { table: 'fills', kinds: ['fill'] },
  { table: 'cancels', kinds: ['cancel'] },
];

const ROWS_WORTH_A_THREAD = 50_000;
const MOST_THREADS = 4;

/**
 * Walks the journal of a folder from the first row to the last, beside a running desk or without one, and writes
 * nothing. Finds every changed, missing, added or moved row, an end that is cut off, and tables that do not say what the
 * rows say. Parts of the chain are walked side by side: each row carries the hash
 * of the one before it.
 */
export async function verifyJournal(
  folder: string,
  onProgress?: (progress: VerifyProgress) => void,
): Promise<Verification> {
  let ends: Ends;
  try {
    ends = readEnds(folder);
  } catch (error) {
    return { ok: false, total: 0, firstBad: null, detail: journalFault(error).message };
  }
  const { last, noted } = ends;
  const total = Math.max(last, noted?.seq ?? 0);
  const bad = (firstBad: number | null, detail: string): Verification => ({ ok: false, total, firstBad, detail });

  const provenTables = readerTask({ task: 'tables', folder }, (message) =>
    message.type === 'proven' ? { fault: message.fault } : undefined,
  ).catch((error: unknown) => ({ fault: journalFault(error).message }));
  const parts = split(last);
  const checked = parts.map(() => 0);
  const ranges = await Promise.all(
    parts.map(({ from, to }, index) =>
      readerTask({ task: 'verify', folder, from, to }, (message): VerifiedRange | undefined => {
        if (message.type === 'verified') return message.range;
        if (message.type === 'progress') {
          checked[index] = message.checked;
          onProgress?.({ checked: checked.reduce((sum, rows) => sum + rows, 0), total });
        }
        return undefined;
      }),
    ),
  );
  const tables = await provenTables;
  const broken = ranges.find((range) => range.firstBad !== null);
  if (broken !== undefined) return bad(broken.firstBad, broken.detail ?? '');
  const fault = endFault(ends, bad) ?? countFault(ends, ranges, bad);
  if (fault !== null) return fault;
  return tables.fault !== null ? bad(null, tables.fault) : { ok: true, total, firstBad: null, detail: null };
}

/** The noted head is read first: rows written after it then only make the journal longer. */
function readEnds(folder: string): Ends {
  const noted = readHead(headFile(folder));
  const db = openForReading(journalFile(folder));
  try {
    return db.transaction((): Ends => {
      const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
      const hashOf = db.prepare<[number], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = ?').pluck();
      const atNoted = noted === null || noted.seq === 0 ? GENESIS_HASH : (hashOf.get(noted.seq) ?? null);
      const count = (table: string) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get() ?? 0;
      return {
        last,
        noted,
        atNoted,
        counts: COUNTED.map(({ table }) => count(table)),
      };
    })();
  } finally {
    db.close();
  }
}

type Bad = (firstBad: number | null, detail: string) => Verification;

function endFault({ last, noted, atNoted }: Ends, bad: Bad): Verification | null {
  if (noted === null) {
    return last === 0 ? null : bad(null, 'journal.head is missing, so rows cut off the end would not be noticed.');
  }
  if (noted.seq > last) return bad(last + 1, `Row ${noted.seq} was written, but the journal ends at row ${last}.`);
  return atNoted === noted.hash ? null : bad(noted.seq, `Row ${noted.seq} is not the one noted in journal.head.`);
}

function countFault({ counts }: Ends, ranges: VerifiedRange[], bad: Bad): Verification | null {
  for (const [index, { table, kinds: wanted }] of COUNTED.entries()) {
    const events = ranges.reduce(
      (sum, { kinds }) => sum + wanted.reduce((more, kind) => more + (kinds[kind] ?? 0), 0),
      0,
    );
    if (events === counts[index]) continue;
    const what = wanted.join(' and ');
    return bad(null, `The journal has ${events} events of ${what}, the table ${table} has ${counts[index]} rows.`);
  }
  return null;
}

function split(last: number): { from: number; to: number }[] {
  const threads = Math.min(MOST_THREADS, availableParallelism(), Math.max(1, Math.ceil(last / ROWS_WORTH_A_THREAD)));
  const size = Math.ceil(last / threads);
  const parts = Array.from({ length: threads }, (_, part) => ({
    from: part * size + 1,
    to: Math.min((part + 1) * size, last),
  }));
  return parts.filter(({ from, to }) => from <= to);
}
