import * as PublicKey from 'ox/PublicKey';
import * as Curve256k1 from 'ox/Secp256k1';
import * as Signature from 'ox/Signature';
import type { Curve } from './curve.ts';

/** secp256k1 in plain JavaScript (noble, through ox): slower, and the same everywhere. */
export const portableCurve: Curve = {
  name: 'portable',
  publicKey: (privateKey) => PublicKey.toBytes(Curve256k1.getPublicKey({ privateKey })),
  sign(hash, privateKey) {
    const signature = Curve256k1.sign({ payload: hash, privateKey });
    return { signature: Signature.toBytes(signature).slice(0, 64), recovery: signature.yParity };
  },
  recover(hash, signature, recovery) {
    const whole = new Uint8Array(65);
    whole.set(signature);
    whole[64] = 27 + recovery;
    return PublicKey.toBytes(Curve256k1.recoverPublicKey({ payload: hash, signature: Signature.fromBytes(whole) }));
  },
};
