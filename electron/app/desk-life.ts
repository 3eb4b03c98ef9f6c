import type { MessagePortMain } from 'electron';
import type { DeskSettings } from '../contract/desk-settings.ts';
import type { DeskReady } from '../contract/process-messages.ts';
import { disarm } from '../guard/armed-file.ts';
import { type DeskChild, type DeskEnd, startDesk } from './desk-child.ts';
import { type DeskClient, openDeskClient } from './desk-client.ts';
import { drainAtEnd } from './drain.ts';
import { haltOfApp } from './halt.ts';
import { lockOfApp } from './lock.ts';
import { practiceSettings } from './options.ts';
import { askToEndDesk, askToStartAgain, tell } from './questions.ts';
import type { StateWatch } from './state-watch.ts';

export interface DeskLife {
  start(): void;
  /** The app's own line to the desk, or null while there is no desk. */
  client(): DeskClient | null;
  /** Gives the desk a console's end of a channel. Without a desk it is closed, and the console asks again. */
  connect(port: MessagePortMain): void;
  /** Gives the desk's entrance a window's end of a channel. Without a desk it is closed. */
  enter(port: MessagePortMain): void;
  /** Halts everything, and asks what to do where the desk does not acknowledge it. As `haltOfApp` has it. */
  halt: ReturnType<typeof haltOfApp>;
  /** Has the desk halt and lock its key. As `lockOfApp` has it. */
  lock(): Promise<void>;
  /** Drains the desk before the app quits. As `drainAtEnd` has it. */
  drain(): Promise<string | null>;
  close(): Promise<void>;
}

/**
 * The desk's process through its life. One that ends by itself is never started again without being asked for, and what
 * it then may do follows its own rules of starting.
 */
export function deskLife({
  passphrase: given,
  ...options
}: {
  file: string;
  settings: DeskSettings;
  /** Of the keystore, where it was given: kept for a desk that is started anew, until its key is locked. */
  passphrase: string | undefined;
  actor: string;
  watch: StateWatch;
  ready: (ready: DeskReady) => void;
  /** Another desk runs: windows need ports to it. */
  replaced: () => void;
}): DeskLife {
  const { watch, actor } = options;
  let { settings } = options;
  let passphrase = given;
  let child: DeskChild | null = null;
  let client: DeskClient | null = null;
  let practising = false;
  /** The process that a person ended because it did not halt. */
  let endedByHand: DeskChild | null = null;

  const follow = (started: DeskChild) => {
    child = started;
    client = openDeskClient((port) => started.connect(port, actor, 'app'));
    watch.follow(client);
  };
  /** A lock outlives the process of the desk: the next one waits at its entrance. */
  const forgetPassphrase = () => {
    passphrase = undefined;
  };
  const start = () => {
    const started: DeskChild = startDesk({
      file: options.file,
      settings,
      passphrase,
      waits: () => watch.set('waits'),
      ready: options.ready,
      locked: forgetPassphrase,
      practice: () => practise(started),
      ended: (end) => void ended(started, end),
    });
    follow(started);
  };
  /** A practice desk takes the place of one that was never set up, once it is ready; until then that one stays. */
  const practise = (instead: DeskChild) => {
    if (practising) return;
    practising = true;
    const begun = practiceSettings(settings);
    const started: DeskChild = startDesk({
      file: options.file,
      settings: begun,
      passphrase: undefined, // its keys are worth nothing
      waits: () => {},
      locked: () => {},
      ready: (ready) => {
        practising = false;
        if (child !== instead) return void started.close();
        settings = begun;
        follow(started);
        options.ready(ready);
        options.replaced();
        void instead.close();
      },
      practice: () => {},
      ended: (end) => {
        if (child === started) return void ended(started, end);
        practising = false;
        instead.refusePractice(end.failure ?? { sentence: `It ended with exit code ${end.exitCode}.`, remedy: '' });
      },
    });
  };
  const forget = () => {
    child = null;
    client = null;
    watch.follow(null);
  };
  const ended = async (gone: DeskChild, end: DeskEnd) => {
    forget();
    // Once more: what kept the file may have ended with the process.
    const byHand = gone === endedByHand ? { stillArmed: await disarm(settings.folder) } : null;
    if (!(await askToStartAgain(end, byHand)) || child !== null) return;
    start();
    options.replaced();
  };
  const now = () => ({ child, client, folder: settings.folder });
  const halt = haltOfApp({
    watch,
    desk: now,
    askToEndDesk,
    tell,
    ending: () => {
      endedByHand = child;
    },
  });
  return {
    start,
    client: () => client,
    connect: (port) => {
      if (child === null) port.close();
      else child.connect(port, actor, 'window');
    },
    enter: (port) => {
      if (child === null) port.close();
      else child.enter(port);
    },
    halt,
    lock: lockOfApp({ desk: now, forgetPassphrase, halt, tell }),
    drain: () => drainAtEnd(now(), watch),
    close: async () => {
      const closing = child;
      forget();
      await closing?.close();
    },
  };
}
