import type { OpenedFile } from './open-journal-file.ts';
import type { ErrorText, WriteItem, WriteResult } from './write-item.ts';

/** What the writer thread is started with. `openedAt` is Unix milliseconds, `witness` the folder where witnesses lie. */
export type WriterStart = { folder: string; openedAt: number; witness?: string | undefined };

export type ToWriter = { type: 'write'; items: WriteItem[] } | { type: 'close' };

export type FromWriter =
  | ({ type: 'opened' } & Pick<OpenedFile, 'head' | 'doubts' | 'missingByHand' | 'longestLifetimeSeconds'>)
  | { type: 'witness'; fault: string | null }
  | { type: 'written'; results: WriteResult[] }
  | { type: 'failed'; error: ErrorText }
  | { type: 'closed' };
