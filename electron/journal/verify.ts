import { availableParallelism } from 'node:os';
import { endFault } from './check-end.ts';
import { type Head, headFile, readHead } from './head-file.ts';
import { journalFile, openForReading } from './open-database.ts';
import { readerTask } from './reader-task.ts';
import { journalFault } from './sqlite-fault.ts';
import { RowMarks } from './table-proof.ts';
import type { VerifiedRange } from './verify-range.ts';

/** `total` is how many rows there are or ought to be; `firstBad` the first of them that is not as it was written. */
export type Verification = { ok: boolean; total: number; firstBad: number | null; detail: string | null };
export type VerifyProgress = { checked: number; total: number };

/** `atNoted` is the hash of the row that the noted head names, as the journal has it. */
type Ends = { last: number; noted: Head | null; atNoted: string | null };

const ROWS_WORTH_A_THREAD = 50_000;
const MOST_THREADS = 8;

/**
 * Walks the journal of a folder from the first row to the last, beside a running desk or without one, and writes
 * nothing. Finds every changed, missing, added or moved row, an end that is cut off, and tables that do not say what the
 * rows say. Parts of the chain are walked side by side: each row carries the hash of the one before it. The tables are looked at
 * as they were when the walk began, in one more thread. After `signal` the threads end as soon as they can, and what is returned
 * means nothing; it is returned once they have ended.
 */
export async function verifyJournal(
  folder: string,
  onProgress?: (progress: VerifyProgress) => void,
  signal?: AbortSignal,
): Promise<Verification> {
  let ends: Ends;
  try {
    ends = readEnds(folder);
  } catch (error) {
    return { ok: false, total: 0, firstBad: null, detail: journalFault(error).message };
  }
  const walking: { done?: Promise<Walked> } = {};
  const tables = await readerTask({ task: 'tables', folder }, (message, reply) => {
    if (message.type === 'begun') {
      walking.done = walk(
        folder,
        message.last,
        (checked, last) => onProgress?.({ checked, total: totalOf(ends, last) }),
        signal,
      );
      void walking.done.then(
        ({ marks, ranges, bad }) =>
          reply(
            bad ? { type: 'close' } : { type: 'prove', marks: marks.bytes, parts: ranges.map(({ facts }) => facts) },
          ),
        () => reply({ type: 'close' }),
      );
    }
    return message.type === 'proven' ? message : undefined;
  }).catch((error: unknown) => ({ fault: journalFault(error).message }));
  const { last, bad, ranges } = await (walking.done ?? walk(folder, ends.last, () => {}, signal));
  const total = totalOf(ends, last);
  const { noted, atNoted } = ends;
  const fault = bad ?? endFault(noted, { last, hashOf: () => atNoted });
  if (fault !== null) return { ok: false, total, firstBad: fault.firstBad, detail: fault.detail };
  const detail = ranges.find(({ tableFault }) => tableFault !== null)?.tableFault ?? tables.fault;
  return { ok: detail === null, total, firstBad: null, detail };
}

function totalOf({ noted }: Ends, last: number): number {
  return Math.max(last, noted?.seq ?? 0);
}

type Bad = Pick<Verification, 'firstBad' | 'detail'>;
type Walked = { last: number; marks: RowMarks; ranges: VerifiedRange[]; bad: Bad | null };

/** The chain from its first row to `last`, in as many parts as there are processors. */
async function walk(
  folder: string,
  last: number,
  onProgress: (checked: number, last: number) => void,
  signal?: AbortSignal,
): Promise<Walked> {
  const marks = RowMarks.upTo(last);
  if (signal?.aborted) marks.breakOff();
  signal?.addEventListener('abort', () => marks.breakOff(), { once: true });
  const parts = split(last);
  const checked = parts.map(() => 0);
  const ranges = await Promise.all(
    parts.map((part, index) =>
      readerTask({ task: 'verify', folder, ...part, marks: marks.bytes }, (message): VerifiedRange | undefined => {
        if (message.type === 'verified') return message.range;
        if (message.type === 'progress') {
          checked[index] = message.checked;
          onProgress(
            checked.reduce((sum, rows) => sum + rows, 0),
            last,
          );
        }
        return undefined;
      }),
    ),
  );
  return { last, marks, ranges, bad: ranges.find(({ firstBad }) => firstBad !== null) ?? null };
}

/** The noted head is read first: rows written after it then only make the journal longer. */
function readEnds(folder: string): Ends {
  const noted = readHead(headFile(folder));
  const db = openForReading(journalFile(folder));
  try {
    return db.transaction((): Ends => {
      const last = db.prepare<[], number | null>('SELECT max(seq) FROM journal').pluck().get() ?? 0;
      const hashOf = db.prepare<[number], string>('SELECT lower(hex(hash)) FROM journal WHERE seq = ?').pluck();
      const atNoted = noted === null ? null : (hashOf.get(noted.seq) ?? null);
      return { last, noted, atNoted };
    })();
  } finally {
    db.close();
  }
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
