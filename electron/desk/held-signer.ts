import { createEmitter } from '../contract/emitter.ts';
import { DeskError, isDeskError } from '../protocol/desk-error.ts';
import { keystoreAddress, openKeystore } from '../signer/keystore.ts';
import { openSigner, type Signer } from '../signer/signer.ts';

export type SignerOrNot = { signer: Signer } | { missing: string };

/** The key that signs, or why there is none; a key made while the desk runs is taken up. */
export interface HeldSigner {
  current(): SignerOrNot;
  /** The signer of this address, if it is the one that is held. */
  of(address: string): Signer | null;
  said(): { address: `0x${string}` | null; why: string | null };
  /** Reads the folder again. Throws as opening does. */
  reload(): Promise<void>;
  onChange(listener: () => void): void;
}

/** Opens the folder's key. A wrong passphrase is refused (DeskError); a missing key keeps the desk halted. */
export async function holdSigner(folder: string, passphrase: string): Promise<HeldSigner> {
  let held = await open(folder, passphrase);
  const changed = createEmitter((error) => {
    throw error;
  });
  return {
    current: () => held,
    of: (address) => ('signer' in held && held.signer.address === address ? held.signer : null),
    said: () => ('signer' in held ? { address: held.signer.address, why: null } : { address: null, why: held.missing }),
    reload: async () => {
      held = await open(folder, passphrase);
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
    const sentence = `${error.message} ${error.remedy}`;
    return error.code === 'no_passphrase' ? { unopened: sentence } : { missing: sentence };
  }
}

async function open(folder: string, passphrase: string): Promise<SignerOrNot> {
  try {
    return { signer: openSigner(await openKeystore(folder, passphrase)) };
  } catch (error) {
    if (!isDeskError(error, 'no_keystore')) throw error;
    return { missing: `${error.message} ${error.remedy}` };
  }
}
