import { hash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncFolder } from './backup.ts';

/** The last row of the journal: its sequence number and hash. */
export type Head = { seq: number; hash: string };

const SLOT_BYTES = 128;
const SYNC_EVERY_MS = 1_000;

/** Where the head of a folder's journal is kept. */
export function headFile(folder: string): string {
  return join(folder, 'journal.head');
}

/** Bytes at the beginning of a file that a head takes. */
export const HEAD_BYTES = 2 * SLOT_BYTES;

/**
 * Writes the head beside the journal, so that a tail cut off the journal is found. Always after the commit that it
 * names, so it may lag behind the journal and never leads it. Two slots are overwritten in turn: a write that is torn
 * spoils one, and the other still holds the head before it. A killed process loses nothing that it wrote; a power
 * failure loses at most about a second, which only means that a cut of that second would not be found.
 */
export class HeadFile {
  readonly #file: string;
  readonly #descriptor: number;
  #slot = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(file: string, head: Head) {
    const isNew = !existsSync(file);
    this.#file = file;
    this.#descriptor = openSync(file, isNew ? 'wx+' : 'r+', 0o600);
    // Both slots, one after the other, so that none is left with something older or foreign.
    for (let slot = 0; slot < 2; slot += 1) {
      this.#put(head);
      fsyncSync(this.#descriptor);
    }
    if (isNew) syncFolder(dirname(file));
  }

  write(head: Head): void {
    this.#put(head);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      // Its outcome does not matter: the next one comes within a second.
      fdatasync(this.#descriptor, () => {});
    }, SYNC_EVERY_MS).unref();
  }

  /** Whether what is written here is what stands under the name of the file. */
  isInPlace(): boolean {
    try {
      const [named, open] = [statSync(this.#file), fstatSync(this.#descriptor)];
      return named.ino === open.ino && named.dev === open.dev;
    } catch {
      return false;
    }
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    fdatasyncSync(this.#descriptor);
    closeSync(this.#descriptor);
  }

  #put({ seq, hash: rowHash }: Head): void {
    const content = `${seq} ${rowHash}`;
    const line = `${`${content} ${checksum(content)}`.padEnd(SLOT_BYTES - 1)}\n`;
    writeSync(this.#descriptor, line, this.#slot * SLOT_BYTES, 'latin1');
    this.#slot = 1 - this.#slot;
  }
}

/** The later of the two slots that are whole; null when there is no such file, or none of them is. */
export function readHead(file: string): Head | null {
  if (!existsSync(file)) return null;
  const heads = readFileSync(file, 'latin1').split('\n').map(parseSlot);
  return heads.reduce((best, head) => (head !== null && head.seq >= (best?.seq ?? 0) ? head : best), null);
}

function parseSlot(line: string): Head | null {
  const [, content, seq, rowHash, sum] = /^((\d+) ([0-9a-f]{64})) ([0-9a-f]{16}) *$/.exec(line) ?? [];
  if (content === undefined || rowHash === undefined || sum !== checksum(content)) return null;
  return { seq: Number(seq), hash: rowHash };
}

function checksum(content: string): string {
  return hash('sha256', content, 'hex').slice(0, 16);
}
