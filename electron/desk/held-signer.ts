import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createEmitter } from '../contract/emitter.ts';
import type { RemoteSignerConfig } from '../contract/remote-signer.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import { keystoreAddress, openKeystoreSigner } from '../signer/keystore.ts';
import { type Heard, openRemoteSigner } from '../signer/remote/remote-signer.ts';
import { readSecrets, writeSecrets } from '../signer/secrets.ts';
import { SECRETS_FILE } from '../signer/secrets-file.ts';
import { keyLocked, type Signer } from '../signer/signer.ts';
import type { Passphrase } from './credentials.ts';

export type SignerOrNot = { signer: Signer } | { missing: string; fault: DeskError };
/** There is one, and nobody gave the passphrase. */
export type UnopenedKey = { unopened: string; fault: DeskError };

/** Where the key is: elsewhere, or in the folder where nothing is set. `onHeard` is told what came of each question to one elsewhere. */
export interface KeyPlace {
  remote: () => RemoteSignerConfig | null;
  onHeard: Heard;
}

/** The key that signs, or why there is none; a key made while the desk runs is taken up. */
export interface HeldSigner {
  /** A locked one is missing. */
  current(): SignerOrNot;
  /** The signer of this address, if it is the one that is held; a locked one too, which refuses to sign. */
  of(address: string): Signer | null;
  said(): { address: `0x${string}` | null; why: string | null; locked: boolean };
  /** Has the key forgotten. */
  lock(): void;
  /** The key of the folder or elsewhere, opened with the passphrase and not held yet. Throws as opening does. */
  opened(passphrase: string): Promise<Signer>;
  /** The same key, opened anew. */
  unlock(signer: Signer): void;
  /** Reads the folder again; where a lock came meanwhile, what it finds there is locked too. Throws as opening does. */
  reload(): Promise<void>;
  onChange(listener: () => void): void;
}

/** Opens the folder's key. A wrong passphrase is refused (DeskError); a missing key keeps the desk halted. */
export async function holdSigner(folder: string, passphrase: Passphrase, place: KeyPlace): Promise<HeldSigner> {
  let held = await openSealed(folder, await passphrase(), place);
  let locked = false;
  /** One after another, so that the one that was asked for last counts. */
  const reloads = new SerialQueue();
  const changed = createEmitter((error) => {
    throw error;
  });
  return {
    current: () => (locked ? without(keyLocked()) : held),
    of: (address) => {
      if (!('signer' in held) || held.signer.address !== address) return null;
      if (locked) held.signer.forget(); // a second net: whatever is held now, it signs nothing
      return held.signer;
    },
    said: () =>
      'signer' in held
        ? { address: held.signer.address, why: locked ? inWords(keyLocked()) : null, locked }
        : { address: null, why: held.missing, locked },
    lock: () => {
      if ('signer' in held) held.signer.forget();
      locked = true;
      changed.emit();
    },
    opened: async (given) => {
      if (place.remote() !== null) return openElsewhere(folder, given, place);
      return openKeystoreSigner(folder, given);
    },
    unlock: (signer) => {
      held = { signer };
      locked = false;
      changed.emit();
    },
    reload: () =>
      reloads.run(async () => {
        const opened = await openSealed(folder, await passphrase(), place);
        if ('signer' in held) held.signer.forget();
        if (locked && 'signer' in opened) opened.signer.forget(); // a lock came while it was being opened
        held = opened;
        changed.emit();
      }),
    onChange: (listener) => {
      changed.subscribe(listener);
    },
  };
}

/**
 * The key of a folder on which no desk runs, for its checks: opened once, when it is first asked for. Without a
 * passphrase, which a terminal may not have at hand, it stays unopened.
 */
export function folderKey(folder: string, passphrase: () => Promise<string>, remote: KeyPlace['remote']) {
  let opened: Promise<SignerOrNot | UnopenedKey> | undefined;
  return {
    current: () => {
      opened ??= openWith(folder, passphrase, { remote, onHeard: () => {} });
      return opened;
    },
    onChange: () => {},
  };
}

async function openWith(
  folder: string,
  passphrase: () => Promise<string>,
  place: KeyPlace,
): Promise<SignerOrNot | UnopenedKey> {
  try {
    if (place.remote() === null) await keystoreAddress(folder); // nobody is asked for the passphrase of a key that is not there
    return await open(folder, await passphrase(), place);
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    return error.code === 'no_passphrase' ? { unopened: inWords(error), fault: error } : without(error);
  }
}

async function open(folder: string, passphrase: string, place: KeyPlace): Promise<SignerOrNot> {
  try {
    if (place.remote() !== null) return { signer: await openElsewhere(folder, passphrase, place) };
    return { signer: await openKeystoreSigner(folder, passphrase) };
  } catch (error) {
    if (!isDeskError(error, 'no_keystore')) throw error;
    return without(error);
  }
}

/** The passphrase of a desk whose key is elsewhere is that of its secrets alone: they are sealed with the first that it runs with. */
async function openSealed(folder: string, passphrase: string, place: KeyPlace): Promise<SignerOrNot> {
  if (place.remote() !== null && !existsSync(join(folder, SECRETS_FILE))) {
    await writeSecrets(folder, passphrase, { counterparties: {}, serviceKeys: {} });
  }
  return open(folder, passphrase, place);
}

/** The passphrase is proven by what is sealed with it. */
async function openElsewhere(folder: string, passphrase: string, { remote, onHeard }: KeyPlace): Promise<Signer> {
  const config = remote();
  if (config === null) throw new DeskError('no_signer', 'No key elsewhere is set.');
  await readSecrets(folder, passphrase);
  return openRemoteSigner(config, onHeard);
}

function without(fault: DeskError): { missing: string; fault: DeskError } {
  return { missing: inWords(fault), fault };
}

function inWords({ message, remedy }: DeskError): string {
  return `${message} ${remedy}`;
}
