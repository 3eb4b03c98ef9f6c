import type { FromDesk, ToDesk } from './contract/process-messages.ts';
import { endOnUncaught } from './desk/break-off.ts';
import { collectMemoryBeside } from './desk/collecting-memory.ts';
import { type Desk, openDesk } from './desk/desk.ts';
import { Entrance } from './desk/entrance.ts';
import { makeDeskFolder } from './desk/folder.ts';
import { placeOf } from './desk/kept-place.ts';
import { openDeskLog } from './desk/log.ts';
import { osUser } from './desk/os-user.ts';
import { openPracticeDesk } from './desk/practice-desk.ts';
import { DeskError } from './protocol/desk-error.ts';
import { monotonic } from './time/monotonic.ts';

/** The desk of this process, from the moment it is asked for. Consoles that come early wait for it. */
let desk: Promise<Desk> | null = null;

/** Where a window meets this desk before it is open; null until its folder is there. */
let entrance: Entrance | null = null;

/** Tells whoever waits for a practice desk that there will be none. */
let practiceFailed: (failure: { sentence: string; remedy: string }) => void = () => {};

process.umask(0o077); // whatever the desk writes is for its own user
collectMemoryBeside();

process.parentPort.on('message', ({ data, ports }) => {
  const message: ToDesk = data;
  if (message.kind === 'open') open(message);
  else if (message.kind === 'close') void close();
  else if (message.kind === 'practice-failed') practiceFailed(message);
  else if (message.kind === 'entrance') ports[0] && entrance?.serve(ports[0]);
  else desk?.then((running) => ports[0] && running.serve(ports[0], message)).catch(() => {}); // `open` has told it
});

// Ctrl-C in a terminal reaches this process as well as the app, and it is the app that says when to close.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void close());

function open(asked: Extract<ToDesk, { kind: 'open' }>): void {
  desk = start(asked);
  desk.then(
    ({ ready }) => tell({ kind: 'ready', ready }),
    (error: unknown) => {
      tell({ kind: 'failed', ...inWords(error) });
      setImmediate(() => process.exit(1)); // the message leaves first
    },
  );
}

async function start({ settings, passphrase }: Extract<ToDesk, { kind: 'open' }>): Promise<Desk> {
  const { practice, folder } = settings;
  const actor = osUser();
  makeDeskFolder(folder);
  const place = placeOf(folder, settings);
  const logForm = process.stderr.isTTY ? 'text' : 'json';
  const log = openDeskLog(folder, Date.now, logForm);
  const here = new Entrance({ folder, log, now: Date.now, monotonic, startPractice });
  entrance = here;
  let running: Desk | null = null;
  endOnUncaught({ folder, log, desk: () => running, exit: process.exit });
  if (practice !== null) {
    running = await openPracticeDesk({
      settings: { ...settings, ...place, practice },
      passphrase,
      actor,
      log,
      logForm,
    });
  } else {
    const given = passphrase ?? (await passphraseAt(here));
    const onLocked = () => tell({ kind: 'locked' });
    const asked = { ...settings, ...place, passphrase: given, actor, log };
    running = await openDesk({ ...asked, orFreePort: true, startPractice, onLocked });
  }
  here.opened(running);
  return running;
}

/** The app is told that a person is waited for: nothing of this desk can trade until then. */
function passphraseAt(here: Entrance): Promise<string> {
  tell({ kind: 'waits' });
  return here.passphrase();
}

/** Asks the app for a practice desk. Where it comes to be, it takes this desk's place and this is never answered. */
function startPractice(): Promise<{ console: null }> {
  return new Promise((_, reject) => {
    practiceFailed = ({ sentence, remedy }) => reject(new DeskError('practice_failed', sentence, { remedy }));
    tell({ kind: 'practice' });
  });
}

async function close(): Promise<void> {
  const running = entrance?.waits() ? null : await desk?.catch(() => null);
  await running?.close();
  process.exit(0);
}

function tell(message: FromDesk): void {
  process.parentPort.postMessage(message);
}

function inWords(error: unknown): { sentence: string; remedy: string } {
  if (error instanceof DeskError) return { sentence: error.message, remedy: error.remedy };
  return {
    sentence: error instanceof Error ? error.message : String(error),
    remedy: 'The log in the folder of the desk says more.',
  };
}
