import { createEmitter, type Emitter } from '../contract/emitter.ts';
import {
  type FilteredPage,
  readSavedFilters,
  renamedFilter,
  type SavedFilter,
  withFilter,
} from '../contract/saved-filters.ts';
import type { Journal } from '../journal/journal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { SerialQueue } from '../protocol/serial-queue.ts';
import type { Log } from './log.ts';
import { folded } from './stream.ts';

/** Whose filters, of which page. */
interface Whose {
  actor: string;
  page: FilteredPage;
}

type Filters = readonly SavedFilter[];
type FiltersJournal = Pick<Journal, 'put'> & { read: Pick<Journal['read'], 'setting'> };

/** Filters of pages that people saved under names: each person's own, beside the journal and not in its chain. */
export class SavedFilters {
  readonly #journal: FiltersJournal;
  readonly #changed: Emitter<{ key: string; filters: Filters }>;
  readonly #changes = new SerialQueue();

  constructor({ journal, log }: { journal: FiltersJournal; log: Log }) {
    this.#journal = journal;
    this.#changed = createEmitter((error) => log.error('saved filters could not be told', { error: String(error) }));
  }

  /** What was saved; what cannot be read of it is left out. */
  async list(whose: Whose): Promise<Filters> {
    return readSavedFilters(await this.#journal.read.setting(keyOf(whose)));
  }

  /** All of them at once, and again whenever one changes. */
  async *watch(whose: Whose, signal: AbortSignal | undefined): AsyncGenerator<SavedFilter[], void> {
    const key = keyOf(whose);
    const changes = folded<Filters>(
      (listener) => this.#changed.subscribe((change) => change.key === key && listener(change.filters)),
      (_earlier, later) => later,
      signal,
    );
    const first = changes.next(); // listens before they are told, so that no change falls between
    yield [...(await this.list(whose))];
    for (let next = await first; !next.done; next = await changes.next()) yield [...next.value];
  }

  /** Saves a filter. Throws DeskError `filter_not_saved`, and what the journal throws. */
  save(whose: Whose, filter: SavedFilter): Promise<void> {
    return this.#change(whose, (filters) => withFilter(filters, filter));
  }

  /** Gives one another name. Throws DeskError `filter_not_saved`, and what the journal throws. */
  rename(whose: Whose, from: string, to: string): Promise<void> {
    return this.#change(whose, (filters) => renamedFilter(filters, from, to));
  }

  remove(whose: Whose, name: string): Promise<void> {
    return this.#change(whose, (filters) => ({ filters: filters.filter((one) => one.name !== name) }));
  }

  /** One after the other, so that no window takes away what another one saved at the same moment. */
  #change(whose: Whose, change: (filters: Filters) => ReturnType<typeof withFilter>): Promise<void> {
    return this.#changes.run(async () => {
      const changed = change(await this.list(whose));
      if ('fault' in changed) throw new DeskError('filter_not_saved', changed.fault);
      const filters = [...changed.filters];
      const key = keyOf(whose);
      await this.#journal.put({ table: 'settings', key, value: filters.length === 0 ? null : filters });
      this.#changed.emit({ key, filters });
    });
  }
}

function keyOf({ actor, page }: Whose): string {
  return `filters ${page} ${actor}`;
}
