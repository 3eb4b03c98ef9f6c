import { type MessagePortMain, type UtilityProcess, utilityProcess } from 'electron';
import type { DeskSettings } from '../contract/desk-settings.ts';
import type { DeskReady, FromDesk, PortReader, ToDesk } from '../contract/process-messages.ts';

/** How long a desk may take to close its journal before its process is ended. */
const CLOSING_MS = 10_000;

/** How the desk's process ended, where nobody had asked it to. */
export interface DeskEnd {
  exitCode: number;
  /** What it said for itself: it could not start. Null: it broke off. */
  failure: { sentence: string; remedy: string } | null;
}

export interface DeskChild {
  /** Gives the desk one end of a channel, on which a console speaks as `actor`. */
  connect(port: MessagePortMain, actor: string, reader: PortReader): void;
  /** Gives the entrance of the desk, where the passphrase is given, one end of a channel to a window. */
  enter(port: MessagePortMain): void;
  /** There will be no practice desk in its place. */
  refusePractice(why: { sentence: string; remedy: string }): void;
  /** Lets the desk close and waits until its process is gone. */
  close(): Promise<void>;
  /** Ends the process at once. */
  kill(): void;
}

/** Starts the desk in a process of its own, so that no window, menu or dialog can ever delay a quote. */
export function startDesk({
  file,
  settings,
  passphrase,
  waits,
  ready,
  locked,
  practice,
  ended,
}: {
  file: string;
  settings: DeskSettings;
  /** Of the keystore; handed over in a message, since an environment is inherited and can be read. It is not kept here. */
  passphrase: string | undefined;
  /** It waits at its entrance for a person. */
  waits: () => void;
  ready: (ready: DeskReady) => void;
  /** Its key was locked, by whomever. */
  locked: () => void;
  /** Somebody at this desk wants a practice desk in its place. */
  practice: () => void;
  ended: (end: DeskEnd) => void;
}): DeskChild {
  const child: UtilityProcess = utilityProcess.fork(file, [], { serviceName: 'Makerdesk desk' });
  const tell = (message: ToDesk, ports?: MessagePortMain[]) => child.postMessage(message, ports);
  const kill = () => {
    if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL'); // kill() of Electron asks, and this one may hang
  };
  let failure: DeskEnd['failure'] = null;
  let closing = false;
  const gone = new Promise<void>((resolve) => {
    child.once('exit', (exitCode) => {
      resolve();
      if (!closing) ended({ exitCode, failure });
    });
  });
  child.on('message', (message: FromDesk) => {
    if (message.kind === 'ready') ready(message.ready);
    else if (message.kind === 'waits') waits();
    else if (message.kind === 'locked') locked();
    else if (message.kind === 'practice') practice();
    else failure = { sentence: message.sentence, remedy: message.remedy };
  });
  tell({ kind: 'open', settings, passphrase });
  return {
    connect: (port, actor, reader) => tell({ kind: 'connect', actor, reader }, [port]),
    enter: (port) => tell({ kind: 'entrance' }, [port]),
    refusePractice: (why) => tell({ kind: 'practice-failed', ...why }),
    close: async () => {
      closing = true;
      tell({ kind: 'close' });
      const insist = setTimeout(kill, CLOSING_MS);
      await gone;
      clearTimeout(insist);
    },
    kill,
  };
}
