type Close = () => void | Promise<void>;

/** What was opened one after the other, to be closed in the other order. */
export class Opened {
  readonly #parts: Close[] = [];

  push(close: Close): void {
    this.#parts.push(close);
  }

  /**
   * Closes each once, the newest first. One that cannot be closed keeps none of the others open.
   * Throws what the first of those threw, once all are through.
   */
  async close(): Promise<void> {
    const faults: unknown[] = [];
    for (const close of this.#parts.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
