import { DeskError } from '../protocol/desk-error.ts';

/** Whether signer, journal and chain were checked since the desk started. Nothing is signed and nothing resumed before. */
export class StartChecks {
  #outcome: 'pending' | 'passed' | { failed: string } = 'pending';
  /** Why what is written here stands nowhere else; null while it does, or need not. */
  #alone: string | null = null;

  get pending(): boolean {
    return this.#outcome === 'pending';
  }

  pass(): void {
    this.#outcome = 'passed';
  }

  fail(sentence: string): void {
    this.#outcome = { failed: sentence };
  }

  /** Of a desk of a fleet: whether its rows stand elsewhere too, and if not, why. */
  alone(why: string | null): void {
    this.#alone = why;
  }

  get isAlone(): boolean {
    return this.#alone !== null;
  }

  /** Throws DeskError `fleet_alone` where what is written here stands nowhere else: another desk may do the same, and know nothing of it. */
  demandNotAlone(): void {
    if (this.#alone === null) return;
    throw new DeskError('fleet_alone', `This desk is alone in its fleet, and signs nothing: ${this.#alone}`, {
      remedy:
        'See that it reaches the fleet server: once the fleet has all of its rows it can be resumed. Where another desk has taken over, trade there.',
    });
  }

  /** Throws DeskError `checks_pending`, `checks_failed` or `fleet_alone` unless they passed. */
  demand(): void {
    this.demandNotAlone();
    if (this.#outcome === 'passed') return;
    if (this.#outcome === 'pending') {
      throw new DeskError('checks_pending', 'The desk has not passed its checks of signer, journal and chain yet.', {
        remedy: 'Wait until they are through, then resume again.',
      });
    }
    throw new DeskError('checks_failed', `The desk did not pass its checks: ${this.#outcome.failed}`, {
      remedy: 'Fix what the sentence names; the checks run again by themselves or with the next start.',
    });
  }
}
