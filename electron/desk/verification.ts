import { verifyJournal } from '../journal/verify.ts';

export type VerifyStep = {
  checked: number;
  total: number;
  done: boolean;
  firstBad: number | null;
  detail: string | null;
};

type Listener = (step: VerifyStep) => void;

const END = { done: true, firstBad: null, detail: null };

/**
 * The verification of a desk's journal, of which there is one at a time: each takes a thread for each processor, and memory for every
 * row. Whoever asks while it runs has the same one; it is broken off once nobody listens any more.
 */
export class JournalVerification {
  readonly #folder: string;
  readonly #listeners = new Set<Listener>();
  #latest: VerifyStep | null = null;
  #breakOff: AbortController | null = null;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Tells how far it has come, and in the end what it found. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#latest !== null) listener(this.#latest);
    if (this.#breakOff === null) void this.#run();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#end();
    };
  }

  #end(): void {
    this.#latest = null;
    this.#breakOff?.abort();
  }

  /** Once after the other: who comes while one that was broken off still has threads waits for their end. */
  async #run(): Promise<void> {
    while (this.#listeners.size > 0) {
      this.#breakOff = new AbortController();
      const { signal } = this.#breakOff;
      const found = await this.#verify(signal);
      if (signal.aborted) continue;
      const listeners = [...this.#listeners];
      this.#listeners.clear();
      this.#latest = null;
      for (const listener of listeners) listener(found);
    }
    this.#breakOff = null;
  }

  async #verify(signal: AbortSignal): Promise<VerifyStep> {
    const tell = (step: VerifyStep) => {
      if (signal.aborted) return;
      this.#latest = step;
      for (const listener of this.#listeners) listener(step);
    };
    try {
      const progress = (at: { checked: number; total: number }) => tell({ ...at, ...END, done: false });
      const { ok, total, firstBad, detail } = await verifyJournal(this.#folder, progress, signal);
      return { checked: total, total, done: true, firstBad, detail: ok ? null : (detail ?? 'The journal is broken.') };
    } catch (error) {
      return { checked: 0, total: 0, ...END, detail: String(error) };
    }
  }
}
