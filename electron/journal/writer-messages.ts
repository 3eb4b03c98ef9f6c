import type { OpenedFile } from './open-journal-file.ts';
import type { FoundAtOpening } from './slices.ts';
import type { ErrorText, WriteItem, WriteResult } from './write-item.ts';

/** What the writer thread is started with. `openedAt` is Unix milliseconds, `witness` the folder where witnesses lie. */
export type WriterStart = { folder: string; openedAt: number; witness?: string | undefined };

export type ToWriter = { type: 'write'; items: WriteItem[] } | { type: 'close' };

export type FromWriter =
  | ({ type: 'opened'; found: FoundAtOpening } & Pick<OpenedFile, 'head' | 'doubts'>)
  | { type: 'witness'; fault: string | null }
  | { type: 'written'; results: WriteResult[] }
  | { type: 'failed'; error: ErrorText }
  | { type: 'closed' };
