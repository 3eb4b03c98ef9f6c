import { createEmitter, type Emitter } from '../contract/emitter.ts';
import { type GivenName, MOST_NAMES, type Named } from '../contract/given-names.ts';
import type { Journal } from '../journal/journal.ts';
import { foldName, keyOfName } from '../journal/people/slice.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import type { Log } from './log.ts';
import { folded } from './stream.ts';

type NamesJournal = Pick<Journal, 'append'> & { read: Pick<Journal['read'], 'givenNames'> };

/** What people call users and counterparties, folded from what is journaled. */
export class GivenNames {
  readonly #parts: { journal: NamesJournal; now: () => number };
  readonly #changed: Emitter<readonly GivenName[]>;
  #names: ReadonlyMap<string, GivenName>;
  readonly #changes = new SerialQueue();

  private constructor(parts: { journal: NamesJournal; now: () => number; log: Log }, names: readonly GivenName[]) {
    this.#parts = parts;
    this.#names = new Map(names.map((given) => [keyOfName(given), given]));
    this.#changed = createEmitter((error) => parts.log.error('names could not be told', { error: String(error) }));
  }

  static async open(parts: { journal: NamesJournal; now: () => number; log: Log }): Promise<GivenNames> {
    return new GivenNames(parts, await parts.journal.read.givenNames());
  }

  list(): readonly GivenName[] {
    return [...this.#names.values()];
  }

  /** All names at once, and again whenever one changes. */
  async *watch(signal: AbortSignal | undefined): AsyncGenerator<GivenName[], void> {
    const changes = folded<readonly GivenName[]>(
      (listener) => this.#changed.subscribe(listener),
      (_earlier, later) => later,
      signal,
    );
    const first = changes.next(); // listens before the names are told, so that no change falls between
    yield [...this.list()];
    for (let next = await first; !next.done; next = await changes.next()) yield [...next.value];
  }

  /**
   * Calls somebody so from now on; null takes the name away. Known once it is durable. Throws DeskError `changed_meanwhile` where
   * it is not what was `seen`, `too_many_names`, and what the journal throws.
   */
  set(
    named: Named,
    { name, seen, actor }: { name: string | null; seen?: string | null | undefined; actor: string },
  ): Promise<{ seq: number | null }> {
    return this.#changes.run(async () => {
      const before = this.#names.get(keyOfName(named));
      const was = before?.name ?? null;
      if (seen !== undefined && seen !== was) throw changed(before);
      if (name === was) return { seq: null };
      if (was === null && this.#names.size >= MOST_NAMES) {
        throw new DeskError('too_many_names', `This desk knows ${MOST_NAMES} names, and no more.`, {
          remedy: 'Take away some that nobody needs: makerdesk names.',
        });
      }
      const { journal, now } = this.#parts;
      const event = { time: now(), actor, kind: 'name_given' as const, body: { ...named, before: was, name } };
      const seq = await journal.append(event);
      const after = foldName(event);
      const names = new Map(this.#names);
      if (after === undefined) names.delete(keyOfName(named));
      else names.set(keyOfName(named), after);
      this.#names = names;
      this.#changed.emit(this.list());
      return { seq };
    });
  }
}

function changed(before: GivenName | undefined): DeskError {
  const is = before === undefined ? 'has no name any more' : `is called “${before.name}” now, by ${before.actor}`;
  return new DeskError('changed_meanwhile', `This one ${is}, so yours was not saved.`, {
    remedy: 'Look at the name it has now, and change that.',
  });
}
