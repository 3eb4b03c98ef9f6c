import { inspect } from 'node:util';
import type { DeskSettings } from './contract/desk-settings.ts';
import type { DeskReady, FromDesk, ToDesk } from './contract/process-messages.ts';
import { type Desk, openDesk } from './desk/desk.ts';
import { makeDeskFolder } from './desk/folder.ts';
import { type Log, openLog } from './desk/log.ts';
import { osUser } from './desk/os-user.ts';
import { openPracticeDesk } from './practice-desk.ts';
import { DeskError } from './protocol/desk-error.ts';

type RunningDesk = Desk & { ready: DeskReady };

/** The desk of this process, from the moment it is asked for. Consoles that come early wait for it. */
let desk: Promise<RunningDesk> | null = null;

/** Tells whoever waits for a practice desk that there will be none. */
let practiceFailed: (failure: { sentence: string; remedy: string }) => void = () => {};

process.parentPort.on('message', ({ data, ports }) => {
  const message: ToDesk = data;
  if (message.kind === 'open') open(message.settings);
  else if (message.kind === 'close') void close();
  else if (message.kind === 'practice-failed') practiceFailed(message);
  else desk?.then((running) => ports[0] && running.serve(ports[0], message.actor)).catch(() => {}); // `open` has told it
});

// Ctrl-C in a terminal reaches this process as well as the app, and it is the app that says when to close.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => void close());

function open(settings: DeskSettings): void {
  desk = start(settings);
  desk.then(
    ({ ready }) => tell({ kind: 'ready', ready }),
    (error: unknown) => {
      tell({ kind: 'failed', ...inWords(error) });
      setImmediate(() => process.exit(1)); // the message leaves first
    },
  );
}

async function start(settings: DeskSettings): Promise<RunningDesk> {
  const { practice, folder } = settings;
  const actor = osUser();
  const passphrase = process.env.MAKERDESK_PASSPHRASE;
  makeDeskFolder(folder);
  const log = openLog(folder, Date.now);
  watchForErrors(log);
  if (practice !== null) return openPracticeDesk({ settings: { ...settings, practice }, passphrase, actor, log });
  if (passphrase) return openDesk({ ...settings, passphrase, actor, log, startPractice });
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

/** An error nobody caught ends this process, as it does everywhere in Node; its reason goes into the log first. */
function watchForErrors(log: Log): void {
  process.on('uncaughtExceptionMonitor', (error) => log.error('the desk broke off', { error: inspect(error) }));
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
