/**
 * The one family of errors. `code` is stable and for machines, `message` is one sentence for a person,
 * `remedy` says what to do about it.
 */
export class DeskError extends Error {
  readonly code: string;
  readonly remedy: string;

  constructor(code: string, message: string, options: { remedy?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'DeskError';
    this.code = code;
    this.remedy = options.remedy ?? '';
  }
}
