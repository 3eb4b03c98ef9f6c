import { createEmitter } from '../contract/emitter.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { keystoreAddress, openKeystoreSigner } from '../signer/keystore.ts';
import { keyLocked, type Signer } from '../signer/signer.ts';
import type { Passphrase } from './credentials.ts';

export type SignerOrNot = { signer: Signer } | { missing: string };

/** The key that signs, or why there is none; a key made while the desk runs is taken up. */
export interface HeldSigner {
  /** A locked one is missing. */
  current(): SignerOrNot;
  /** The signer of this address, if it is the one that is held; a locked one too, which refuses to sign. */
  of(address: string): Signer | null;
  said(): { address: `0x${string}` | null; why: string | null; locked: boolean };
  /** Has the key forgotten. */
  lock(): void;
  /** The same key, opened anew. */
  unlock(signer: Signer): void;
  /** Reads the folder again. Throws as opening does. */
  reload(): Promise<void>;
  onChange(listener: () => void): void;
}

/** Opens the folder's key. A wrong passphrase is refused (DeskError); a missing key keeps the desk halted. */
export async function holdSigner(folder: string, passphrase: Passphrase): Promise<HeldSigner> {
  let held = await open(folder, await passphrase());
  let locked = false;
  const changed = createEmitter((error) => {
    throw error;
  });
  return {
    current: () => (locked ? { missing: inWords(keyLocked()) } : held),
    of: (address) => ('signer' in held && held.signer.address === address ? held.signer : null),
    said: () =>
      'signer' in held
        ? { address: held.signer.address, why: locked ? inWords(keyLocked()) : null, locked }
        : { address: null, why: held.missing, locked },
    lock: () => {
      if ('signer' in held) held.signer.forget();
      locked = true;
      changed.emit();
    },
    unlock: (signer) => {
      held = { signer };
      locked = false;
      changed.emit();
    },
    reload: async () => {
      held = await open(folder, await passphrase());
      changed.emit();
    },
    onChange: (listener) => {
      changed.subscribe(listener);
    },
  };
}

/**
 * The key of a folder on which no desk runs, for its checks: opened once, when it is first asked for. Without a
 * passphrase, which a terminal may not have at hand, it stays unopened.
 */
export function folderKey(folder: string, passphrase: () => Promise<string>) {
  let opened: Promise<SignerOrNot | { unopened: string }> | undefined;
  return {
    current: () => {
      opened ??= openWith(folder, passphrase);
      return opened;
    },
    onChange: () => {},
  };
}

async function openWith(
  folder: string,
  passphrase: () => Promise<string>,
): Promise<SignerOrNot | { unopened: string }> {
  try {
    await keystoreAddress(folder); // nobody is asked for the passphrase of a key that is not there
    return await open(folder, await passphrase());
  } catch (error) {
    if (!(error instanceof DeskError)) throw error;
    return error.code === 'no_passphrase' ? { unopened: inWords(error) } : { missing: inWords(error) };
  }
}

async function open(folder: string, passphrase: string): Promise<SignerOrNot> {
  try {
    return { signer: await openKeystoreSigner(folder, passphrase) };
  } catch (error) {
    if (!isDeskError(error, 'no_keystore')) throw error;
    return { missing: inWords(error) };
  }
}

function inWords({ message, remedy }: DeskError): string {
  return `${message} ${remedy}`;
}
