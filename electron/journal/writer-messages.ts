import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';
import type { HandOrder } from './events.ts';
import type { Head } from './head-file.ts';
import type { PlainWrite } from './plain-write.ts';

/** What the writer thread is started with. `openedAt` is Unix milliseconds, `witness` the folder where witnesses lie. */
export type WriterStart = { folder: string; openedAt: number; witness?: string | undefined };

/** An event whose body is already the text that will be stored and hashed. */
export type EventText = { time: number; actor: string; kind: string; body: string };

export type WriteItem = EventText | PlainWrite;

export type ToWriter = { type: 'write'; items: WriteItem[] } | { type: 'close' };

/** What became of an item: its place in the journal, nothing for a plain write, or why it was refused. */
export type WriteResult = Head | null | ErrorText;

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

/** A desk error on its way between threads. */
export type ErrorText = { code: ErrorCode; message: string; remedy: string; cause: string | null };

export function errorToText(error: unknown): ErrorText {
  if (error instanceof DeskError) {
    const cause = error.cause === undefined ? null : String(error.cause);
    return { code: error.code, message: error.message, remedy: error.remedy, cause };
  }
  return { code: 'journal_failed', message: `The journal stopped: ${String(error)}`, remedy: '', cause: null };
}

export function errorFromText({ code, message, remedy, cause }: ErrorText): DeskError {
  return new DeskError(code, message, { remedy, cause: cause ?? undefined });
}
