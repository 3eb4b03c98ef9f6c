import { errorBodySchema } from '../../protocol/wire.ts';
import { printable } from './printable.ts';

/** An answer that is no success: every one is JSON with an `error` text (PROTOCOL 7). */
export interface ErrorAnswer {
  /** The maker's own word for it, if it has one. */
  code: string | null;
  sentence: string;
  isWellFormed: boolean;
}

export function readErrorAnswer(body: unknown): ErrorAnswer {
  const parsed = errorBodySchema.safeParse(body);
  if (!parsed.success) return { code: null, sentence: 'without a JSON error text', isWellFormed: false };
  const { code, error } = parsed.data;
  return { code: code === undefined ? null : printable(code), sentence: printable(error), isWellFormed: true };
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
