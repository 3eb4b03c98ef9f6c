import { existsSync } from 'node:fs';
import { open, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../contract/names.ts';
import { SerialQueue, SerialQueues } from '../protocol/serial-queue.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { syncFolder } from '../signer/private-file.ts';
import { inTime } from '../time/in-time.ts';

const ARMED_FILE = 'armed';
/** Its name while the desk drains: a start does not know it, and whoever takes it away ends the drain. */
const DRAINING_FILE = 'draining';

type FileName = typeof ARMED_FILE | typeof DRAINING_FILE;

/** How long whoever halts waits until the disk has it that the file is gone. Milliseconds. */
const DISARM_MS = 1_000;

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
        await syncFolder(this.#folder);
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
      await syncFolder(this.#folder);
    });
  }

  /** Takes the file away, durably; this needs no room on the disk. Rejects when it may be there still, or again after a power cut. */
  remove(): Promise<void> {
    return this.#changes.run(() => takeAway(this.#folder));
  }
}

/** Tells which name it is at, and null once both are gone and only the disk does not have that yet. */
async function takeAway(folder: string, at: (name: FileName | null) => void = () => {}): Promise<void> {
  for (const name of [ARMED_FILE, DRAINING_FILE] as const) {
    at(name);
    try {
      await unlink(join(folder, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      await stat(folder); // a share that is gone shows no file either, and has it again once it is back
    }
  }
  at(null);
  await syncFolder(folder);
}

/** One after another in a folder: where its disk hangs, no more than one of the few threads of this process that do such things hangs with it. */
const disarming = new SerialQueues();

/**
 * Takes the file away, durably, where the desk itself did not say that it is halted: it then starts HALTED, and halts once it wakes. Waits
 * for the disk no longer than a second. Returns null, or where the file cannot be taken away, or it is not known whether the disk has that,
 * what it means and what to do, for a person. Never rejects: whoever halts goes on.
 */
export function disarm(folder: string): Promise<string | null> {
  let at: FileName | null = ARMED_FILE;
  const told = (why: string) => {
    const path = join(folder, at ?? ARMED_FILE);
    if (at === DRAINING_FILE)
      return `${path} could not be removed: ${why}. While it is there a desk that drains quotes until its drain is over.`;
    return at === null
      ? `${path} is removed, but it is not known whether that is on the disk: ${why}. After a power cut it may be there again, and the desk may come back LIVE: see that it is gone before the desk is started again.`
      : `${path} could not be removed: ${why}. While it is there the desk may come back LIVE: remove it before the desk is started again.`;
  };
  const done = disarming.run(folder, () =>
    takeAway(folder, (name) => {
      at = name;
    }),
  );
  return inTime(
    done.then(
      () => null,
      (error) => told(systemFault(error) ?? (error instanceof Error ? error.message : String(error))),
    ),
    DISARM_MS,
    () => told('the disk has not answered yet'),
  );
}
