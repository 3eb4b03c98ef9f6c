import { existsSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../contract/names.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';

/**
 * The file without which a desk starts HALTED. Its name being there is what counts; what it says is for people. Calls
 * take effect one after another, in the order they were made.
 */
export class ArmedFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #changes = new SerialQueue();

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, 'armed');
  }

  exists(): boolean {
    return existsSync(this.#path);
  }

  /** Puts the file there, durably: the file and its name. Rejects when the disk does not take it. */
  write(note: { time: number; actor: string; reason: string | null }): Promise<void> {
    return this.#changes.run(async () => {
      try {
        const file = await open(this.#path, 'w', 0o600);
        try {
          await file.writeFile(`${JSON.stringify({ ...note, time: isoTime(note.time) })}\n`);
          await file.sync();
        } finally {
          await file.close();
        }
        await this.#syncFolder();
      } catch (error) {
        await unlink(this.#path).catch(() => {}); // a name without its content would arm the desk as well
        throw error;
      }
    });
  }

  /** Takes the file away; this needs no room on the disk. Rejects when it is there still. */
  remove(): Promise<void> {
    return this.#changes.run(async () => {
      try {
        await unlink(this.#path);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
      await this.#syncFolder();
    });
  }

  /** Makes the name, or its absence, survive a power cut. Windows does that by itself. */
  async #syncFolder(): Promise<void> {
    if (process.platform === 'win32') return;
    const handle = await open(this.#folder, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}
