import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { Desk } from './desk.ts';
import type { Log } from './log.ts';
import type { Rooms } from './rooms.ts';

/** How long a desk that breaks off may take to write its halt, milliseconds; longer than a stop waits for its row. */
const LAST_WORDS_MS = 3_000;
/** Characters of an error that are told; the log has the whole of it. */
const MOST_TOLD = 500;

/** In the folder: why a desk broke off whose journal could not be told. */
const noteOf = (folder: string) => join(folder, 'broke-off');

/**
 * Takes what nobody else caught: the desk halts at once, the halt is written with its cause, the log says why, and the
 * process ends with 1. `desk` gives the desk of this process, null while it opens.
 */
export function endOnUncaught(options: {
  folder: string;
  log: Pick<Log, 'error'>;
  desk: () => Pick<Desk, 'brokeOff'> | null;
  exit: (code: number) => void;
}): void {
  const { folder, log, desk, exit } = options;
  let ending = false;
  process.on('uncaughtException', (error) => {
    if (ending) return;
    ending = true;
    const cause = causeOf(error);
    const written = desk()?.brokeOff(cause); // the latch first: nothing that was signed leaves any more
    writeNote(folder, cause);
    setTimeout(() => exit(1), LAST_WORDS_MS);
    log.error('the desk broke off', { error: inspect(error).slice(0, 10_000) });
    const end = (durable: boolean) => {
      if (durable) rmSync(noteOf(folder), { force: true });
      exit(1);
    };
    if (written === undefined) end(false);
    else written.then(end, () => end(false));
  });
  // Whoever read them is gone; what they would have been told is in the log file.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
}

/** Halts a desk for an error that nobody caught; what a person said of an earlier stop stays. True once it is durable. */
export async function haltForBreakOff({ guard }: Pick<Rooms, 'guard'>, cause: string): Promise<boolean> {
  const said = guard.trading.said({});
  const reason = said?.state === 'HALTED' ? said.reason : null;
  return (await guard.trading.halt({}, { actor: 'desk', reason, cause })).durable;
}

/** Halts a desk that broke off before and could not write so. */
export async function readBreakOff({ folder, guard }: Pick<Rooms, 'folder' | 'guard'>): Promise<void> {
  let cause: string;
  try {
    cause = readFileSync(noteOf(folder), 'utf8').slice(0, MOST_TOLD + 100);
  } catch {
    return; // it is not there, as usual
  }
  if (await haltForBreakOff({ guard }, cause || 'The desk broke off.')) rmSync(noteOf(folder), { force: true });
}

function writeNote(folder: string, cause: string): void {
  try {
    writeFileSync(noteOf(folder), cause, { mode: 0o600 });
  } catch {
    // A disk that takes nothing: the halt has taken `armed` away, which needs no room.
  }
}

function causeOf(error: unknown): string {
  const told = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `The desk broke off: ${told.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MOST_TOLD)}`;
}
