import { DeskError } from '../protocol/desk-error.ts';

/** Whether signer, journal and chain were checked since the desk started. Nothing is signed and nothing resumed before. */
export class StartChecks {
  #outcome: 'pending' | 'passed' | { failed: string } = 'pending';

  get pending(): boolean {
    return this.#outcome === 'pending';
  }

  pass(): void {
    this.#outcome = 'passed';
  }

  fail(sentence: string): void {
    this.#outcome = { failed: sentence };
  }

  /** Throws DeskError `checks_pending` or `checks_failed` unless they passed. */
  demand(): void {
    if (this.#outcome === 'passed') return;
    if (this.#outcome === 'pending') {
      throw new DeskError('checks_pending', 'The desk has not passed its checks of signer, journal and chain yet.', {
        remedy: 'Wait until they are through, then resume again.',
      });
    }
    throw new DeskError('checks_failed', `The desk did not pass its checks: ${this.#outcome.failed}`, {
      remedy: 'Mend what the sentence names; the checks run again by themselves or with the next start.',
    });
  }
}
