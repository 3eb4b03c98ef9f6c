import type { Token } from '../contract/tokens.ts';
import type { Journal } from '../journal/journal.ts';

/** The use of a token is written down this often at most, milliseconds: an engine pushes hundreds of times a second. */
const WRITTEN_EVERY_MS = 60_000;

/** When each token was last used; kept beside the journal, since no row of it is worth that. */
export class TokenUses {
  readonly #journal: Pick<Journal, 'put' | 'read'>;
  readonly #now: () => number;
  readonly #used = new Map<string, number>();
  readonly #written = new Map<string, number>();

  constructor(journal: Pick<Journal, 'put' | 'read'>, now: () => number) {
    this.#journal = journal;
    this.#now = now;
  }

  /** Somebody came with the token of this name. */
  used(name: string): void {
    const at = this.#now();
    this.#used.set(name, at);
    if (Math.abs(at - (this.#written.get(name) ?? Number.NEGATIVE_INFINITY)) < WRITTEN_EVERY_MS) return;
    this.#written.set(name, at);
    const write = { table: 'settings', key: keyOf(name), value: at } as const;
    void this.#journal.put(write).catch(() => {}); // nothing depends on it
  }

  /** When a token was last used, Unix milliseconds; null: never, or not known. What an earlier one of its name did is not its own. */
  async last({ name, since }: Pick<Token, 'name' | 'since'>): Promise<number | null> {
    const at = this.#used.get(name) ?? (await this.#journal.read.setting(keyOf(name)));
    return typeof at === 'number' && at >= since ? at : null;
  }
}

function keyOf(name: string): string {
  return `token_used ${name}`;
}
