import { parentPort } from 'node:worker_threads';
import { loadNativeCurve } from './native-curve.ts';
import { portableCurve } from './portable-curve.ts';
import { recoverKey } from './recover-key.ts';
import type { ToCheck } from './recover-signatures.ts';

/** The thread that recovers signatures. It answers each list of them with as many verdicts, and holds no key. */
const curve = loadNativeCurve() ?? portableCurve;

parentPort?.on('message', (list: ToCheck[]) => {
  const verdicts = list.map(
    ([hash, signature, publicKey]) => recoverKey(hash, signature, curve)?.toString('hex') === publicKey,
  );
  parentPort?.postMessage(verdicts);
});
