import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { implement } from '@orpc/server';
import { RPCHandler } from '@orpc/server/message-port';
import { type EntranceView, entranceContract } from '../contract/entrance.ts';
import type { PracticeStarter } from '../contract/practice.ts';
import { type PutBack, putBackJournal } from '../journal/put-back.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { expectKeystore, KEYSTORE_FILE, keystoreAddress, openKeystore } from '../signer/keystore.ts';
import { createPrivateFile } from '../signer/private-file.ts';
import { openSecrets, readSecrets, writeSecrets } from '../signer/secrets.ts';
import { SECRETS_FILE } from '../signer/secrets-file.ts';
import type { ConsolePort } from './console-lines.ts';
import type { Desk } from './desk.ts';
import type { Log } from './log.ts';
import { PassphraseTries } from './passphrase-tries.ts';
import { refusedError } from './refused.ts';
import { folded } from './stream.ts';

export interface EntranceOptions {
  folder: string;
  log: Log;
  /** Unix milliseconds. */
  now: () => number;
  /** Milliseconds of a clock that nobody sets. */
  monotonic: () => number;
  /** Puts a practice desk in this one's place; then this is never answered. */
  startPractice: PracticeStarter;
}

/** The texts of the files `keystore.json` and `secrets.json`, null for one that does not come along. */
interface SealedTexts {
  keystore: string | null;
  secrets: string | null;
}

/** A backup, the path of its file, and what of its folder comes along. */
type GivenBack = SealedTexts & { file: string; passphrase?: string | undefined };

/** What of an open desk its passphrase, or a key, is part of. */
type EnteredDesk = Pick<Desk, 'importKey' | 'unlock'>;

/**
 * Where a desk of the desktop app waits for its passphrase. It is checked against what the folder has sealed with it, one try
 * after the other, each wrong one is counted and makes the next wait longer, and none of them is written down.
 */
export class Entrance {
  readonly #options: EntranceOptions;
  /** What changes the entrance is done one after the other. */
  readonly #turns = new SerialQueue();
  readonly #tries: PassphraseTries;
  readonly #listeners = new Set<(view: EntranceView) => void>();
  readonly #handler: RPCHandler<Record<never, never>>;
  #view: EntranceView = { stage: 'opening' };
  #pass: (passphrase: string) => void = () => {};
  #desk: EnteredDesk | null = null;

