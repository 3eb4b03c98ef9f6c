import type { DeskReady, FromDesk, ToDesk } from './contract/process-messages.ts';
import { endOnUncaught } from './desk/break-off.ts';
import { type Desk, openDesk } from './desk/desk.ts';
import { makeDeskFolder } from './desk/folder.ts';
import { openDeskLog } from './desk/log.ts';
import { osUser } from './desk/os-user.ts';
import { openPracticeDesk } from './desk/practice-desk.ts';
import { DeskError } from './protocol/desk-error.ts';

type RunningDesk = Desk & { ready: DeskReady };

/** The desk of this process, from the moment it is asked for. Consoles that come early wait for it. */
let desk: Promise<RunningDesk> | null = null;

/** Tells whoever waits for a practice desk that there will be none. */
let practiceFailed: (failure: { sentence: string; remedy: string }) => void = () => {};

process.umask(0o077); // whatever the desk writes is for its own user

process.parentPort.on('message', ({ data, ports }) => {
  const message: ToDesk = data;
  if (message.kind === 'open') open(message);
  else if (message.kind === 'close') void close();
  else if (message.kind === 'practice-failed') practiceFailed(message);
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

async function start({ settings, passphrase }: Extract<ToDesk, { kind: 'open' }>): Promise<RunningDesk> {
  const { practice, folder } = settings;
  const actor = osUser();
  makeDeskFolder(folder);
  const logForm = process.stderr.isTTY ? 'text' : 'json';
  const log = openDeskLog(folder, Date.now, logForm);
  let running: Desk | null = null;
  endOnUncaught({ folder, log, desk: () => running, exit: process.exit });
  if (practice !== null) {
    running = await openPracticeDesk({ settings: { ...settings, practice }, passphrase, actor, log, logForm });
    return running;
  }
  if (passphrase) {
    running = await openDesk({ ...settings, passphrase, actor, log, startPractice });
    return running;
  }
  throw new DeskError('no_passphrase', 'The passphrase of the keystore is not known.', {
    remedy: 'Start the app with MAKERDESK_PASSPHRASE set.',
  });
}

/** Asks the app for a practice desk. Where it comes to be, it takes this desk's place and this is never answered. */
function startPractice(): Promise<{ console: null }> {
  return new Promise((_, reject) => {
    practiceFailed = ({ sentence, remedy }) => reject(new DeskError('practice_failed', sentence, { remedy }));
    tell({ kind: 'practice' });
  });
}

async function close(): Promise<void> {
  const running = await desk?.catch(() => null);
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
