import type { NewEvent } from '../../electron/journal/events.ts';
import type { Journal } from '../../electron/journal/journal.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';

/** A journal whose disk a test can slow down or break, in front of the real one. */
export class HeldJournal {
  /** Events that wait for `letGo`. */
  held: { event: NewEvent; go: () => void }[] = [];
  #holds: (event: NewEvent) => boolean = () => false;
  #breaks: ((event: NewEvent) => DeskError | null) | null = null;
  #failed: ((error: DeskError) => void)[] = [];

  readonly around = (journal: Journal): Journal => ({
    ...journal,
    onFailure: (listener) => {
      this.#failed.push(listener);
      journal.onFailure(listener);
    },
    append: async (event) => {
      const error = this.#breaks?.(event) ?? null;
      if (error !== null) throw error;
      if (this.#holds(event)) await new Promise<void>((go) => this.held.push({ event, go }));
      return journal.append(event);
    },
  });

  /** From now on events of these kinds wait. */
  hold(...kinds: NewEvent['kind'][]): void {
    this.#holds = ({ kind }) => kinds.includes(kind);
  }

  /** The disk takes what waited, and everything from now on. */
  letGo(): void {
    this.hold();
    this.letGoOnly();
  }

  /** The disk takes what waited, and goes on holding what comes. */
  letGoOnly(): void {
    for (const { go } of this.held.splice(0)) go();
  }

  /** From now on no row can be written, as on a full disk. */
  breakDown(): void {
    const error = new DeskError('journal_failed', 'The disk is full.');
    this.#breaks = () => error;
    for (const listener of this.#failed) listener(error);
  }

  /** From now on rows of this kind are refused, one by one. */
  refuse(kind: NewEvent['kind']): void {
    const error = new DeskError('journal_row_refused', 'This row is refused.');
    this.#breaks = (event) => (event.kind === kind ? error : null);
  }
}
