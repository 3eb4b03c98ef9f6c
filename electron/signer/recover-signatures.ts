import { Worker } from 'node:worker_threads';
import type { Hex } from '../protocol/address.ts';
import type { LocalSigner } from './signer.ts';

/** An order's hash, its signature, and the public key (hex digits) that it has to recover to. */
export type ToCheck = [hash: Hex, signature: Hex, publicKey: string];

type Waiting = { signer: LocalSigner; hash: Hex; signature: Hex; resolve: (isOwn: boolean) => void };

/**
 * Recovers signatures in a thread of its own: that takes longer than to sign, and can be done while their rows are being
 * written. What is asked for in one turn of the event loop goes over in one message; one alone is recovered here, after its
 * row has gone to the disk, because to wake a thread takes longer. Once the thread has failed, each is recovered here.
 */
export class SignatureRecovery {
  readonly #worker: Worker;
  /** Lists that the thread has; it answers them in turn. */
  readonly #sent: Waiting[][] = [];
  #next: Waiting[] = [];
  #failed = false;

  /** `note` is told when the thread is lost. */
  constructor(note: (line: string) => void) {
    const file = import.meta.url.endsWith('.ts') ? './check-thread.ts' : './signer-check.js';
    this.#worker = new Worker(new URL(file, import.meta.url), { name: 'signature check' });
    this.#worker.unref();
    this.#worker.on('message', (verdicts: boolean[]) => {
      this.#sent.shift()?.forEach(({ resolve }, index) => {
        resolve(verdicts[index] === true);
      });
    });
    this.#worker.on('error', (error) => note(`The thread that checks signatures stopped: ${String(error)}`));
    this.#worker.on('exit', () => this.#fail());
  }

  /** Whether the signature, read back from its hex, recovers to this signer. Never rejects. */
  isOwn(signer: LocalSigner, hash: Hex, signature: Hex): Promise<boolean> {
    if (this.#failed) return Promise.resolve(signer.isOwn(hash, signature));
    return new Promise((resolve) => {
      if (this.#next.length === 0) setImmediate(() => this.#send());
      this.#next.push({ signer, hash, signature, resolve });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(): void {
    const list = this.#next;
    this.#next = [];
    if (list.length < 2) {
      checkHere(list);
      return;
    }
    const toCheck: ToCheck[] = list.map(({ signer, hash, signature }) => [hash, signature, signer.publicKey]);
    this.#worker.postMessage(toCheck);
    this.#sent.push(list);
  }

  /** The thread is gone: whatever it did not answer is recovered here, and all that comes. */
  #fail(): void {
    this.#failed = true;
    checkHere([...this.#sent.splice(0).flat(), ...this.#next.splice(0)]);
  }
}

function checkHere(list: readonly Waiting[]): void {
  for (const { signer, hash, signature, resolve } of list) resolve(signer.isOwn(hash, signature));
}
