import { keyLocked } from '../signer/signer.ts';

/** The passphrase of a desk that runs, until it is locked. A text cannot be overwritten: it is let go of, and nothing else holds it. */
export class HeldPassphrase {
  #text: string | null;

  constructor(text: string) {
    this.#text = text;
  }

  /** Rejects with DeskError `key_locked` while the desk is locked. */
  async get(): Promise<string> {
    if (this.#text === null) throw keyLocked();
    return this.#text;
  }

  /** As words that must not be told: none while it is locked. */
  words(): string[] {
    return this.#text === null ? [] : [this.#text];
  }

  hold(text: string): void {
    this.#text = text;
  }

  forget(): void {
    this.#text = null;
  }
}
