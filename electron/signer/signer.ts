import * as OxAddress from 'ox/Address';
import * as PublicKey from 'ox/PublicKey';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Curve } from './curve.ts';
import { loadNativeCurve } from './native-curve.ts';
import { portableCurve } from './portable-curve.ts';
import { exactBytes, recoverKey } from './recover-key.ts';

/** A key that signs order hashes. The private key stays inside. */
export interface Signer {
  /** Lower case. */
  readonly address: Address;
  /** 65 bytes (uncompressed) as lower-case hex digits. */
  readonly publicKey: string;
  readonly implementation: Curve['name'];
  /** 65 bytes as lower-case hex: r, s in the lower half, v 27 or 28 (PROTOCOL 2.6, firm order). */
  sign(hash: Hex): Hex;
  /** Whether the signature, read back from its hex, recovers to this signer. False for whatever is no signature. */
  isOwn(hash: Hex, signature: Hex): boolean;
  /** The address a signature recovers to, lower case. Throws DeskError `bad_signature`. */
  recover(hash: Hex, signature: Hex): Address;
}

const CHECK_HASH: Hex = `0x${'5a'.repeat(32)}`;

/**
 * Makes a signer of a private key and proves it before use: it must sign, and its signature must recover to it by the
 * portable implementation too. Throws DeskError `bad_private_key` or `signer_broken`.
 */
export function openSigner(privateKey: Hex, curve: Curve = loadNativeCurve() ?? portableCurve): Signer {
  const key = exactBytes(privateKey, 32);
  const own = publicKeyOf(key, curve);
  const signer: Signer = {
    address: addressOf(own),
    publicKey: own.toString('hex'),
    implementation: curve.name,
    sign(hash) {
      const digest = exactBytes(hash, 32);
      if (digest === null) throw new DeskError('bad_hash', 'An order hash must be 32 bytes of hex.');
      const { signature, recovery } = curve.sign(digest, key as Buffer);
      return `0x${Buffer.from(signature).toString('hex')}${recovery === 0 ? '1b' : '1c'}`;
    },
    isOwn: (hash, signature) => recoverKey(hash, signature, curve)?.equals(own) ?? false,
    recover(hash, signature) {
      const found = signedBy(hash, signature, curve);
      if (found === null) throw new DeskError('bad_signature', 'These bytes are not the signature of any key.');
      return found;
    },
  };
  const proof = signer.sign(CHECK_HASH);
  if (!signer.isOwn(CHECK_HASH, proof) || recoverKey(CHECK_HASH, proof, portableCurve)?.equals(own) !== true) {
    throw new DeskError('signer_broken', 'The signer made a signature that does not recover to its own address.', {
      remedy: 'Do not trade with this installation; install it anew and check the machine.',
    });
  }
  return signer;
}

/** The address that a signature over a hash recovers to, lower case; null for whatever is no signature. */
export function signedBy(hash: Hex, signature: Hex, curve: Curve = loadNativeCurve() ?? portableCurve): Address | null {
  const key = recoverKey(hash, signature, curve);
  return key === null ? null : addressOf(key);
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
