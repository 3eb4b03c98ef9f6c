import { createHash, type Hash, randomUUID } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { syncFolder } from './backup.ts';

/** Rows that are compressed together: more take less room, and longer where only one of them is looked at. */
const ROWS_IN_A_BLOCK = 64;
/** What a block may unpack to: no row of a quote comes to a megabyte. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * A file ends with an empty member whose extra field (RFC 1952, 2.3.1.1) says where the blocks are: their places as JSON, then how many
 * bytes that is. `HEAD` is what such a member begins with, up to the length of the field, `TAIL` all behind it.
 */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255]);
const TAIL = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
/** Whoever looks into the field finds the places under these letters. */
const PLACES = Buffer.from('mk');
const HALF_WORD = 2;
const WORD = 4;

/** The sequence of a block's first row, where it begins in its file, and its length in bytes. */
type Block = [first: number, at: number, bytes: number];
const placesSchema = z.array(z.tuple([z.int().positive(), z.int().nonnegative(), z.int().positive()]));

/**
 * Writes the bodies of rows into a file of its own, which has its name only once it is whole and on disk. To any other program it is
 * a gzip file with a line for each row: its sequence, a tab, its body.
 */
export class ArchiveWriter {
  rows = 0;
  readonly #folder: string;
  readonly #part: string;
  #descriptor: number | null;
  readonly #digest: Hash = createHash('sha256');
  readonly #blocks: Block[] = [];
  #lines: string[] = [];
  #first = 0;
  #bytes = 0;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#part = join(folder, `.${randomUUID()}.part`);
    this.#descriptor = openSync(this.#part, 'wx', 0o600);
  }

  add(seq: number, body: string): void {
    if (this.#lines.length === 0) this.#first = seq;
    this.#lines.push(`${seq}\t${body}\n`);
    this.rows += 1;
    if (this.#lines.length === ROWS_IN_A_BLOCK) this.#endBlock();
  }

  /** Gives the file its name, by the rows between which it has some and by what is in it. */
  finish(first: number, last: number): { file: string; bytes: number; digest: string } {
    this.#endBlock();
    const places = Buffer.from(JSON.stringify(this.#blocks));
    const field = Buffer.alloc(HALF_WORD + PLACES.length + HALF_WORD);
    field.writeUInt16LE(PLACES.length + HALF_WORD + places.length + WORD, 0);
    PLACES.copy(field, HALF_WORD);
    field.writeUInt16LE(places.length + WORD, HALF_WORD + PLACES.length);
    const length = Buffer.alloc(WORD);
    length.writeUInt32LE(places.length);
    fsyncSync(this.#write(Buffer.concat([HEAD, field, places, length, TAIL])));
    this.#close();
    const digest = this.#digest.digest('hex');
    const file = `rows-${first}-${last}-${digest.slice(0, 16)}.gz`;
    renameSync(this.#part, join(this.#folder, file));
    syncFolder(this.#folder);
    syncFolder(dirname(this.#folder));
    return { file, bytes: this.#bytes, digest };
  }

  /** Nothing is left of it. */
  discard(): void {
    this.#close();
    rmSync(this.#part, { force: true });
  }

  #endBlock(): void {
    if (this.#lines.length === 0) return;
    const block = gzipSync(this.#lines.join(''), { level: 9 });
    this.#blocks.push([this.#first, this.#bytes, block.length]);
    this.#lines = [];
    this.#write(block);
  }

  #write(bytes: Buffer): number {
    if (this.#descriptor === null) throw new Error('the file is closed');
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#descriptor, bytes, at);
    this.#digest.update(bytes);
    this.#bytes += bytes.length;
    return this.#descriptor;
  }

  #close(): void {
    if (this.#descriptor !== null) closeSync(this.#descriptor);
    this.#descriptor = null;
  }
}

/** An archive as it is read: where its blocks lie is read once, a block when one of its rows is wanted. */
export class ArchiveFile {
  readonly #path: string;
  readonly #blocks: Block[];

  /** Throws where the file is missing, has not that many bytes, or does not say where its blocks are. */
  constructor(path: string, bytes: number) {
    this.#path = path;
    const size = statSync(path).size;
    if (size !== bytes) throw new Error(`it has ${size} bytes and was written with ${bytes}`);
    const end = bytes - TAIL.length - WORD;
    const length = this.#read(end, WORD).readUInt32LE();
    if (length > end) throw new Error('it does not say where its blocks are');
    const blocks = placesSchema.parse(JSON.parse(this.#read(end - length, length).toString()));
    // Each begins where the one before it ends: no byte is read twice, and none that is not there.
    let [before, next] = [0, 0];
    for (const [first, at, size] of blocks) {
      if (first <= before || at !== next) throw new Error('its blocks do not follow one another');
      [before, next] = [first, at + size];
    }
    if (next > end - length) throw new Error('its blocks are longer than it is');
    this.#blocks = blocks;
  }

  /** The bodies of the block in which a row is, if it is in any. Throws where that block is not as it was written. */
  bodiesAround(seq: number): Map<number, string> {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#blocks[middle]?.[0] ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    const block = this.#blocks[low - 1];
    return block === undefined ? new Map() : this.#bodies(block);
  }

  /** Every row, in order. */
  *rows(): Generator<[seq: number, body: string]> {
    for (const block of this.#blocks) yield* this.#bodies(block);
  }

  #bodies([, at, bytes]: Block): Map<number, string> {
    const text = gunzipSync(this.#read(at, bytes), { maxOutputLength: MOST_BYTES }).toString();
    const bodies = new Map<number, string>();
    for (const line of text.split('\n')) {
      const tab = line.indexOf('\t');
      if (tab > 0) bodies.set(Number(line.slice(0, tab)), line.slice(tab + 1));
    }
    return bodies;
  }

  #read(at: number, bytes: number): Buffer {
    const buffer = Buffer.alloc(bytes);
    const descriptor = openSync(this.#path, 'r');
    try {
      let read = 0;
      while (read < bytes) {
        const more = readSync(descriptor, buffer, read, bytes - read, at + read);
        if (more === 0) throw new Error('it ends too early');
        read += more;
      }
    } finally {
      closeSync(descriptor);
    }
    return buffer;
  }
}
