import { keeperOf, type RemoteSignerConfig } from '../../contract/remote-signer.ts';
import type { Address, Hex } from '../../protocol/address.ts';
import { DeskError, isDeskError } from '../../protocol/desk-error.ts';
import type { Signable } from '../../protocol/signable.ts';
import { keyLocked, type RemoteSigner, signedBy } from '../signer.ts';
import type { Ask, Rs } from './ask.ts';
import { awsKms } from './aws-kms.ts';
import { googleKms } from './google-kms.ts';
import { jsonRpc } from './json-rpc.ts';

/** Told after each question: null when the key signed, else why it did not. */
export type Heard = (fault: DeskError | null) => void;

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const MOST_SAID = 200;

/**
 * A key that is held elsewhere. Nothing that it gives is used before it was recovered to the key's address: a signature of another key,
 * or of something else, goes to nobody.
 */
export function openRemoteSigner(config: RemoteSignerConfig, onHeard: Heard): RemoteSigner {
  const { address, timeoutMs } = config;
  const ask = askOf(config);
  const keeper = keeperOf(config);
  const locked = new AbortController();
  const signed = async (signable: Signable): Promise<Hex> => {
    let late: AbortSignal | null = null;
    let rs: Rs;
    try {
      await orEnd(ask.ready(), locked.signal);
      late = AbortSignal.timeout(timeoutMs);
      const ends = AbortSignal.any([late, locked.signal]);
      rs = await orEnd(ask.sign(signable, ends), ends);
    } catch (error) {
      if (locked.signal.aborted) throw keyLocked();
      throw silent(
        keeper,
        late?.aborted === true ? `did not sign within ${timeoutMs} ms` : `did not sign: ${said(error)}`,
        error,
      );
    }
    if (locked.signal.aborted) throw keyLocked();
    const signature = ownSignature(signable.hash, rs, address);
    if (signature !== null) return signature;
    throw new DeskError('wrong_signature', `What ${keeper} signed is no signature of ${address}.`, {
      remedy: 'Nothing of it left this desk. Do not resume before the signer was checked.',
    });
  };
  return {
    kind: 'remote',
    address,
    async sign(signable) {
      if (locked.signal.aborted) throw keyLocked();
      try {
        const signature = await signed(signable);
        onHeard(null);
        return signature;
      } catch (error) {
        if (error instanceof DeskError && !isDeskError(error, 'key_locked')) onHeard(error);
        throw error;
      }
    },
    forget: () => locked.abort(),
  };
}

function askOf(config: RemoteSignerConfig): Ask {
  if (config.kind === 'json-rpc') return jsonRpc(config);
  return config.kind === 'aws-kms' ? awsKms(config) : googleKms(config);
}

/** 65 bytes with s in the lower half and v of 27 or 28; null where the numbers are no signature of this address over this hash. */
export function ownSignature(hash: Hex, { r, s }: Rs, address: Address): Hex | null {
  if (r <= 0n || r >= ORDER || s <= 0n || s >= ORDER) return null;
  const low = s > ORDER / 2n ? ORDER - s : s;
  const numbers = [r, low].map((number) => number.toString(16).padStart(64, '0')).join('');
  for (const v of ['1b', '1c']) {
    const signature: Hex = `0x${numbers}${v}`;
    if (signedBy(hash, signature) === address) return signature;
  }
  return null;
}

/** Whoever is asked may not look at the signal. */
function orEnd<T>(asked: Promise<T>, ends: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const over = () => reject(ends.reason);
    ends.addEventListener('abort', over, { once: true });
    asked.then(resolve, reject).finally(() => ends.removeEventListener('abort', over));
  });
}

function silent(keeper: string, what: string, cause: unknown): DeskError {
  return new DeskError('signer_silent', `${keeper.charAt(0).toUpperCase()}${keeper.slice(1)} ${what}.`, {
    remedy: 'See whether it runs and has the key. Its chains open again by themselves once it signs.',
    cause,
  });
}

/** The words of whoever kept it from signing, and of what is behind them; that a fetch failed says nothing. */
function said(error: unknown): string {
  const words: string[] = [];
  for (let cause = error, depth = 0; cause instanceof Error && depth < 3; cause = cause.cause, depth += 1) {
    const { code } = cause as NodeJS.ErrnoException;
    if (cause.message !== 'fetch failed') words.push(cause.message || (code ?? cause.name));
  }
  return (words.join(': ') || String(error)).replace(/[.\s]+$/, '').slice(0, MOST_SAID);
}
