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
  return `[${seq},${time},${JSON.stringify(actor)},${JSON.stringify(kind)},"${previous}"]${body}`;
}

/** SHA-256 of the canonical text, in lower-case hex. */
export function rowHash(row: HashedRow): string {
  return hash('sha256', canonicalRow(row), 'hex');
}
