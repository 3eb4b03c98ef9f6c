import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';
import type { Rooms } from './rooms.ts';
import { toldError, toldInShort } from './told-error.ts';

/** How long a desk that breaks off may take to write its halt, milliseconds; longer than a stop waits for its row. */
const LAST_WORDS_MS = 3_000;
/** Characters of an error that are told; the log has the whole of it. */
const MOST_TOLD = 500;

/** In the folder: why a desk broke off whose journal could not be told. */
const noteOf = (folder: string) => join(folder, 'broke-off');

/** What a desk that breaks off still does: halts by this cause, telling whether that is durable, and says what must not be told. */
export interface EndingDesk {
  brokeOff(cause: string): Promise<boolean>;
  secrets(): string[];
}

/**
 * Takes what nobody else caught: the desk halts at once, the halt is written with its cause, the log says why, and the
 * process ends with 1. `desk` gives the desk of this process, null while it opens.
 */
export function endOnUncaught(options: {
  folder: string;
  log: Pick<Log, 'error'>;
  desk: () => EndingDesk | null;
  exit: (code: number) => void;
}): void {
  const { folder, log, desk, exit } = options;
  let ending = false;
  process.on('uncaughtException', (error) => {
    if (ending) return;
    ending = true;
    const running = desk();
    const secrets = running?.secrets() ?? [];
    const cause = causeOf(error, secrets);
    const written = running?.brokeOff(cause); // the latch first: nothing that was signed leaves any more
    writeNote(folder, cause);
    setTimeout(() => exit(1), LAST_WORDS_MS);
    log.error('the desk broke off', { error: toldError(error, secrets).slice(0, 10_000) });
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

function causeOf(error: unknown, secrets: readonly string[]): string {
  return `The desk broke off: ${toldInShort(error, secrets)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MOST_TOLD)}`;
}
