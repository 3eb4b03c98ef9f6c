import { z } from 'zod';

/** How much of what a service says is shown. */
const MOST_SHOWN = 300;

/** How a service says no: its envelope (PROTOCOL 17), or one of the older forms with a text alone. */
const envelopeSchema = z.union([
  z.object({ errorType: z.string().min(1), details: z.string().optional() }),
  z.object({ error: z.string().min(1) }).transform(({ error }) => ({ errorType: error, details: undefined })),
  z.object({ message: z.string().min(1) }).transform(({ message }) => ({ errorType: message, details: undefined })),
]);

/** The text with which it asks for a permit (PROTOCOL 17). */
const PERMIT_REQUIRED = /Permit \/ Permit2 required/;

/**
 * The words of an answer that is no success: the service's name of the error, null without one, what it said, and whether
 * that asks for a permit. The only place that reads what a service says.
 */
export function refusalWords(text: string): { errorType: string | null; said: string; permitRequired: boolean } {
  const envelope = envelopeSchema.safeParse(parsedOr(text, null)).data;
  if (envelope === undefined) return { errorType: null, said: shown(text), permitRequired: PERMIT_REQUIRED.test(text) };
  const said = [envelope.errorType, envelope.details].filter(Boolean).join(': ');
  return { errorType: envelope.errorType, said: said.slice(0, MOST_SHOWN), permitRequired: PERMIT_REQUIRED.test(said) };
}

/** What came, in one line; a page of HTML is named by its beginning. */
export function shown(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line === '') return 'nothing at all.';
  return line.length <= MOST_SHOWN ? line : `${line.slice(0, MOST_SHOWN)}…`;
}

/** The JSON of a text, or `otherwise` when it is none. */
export function parsedOr<T>(text: string, otherwise: T): unknown | T {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}
