import type { RepeatedRefusal } from '../contract/service-view.ts';
import type { EventBody } from '../journal/events.ts';
import type { Address } from '../protocol/address.ts';
import { ADDRESS_OF } from '../quoting/refusal-rows.ts';
import type { Rooms } from './rooms.ts';

/** How long a refusal is told of after its last time, milliseconds. */
const TOLD_MS = 3_600_000;
/** Addresses that are remembered of each kind. */
const MOST_REMEMBERED = 200;
/** Refusals of each kind that are read back at the start. */
const MOST_READ_BACK = 200;

type Kind = keyof typeof ADDRESS_OF;
const KINDS = Object.keys(ADDRESS_OF) as Kind[];

type Refused = { chainId: number; pair: string | null; code: Kind; address: Address; at: number };

/** Who or what is refused again and again in a way that the service answers by leaving the pair alone. */
export class RepeatedRefusals {
  readonly #now: () => number;
  readonly #found = new Map<string, RepeatedRefusal>();
  /** The first event that was heard as it was written. */
  #heardFrom = Number.POSITIVE_INFINITY;
  /** The newest refusal that was read back of each kind: its row may be there before it is heard. */
  readonly #readTo = new Map<Kind, number>();

  constructor({ journal, now }: Pick<Rooms, 'journal' | 'now'>) {
    this.#now = now;
    journal.onAppended((events) => {
      for (const { kind, seq, body } of events) {
        this.#heardFrom = Math.min(this.#heardFrom, seq);
        if (kind === 'quote') this.#hear(body, seq);
      }
    });
  }

  /** Takes up what was refused shortly before the desk started, and counts nothing twice that is heard meanwhile. */
  async readBack({ journal, now }: Pick<Rooms, 'journal' | 'now'>): Promise<void> {
    for (const code of KINDS) {
      const filter = { code, since: Math.max(0, now() - TOLD_MS) };
      const { rows } = await journal.read.logPage({ filter, limit: MOST_READ_BACK, order: 'newest' });
      this.#readTo.set(code, Math.min(rows[0]?.seq ?? 0, this.#heardFrom - 1));
      for (const { chainId, pair, time, seq, ...row } of rows.reverse()) {
        if (seq >= this.#heardFrom) continue;
        this.#refused({ chainId, pair, code, address: row[ADDRESS_OF[code]], at: Date.parse(time) });
      }
    }
  }

  /** Those of a chain and a code within the last hour, the newest first. */
  list(chainId: number, code: Kind): RepeatedRefusal[] {
    for (const [key, { at }] of this.#found) if (at + TOLD_MS <= this.#now()) this.#found.delete(key);
    return [...this.#found.values()].filter((found) => found.chainId === chainId && found.code === code).reverse();
  }

  #hear(body: EventBody<'quote'>, seq: number): void {
    const code = KINDS.find((kind) => kind === body.code);
    if (code === undefined || seq <= (this.#readTo.get(code) ?? 0)) return;
    const { chainId, pair, receivedAt: at } = body;
    this.#refused({ chainId, pair, code, address: body[ADDRESS_OF[code]], at });
  }

  #refused({ chainId, pair, code, address, at }: Refused): void {
    const key = `${code} ${chainId} ${address}`;
    const count = (this.#found.get(key)?.count ?? 0) + 1;
    this.#found.delete(key);
    this.#found.set(key, { chainId, code, address, pair, at, count });
    const oldest = this.#found.keys().next().value;
    if (this.#found.size > MOST_REMEMBERED && oldest !== undefined) this.#found.delete(oldest);
  }
}
