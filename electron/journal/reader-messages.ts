import type { ArchivedRows } from './archivable-rows.ts';
import type { Archive } from './archives.ts';
import type { Copied } from './backup.ts';
import type { QueryName } from './queries.ts';
import type { RowMarks } from './table-proof.ts';
import type { RangeFacts, VerifiedRange } from './verify-range.ts';
import type { ErrorText } from './write-item.ts';

/** What a reader thread is started for: to answer queries, to copy the journal, to walk a part of its chain, to prove its tables, or to archive rows. */
export type ReaderStart =
  | { task: 'queries'; folder: string }
  | { task: 'backup'; folder: string; target: string }
  | { task: 'verify'; folder: string; from: number; to: number; marks: RowMarks['bytes'] }
  | { task: 'tables'; folder: string }
  | { task: 'archive'; folder: string; before: number }
  | { task: 'left'; folder: string; archive: Archive };

/** `close` is answered by the thread's end, after everything asked before it. */
export type ToReader = { type: 'query'; id: number; query: QueryName; args: unknown[] } | { type: 'close' };

/** To a thread that proves tables: what the rows of the journal say of them, or that nobody wants to know any more. */
export type ToProver = { type: 'prove'; parts: RangeFacts[]; marks: RowMarks['bytes'] } | { type: 'close' };

export type FromReader =
  | { type: 'answer'; id: number; value: unknown; tookMs: number }
  | { type: 'refused'; id: number; error: ErrorText }
  | ({ type: 'copied' } & Copied)
  | { type: 'archived'; archive: ArchivedRows | null }
  | { type: 'left'; seqs: number[] }
  | { type: 'progress'; checked: number }
  | { type: 'verified'; range: VerifiedRange }
  | { type: 'begun'; last: number }
  | { type: 'proven'; fault: string | null }
  | { type: 'failed'; error: ErrorText };
