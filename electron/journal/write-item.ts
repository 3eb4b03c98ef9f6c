import { DeskError, type ErrorCode } from '../protocol/desk-error.ts';
import type { Head } from './head-file.ts';

/** An event whose body is already the text that will be stored and hashed. */
export type EventText = { time: number; actor: string; kind: string; body: string };

/** A write to a table outside the chain, as its slice has checked it. */
type TableWrite = { readonly table: string };

export type WriteItem = EventText | TableWrite;

/** What became of an item: its place in the journal, nothing for a plain write, or why it was refused. */
export type WriteResult = Head | null | ErrorText;

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
