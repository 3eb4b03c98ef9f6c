import { existsSync, unlinkSync } from 'node:fs';
import { open, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../contract/names.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { systemFault } from '../protocol/system-fault.ts';

const ARMED_FILE = 'armed';
/** Its name while the desk drains: a start does not know it, and whoever takes it away ends the drain. */
const DRAINING_FILE = 'draining';

/** Either name, in the order to take them away in, for a drain that begins meanwhile renames the first; and what follows where that cannot be done. */
const NAMES = {
  [ARMED_FILE]: 'While it is there the desk may come back LIVE: remove it before the desk is started again.',
  [DRAINING_FILE]: 'While it is there a desk that drains quotes until its drain is over.',
};

/**
 * The file without which a desk starts HALTED, and one that runs halts. Its name being there is what counts; what it says is for people.
 * Calls take effect one after another, in the order they were made.
 */
export class ArmedFile {
  readonly #folder: string;
  readonly #path: string;
  readonly #changes = new SerialQueue();

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = join(folder, ARMED_FILE);
  }

  exists(): boolean {
    return existsSync(this.#path);
  }

  /** Whether a desk may go on with a drain: its file is there, under either name. */
  mayDrain(): boolean {
    return this.exists() || existsSync(join(this.#folder, DRAINING_FILE));
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

  /** Gives the file the name under which no start is armed; where that cannot be, takes it away. */
  drain(): Promise<void> {
    return this.#changes.run(async () => {
      await rename(this.#path, join(this.#folder, DRAINING_FILE)).catch(() => unlink(this.#path).catch(() => {}));
      await this.#syncFolder();
    });
  }

  /** Takes the file away; this needs no room on the disk. Rejects when it is there still. */
  remove(): Promise<void> {
    return this.#changes.run(async () => {
      for (const name of Object.keys(NAMES)) {
        try {
          await unlink(join(this.#folder, name));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        }
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

/**
 * Takes the file away where the desk itself did not say that it is halted: it then starts HALTED, and halts once it wakes. Returns null,
 * or where the file cannot be taken away, what that means and what to do, for a person. Never throws: whoever halts goes on.
 */
export function disarm(folder: string): string | null {
  for (const [name, unlessRemoved] of Object.entries(NAMES)) {
    const path = join(folder, name);
    try {
      unlinkSync(path);
    } catch (error) {
      // A share that is gone shows no file either, and has it again once it is back.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT' && existsSync(folder)) continue;
      const why = systemFault(error) ?? (error instanceof Error ? error.message : String(error));
      return `${path} could not be removed: ${why}. ${unlessRemoved}`;
    }
  }
  return null;
}
