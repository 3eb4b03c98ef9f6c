import { createEmitter } from '../contract/emitter.ts';
import type { LadderPerson, Standing } from '../contract/ladder-preview.ts';
import { folded } from './stream.ts';

type Present = LadderPerson & { key: string };

/** Who has which pair before them. Nothing of it is kept: somebody is there as long as their stream is open. */
export class LadderPeople {
  readonly #present = new Set<Present>();
  /** Of which pair somebody came, left, or stands elsewhere. */
  readonly #changed = createEmitter<string>((error) => {
    throw error;
  });

  /** Comes to a pair and tells who else is there, at once and after every change; leaves when the stream ends. */
  async *watch(
    where: { chainId: number; pair: string; session: string },
    actor: string,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<LadderPerson[], void> {
    const key = `${where.chainId} ${where.pair}`;
    const own: Present = { key, session: where.session, actor, at: null };
    const others = () =>
      [...this.#present]
        .filter((person) => person.key === key && person.session !== own.session)
        .map(({ session, actor: name, at }) => ({ session, actor: name, at }));
    const subscribe = (listener: (people: LadderPerson[]) => void) => {
      return this.#changed.subscribe((changed) => {
        if (changed === key) listener(others());
      });
    };
    this.#present.add(own);
    this.#changed.emit(key);
    try {
      const changes = folded(subscribe, (_earlier, later) => later, signal);
      const first = changes.next(); // listens before the others are read
      yield others();
      const next = await first;
      if (next.done) return;
      yield next.value;
      yield* changes;
    } finally {
      this.#present.delete(own);
      this.#changed.emit(key);
    }
  }

  /** Where a window stands in the pair it shows. */
  stand(session: string, at: Standing | null): void {
    for (const person of this.#present) {
      if (person.session !== session) continue;
      person.at = at;
      this.#changed.emit(person.key);
    }
  }
}
