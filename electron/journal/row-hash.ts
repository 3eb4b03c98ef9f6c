import { hash } from 'node:crypto';

/** What the first row has in place of the hash of the row before it. */
export const GENESIS_HASH = '0'.repeat(64);

/** The parts of a journal row that its hash covers. `body` is the JSON text exactly as stored. */
export type HashedRow = {
  seq: number;
  /** Unix milliseconds. */
  time: number;
  actor: string;
  kind: string;
  body: string;
  /** Hash of the row before, 64 lower-case hex characters. */
  previous: string;
};

/**
 * The text a row's hash is taken over: a JSON array of the short parts, then the body as it is. No two different rows
 * have the same text, since the array says itself where it ends.
 */
export function canonicalRow({ seq, time, actor, kind, body, previous }: HashedRow): string {
  return `[${seq},${time},${quoted(actor)},${quoted(kind)},"${previous}"]${body}`;
}

/** Of actors and kinds there are a few, in millions of rows. */
const KNOWN = new Map<string, string>();
const MOST_KNOWN = 1_000;

function quoted(text: string): string {
  const known = KNOWN.get(text);
  if (known !== undefined) return known;
  const made = JSON.stringify(text);
  if (KNOWN.size < MOST_KNOWN) KNOWN.set(text, made);
  return made;
}

/** SHA-256 of the canonical text, in lower-case hex. */
export function rowHash(row: HashedRow): string {
  return hash('sha256', canonicalRow(row), 'hex');
}
