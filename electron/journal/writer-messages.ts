import type { HandOrder } from './desk/events.ts';
import type { Head } from './head-file.ts';
import type { ErrorText, WriteItem, WriteResult } from './write-item.ts';

/** What the writer thread is started with. `openedAt` is Unix milliseconds, `witness` the folder where witnesses lie. */
export type WriterStart = { folder: string; openedAt: number; witness?: string | undefined };

export type ToWriter = { type: 'write'; items: WriteItem[] } | { type: 'close' };

export type FromWriter =
  | {
      type: 'opened';
      head: Head;
      doubts: string[];
      missingByHand: HandOrder[] | null;
      longestLifetimeSeconds: number;
    }
  | { type: 'witness'; fault: string | null }
  | { type: 'written'; results: WriteResult[] }
  | { type: 'failed'; error: ErrorText }
  | { type: 'closed' };
