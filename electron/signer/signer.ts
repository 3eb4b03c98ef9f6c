import * as OxAddress from 'ox/Address';
import * as PublicKey from 'ox/PublicKey';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Signable } from '../protocol/signable.ts';
import type { Curve } from './curve.ts';
import { loadNativeCurve } from './native-curve.ts';
import { portableCurve } from './portable-curve.ts';
import { exactBytes, recoverKey } from './recover-key.ts';

/** A key that signs, held here or elsewhere. */
export type Signer = LocalSigner | RemoteSigner;

/** A key that is held elsewhere. It takes its time, and may be away. */
export interface RemoteSigner {
  readonly kind: 'remote';
  /** Lower case. */
  readonly address: Address;
  /**
   * 65 bytes as lower-case hex, as a `LocalSigner` gives them; they were recovered to the address. Rejects with DeskError
   * `wrong_signature` where what came is none of this address, `signer_silent` where nothing came in time, `key_locked` once it is forgotten.
   */
  sign(signable: Signable): Promise<Hex>;
  /** Nothing is asked to be signed any more. */
  forget(): void;
}

/** A key that is held here. The private key stays inside, until it is forgotten. */
export interface LocalSigner {
  readonly kind: 'local';
  /** Lower case. */
  readonly address: Address;
  /** 65 bytes (uncompressed) as lower-case hex digits. */
  readonly publicKey: string;
  readonly implementation: Curve['name'];
  /** 65 bytes as lower-case hex: r, s in the lower half, v 27 or 28 (PROTOCOL 2.6, firm order). Throws DeskError `key_locked` once the key is forgotten. */
  sign(signable: Pick<Signable, 'hash'>): Hex;
  /** Whether the signature, read back from its hex, recovers to this signer. False for whatever is no signature. */
  isOwn(hash: Hex, signature: Hex): boolean;
  /** The address a signature recovers to, lower case. Throws DeskError `bad_signature`. */
  recover(hash: Hex, signature: Hex): Address;
  /** Overwrites the private key in memory: nothing is signed any more. What was signed is still recognised. */
  forget(): void;
}

const CHECK_HASH: Hex = `0x${'5a'.repeat(32)}`;

/**
 * Makes a signer of a private key, which it copies, and proves it before use: it must sign, and its signature must recover to it
 * by the portable implementation too. Throws DeskError `bad_private_key` or `signer_broken`.
 */
export function openSigner(
  privateKey: Hex | Uint8Array,
  curve: Curve = loadNativeCurve() ?? portableCurve,
): LocalSigner {
  const key = keyBytes(privateKey);
  let isForgotten = false;
  const own = publicKeyOf(key, curve);
  const signer: LocalSigner = {
    kind: 'local',
    address: addressOf(own),
    publicKey: own.toString('hex'),
    implementation: curve.name,
    sign({ hash }) {
      const digest = exactBytes(hash, 32);
      if (digest === null) throw new DeskError('bad_hash', 'An order hash must be 32 bytes of hex.');
      if (isForgotten) throw keyLocked();
      const { signature, recovery } = curve.sign(digest, key as Buffer);
      return `0x${Buffer.from(signature).toString('hex')}${recovery === 0 ? '1b' : '1c'}`;
    },
    isOwn: (hash, signature) => recoverKey(hash, signature, curve)?.equals(own) ?? false,
    recover(hash, signature) {
      const found = signedBy(hash, signature, curve);
      if (found === null) throw new DeskError('bad_signature', 'These bytes are not the signature of any key.');
      return found;
    },
    forget() {
      isForgotten = true;
      key?.fill(0);
    },
  };
  const proof = signer.sign({ hash: CHECK_HASH });
  if (!signer.isOwn(CHECK_HASH, proof) || recoverKey(CHECK_HASH, proof, portableCurve)?.equals(own) !== true) {
    throw new DeskError('signer_broken', 'The signer made a signature that does not recover to its own address.', {
      remedy: 'Do not trade with this installation; install it again and check the machine.',
    });
  }
  return signer;
}

/** The address that a signature over a hash recovers to, lower case; null for whatever is no signature. */
export function signedBy(hash: Hex, signature: Hex, curve: Curve = loadNativeCurve() ?? portableCurve): Address | null {
  const key = recoverKey(hash, signature, curve);
  return key === null ? null : addressOf(key);
}

/** What is answered in place of a signature, of a key or a passphrase, while the desk is locked. */
export function keyLocked(): DeskError {
  return new DeskError('key_locked', 'The key of this desk is locked.', {
    remedy: 'Unlock it: in the desktop app under Settings, Signer, or with "makerdesk unlock" on its machine.',
  });
}

/** In memory of its own, so that all of it can be overwritten. */
function keyBytes(privateKey: Hex | Uint8Array): Buffer | null {
  const given = typeof privateKey === 'string' ? exactBytes(privateKey, 32) : privateKey;
  if (given?.length !== 32) return null;
  const own = Buffer.alloc(32);
  own.set(given);
  return own;
}

function publicKeyOf(key: Buffer | null, curve: Curve): Buffer {
  try {
    if (key !== null) return Buffer.from(curve.publicKey(key));
  } catch {
    // falls through to the one sentence, which must not quote the key
  }
  throw new DeskError(
    'bad_private_key',
    'This is not a private key: it must be 32 bytes, not zero, below the order of the curve.',
  );
}

function addressOf(publicKey: Buffer): Address {
  return OxAddress.fromPublicKey(PublicKey.fromBytes(publicKey)).toLowerCase() as Address;
}
