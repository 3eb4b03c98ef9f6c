import { parentPort } from 'node:worker_threads';
import { deriveKey } from '../electron/signer/derive-key.ts';

parentPort.on('message', async ({ number, key: { derivation, passphrase } }) => {
  try {
    parentPort.postMessage({ number, key: await deriveKey(derivation, passphrase) });
  } catch (error) {
    parentPort.postMessage({ number, fault: String(error) });
  }
});