  constructor(options: EntranceOptions) {
    this.#options = options;
    this.#tries = new PassphraseTries(options.monotonic, (count) =>
      options.log.warn('a wrong passphrase was given in the window', { count }),
    );
    const os = implement(entranceContract);
    const router = os
      .use(async ({ next }) => {
        try {
          return await next();
        } catch (error) {
          throw refusedError(error, options.log);
        }
      })
      .router({
        watch: os.watch.handler(({ signal }) => this.#watch(signal)),
        unlock: os.unlock.handler(({ input }) => this.#turns.run(() => this.#unlock(input.passphrase))),
        begin: os.begin.handler(({ input }) => this.#turns.run(() => this.#begin(input.passphrase))),
        importKey: os.importKey.handler(async ({ input: { keystore, passphrase } }) => {
          if (this.#desk === null) throw new DeskError('no_desk', 'The desk is not open yet.');
          return { address: await this.#desk.importKey({ text: keystore, passphrase }) };
        }),
        putBack: os.putBack.handler(({ input }) => this.#turns.run(() => this.#putBack(input))),
        practise: os.practise.handler(async () => {
          await options.startPractice(() => {});
          return {};
        }),
      });
    this.#handler = new RPCHandler(router);
  }

  /** Lets the window at the other end of a port see the entrance and give the passphrase. */
  serve(port: ConsolePort): void {
    this.#handler.upgrade(port);
    port.start?.();
  }

  /** Whether a person is waited for. */
  waits(): boolean {
    return this.#view.stage === 'locked' || this.#view.stage === 'new';
  }

  /** Waits until a person has given the passphrase that opens the folder, or set that of a new one. */
  async passphrase(): Promise<string> {
    const { folder } = this.#options;
    const given = new Promise<string>((resolve) => {
      this.#pass = resolve;
    });
    if (isSealed(folder)) await this.#lock();
    else this.#show({ stage: 'new', folder });
    return given;
  }

  /** The desk is there: from now on its own line is used, but for what its passphrase or a key is part of. */
  opened(desk: EnteredDesk): void {
    this.#desk = desk;
    this.#show({ stage: 'open' });
  }

  async #lock(): Promise<void> {
    const { folder, now } = this.#options;
    const signer = await keystoreAddress(folder).catch(() => null);
    const { wrong, waitMs } = this.#tries;
    const comesBackLive = existsSync(join(folder, 'armed'));
    const nextAt = waitMs > 0 ? Math.ceil(now() + waitMs) : 0;
    this.#show({ stage: 'locked', folder, signer, comesBackLive, wrong, nextAt });
  }

  async #unlock(passphrase: string): Promise<Record<never, never>> {
    // A desk that was locked while it ran has its own count, which began when it was opened.
    if (this.#desk !== null) {
      await this.#desk.unlock(passphrase);
      return {};
    }
    if (this.#view.stage !== 'locked') throw new DeskError('not_locked', 'The desk is unlocked already.');
    try {
      await this.#tries.take(() => expectRight(this.#options.folder, passphrase));
    } catch (error) {
      if (isDeskError(error, 'wrong_passphrase')) await this.#lock();
      throw error;
    }
    return this.#open(passphrase);
  }

  /** What is sealed first is nothing: from now on the passphrase is asked for, also before there is a key. */
  async #begin(passphrase: string): Promise<Record<never, never>> {
    const { folder } = this.#options;
    if (this.#view.stage !== 'new') throw new DeskError('not_locked', 'This desk has its passphrase already.');
    await writeSecrets(folder, passphrase, { counterparties: {}, serviceKeys: {} });
    return this.#open(passphrase);
  }

  /** The journal first: a key that is not followed by its past would be a new desk, that knows of nothing it has signed. */
  async #putBack({ file, passphrase, ...sealed }: GivenBack): Promise<PutBack> {
    const { folder, log, now } = this.#options;
    if (!this.waits()) throw new DeskError('not_locked', 'A backup is put back before the desk is opened.');
    if (sealed.keystore !== null || sealed.secrets !== null) {
      if (isSealed(folder)) {
        throw new DeskError('keystore_exists', 'This folder has its key and its secrets already.', {
          remedy: 'Give the backup alone, or start in an empty folder.',
        });
      }
      await expectOpens(sealed, passphrase);
    }
    const done = await putBackJournal(folder, file, now());
    log.warn('a backup was put back in the window', { rows: done.rows, kept: done.kept ?? 'nothing was there' });
    await createSealed(folder, sealed);
    if (isSealed(folder)) await this.#lock();
    return done;
  }

  #open(passphrase: string): Record<never, never> {
    this.#show({ stage: 'opening' });
    this.#pass(passphrase);
    return {};
  }

  #show(view: EntranceView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener(view);
  }

  async *#watch(signal: AbortSignal | undefined): AsyncGenerator<EntranceView, void> {
    const subscribe = (listener: (view: EntranceView) => void) => {
      this.#listeners.add(listener);
      listener(this.#view);
      return () => this.#listeners.delete(listener);
    };
    yield* folded<EntranceView>(subscribe, (_before, next) => next, signal);
  }
}

/** Whether the folder has something that only its passphrase opens. */
function isSealed(folder: string): boolean {
  return [KEYSTORE_FILE, SECRETS_FILE].some((name) => existsSync(join(folder, name)));
}

/**
 * That key and secrets have the form of their files, and that one passphrase opens both: a folder in which they did not could not be
 * opened any more. Throws DeskError `no_passphrase`, `bad_keystore`, `bad_seal` or `wrong_passphrase`.
 */
async function expectOpens({ keystore, secrets }: SealedTexts, passphrase: string | undefined): Promise<void> {
  if (passphrase === undefined) {
    throw new DeskError('no_passphrase', 'Key and secrets are taken once their passphrase has opened them.', {
      remedy: 'Nothing was put back. Give the passphrase of the folder that the backup was made of.',
    });
  }
  const inFile = async (name: string, opened: Promise<unknown>) => {
    try {
      await opened;
    } catch (cause) {
      if (!isDeskError(cause, 'bad_keystore', 'bad_seal', 'wrong_passphrase')) throw cause;
      const isForm = cause.code !== 'wrong_passphrase';
      const sentence = isForm
        ? `The file chosen as ${name} is not one.`
        : `This passphrase does not open the ${name} that was chosen.`;
      throw new DeskError(cause.code, sentence, {
        remedy: `Nothing was put back. Choose ${KEYSTORE_FILE} and ${SECRETS_FILE} of the folder that the backup was made of, each at its own button: one passphrase opens both.`,
        cause,
      });
    }
  };
  if (keystore !== null) await inFile(KEYSTORE_FILE, expectKeystore(keystore, passphrase));
  if (secrets !== null) await inFile(SECRETS_FILE, openSecrets(secrets, passphrase));
}

/** Writes both, or leaves none of them: with one alone the folder would take no other any more. Throws DeskError `backup_failed`. */
async function createSealed(folder: string, { keystore, secrets }: SealedTexts): Promise<void> {
  const created: string[] = [];
  try {
    for (const [name, text] of Object.entries({ [KEYSTORE_FILE]: keystore, [SECRETS_FILE]: secrets })) {
      if (text === null) continue;
      const path = join(folder, name);
      created.push(path);
      await createPrivateFile(path, text);
    }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') created.pop(); // that one is somebody else's
    for (const path of created) rmSync(path, { force: true });
    const why = systemFault(cause);
    throw new DeskError(
      'backup_failed',
      `The journal is in its place, but key and secrets could not be written${why === null ? '' : `: ${why}`}.`,
      {
        remedy:
          'See that the folder may be written and its disk has room, then put the backup back once more, with both files.',
        cause,
      },
    );
  }
}

/** Opens what the passphrase has sealed: the key, and the secrets where there is no key. Throws as they do. */
async function expectRight(folder: string, passphrase: string): Promise<void> {
  try {
    await openKeystore(folder, passphrase);
  } catch (error) {
    if (!isDeskError(error, 'no_keystore')) throw error;
    await readSecrets(folder, passphrase);
  }
}
