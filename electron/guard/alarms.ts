import type { Book } from '../book/book.ts';
import type { Alarm } from '../contract/trading.ts';
import type { Journal } from '../journal/journal.ts';
import { type AlarmEvent, foldAlarms, MOST_ALARMS, type StoredAlarm } from '../journal/people/alarms.ts';
import type { Address } from '../protocol/address.ts';
import { fromRaw } from '../protocol/decimal.ts';
import type { GuardLog, Trading } from './trading.ts';

/** Fills that are told one by one; of more only the number is. */
const MOST_NAMED = 3;

interface AlarmParts {
  journal: Pick<Journal, 'append' | 'read' | 'onAppended'>;
  book: Pick<Book, 'chain'>;
  trading: Trading;
  /** Unix milliseconds. */
  now: () => number;
  log?: GuardLog;
}

/**
 * What a person must look at and what stands until they say that they did. A fill of an order that this desk never signed
 * means that somebody else signs for the maker: it halts the desk, unless the chain's settings say otherwise.
 */
export class Alarms {
  readonly #parts: AlarmParts;
  #open: readonly StoredAlarm[] = [];
  /** The row of the newest alarm that was seen so far. */
  #newest = 0;
  /** Written, and not folded yet. */
  #waiting: AlarmEvent[] = [];
  #folding: Promise<void> | null = null;
  /** What is open has to be read anew. */
  #lost = false;

  private constructor(parts: AlarmParts) {
    this.#parts = parts;
    parts.journal.onAppended((events) => {
      for (const event of events) {
        if (event.kind === 'fill' || event.kind === 'drift' || event.kind === 'alarms_acknowledged')
          this.#waiting.push(event);
      }
      this.#fold();
    });
  }

  /** Takes up what nobody has acknowledged. What came after the last start of trading halts, as it would have then. */
  static async open(parts: AlarmParts): Promise<Alarms> {
    const alarms = new Alarms(parts);
    // What is written while it is read waits for it.
    alarms.#folding = Promise.resolve();
    const open = await parts.journal.read.openAlarms();
    alarms.#open = open;
    alarms.#newest = newestOf(open);
    alarms.#folding = null;
    const { since } = parts.trading.states.desk();
    alarms.#haltFor(open.filter(({ time }) => time > since));
    alarms.#fold();
    return alarms;
  }

  /** By chain, kind and token, fills first. */
  list(): Alarm[] {
    const groups = new Map<string, StoredAlarm[]>();
    for (const alarm of this.#open) {
      const key = `${alarm.kind} ${alarm.body.chainId} ${alarm.kind === 'drift' ? alarm.body.token : ''}`;
      groups.set(key, [...(groups.get(key) ?? []), alarm]);
    }
    const told = [...groups.values()].flatMap((group) => this.#told(group));
    return told.sort((a, b) => Number(a.kind === 'drift') - Number(b.kind === 'drift'));
  }

  /** Resolves once it is written and the alarms are told no more. Throws what the journal throws. */
  async acknowledge(seqs: readonly number[], { actor, reason }: { actor: string; reason: string }): Promise<void> {
    const { journal, now } = this.#parts;
    await journal.append({ time: now(), actor, kind: 'alarms_acknowledged', body: { seqs: [...seqs], reason } });
    await this.#folding;
  }

  /** Folds what was written, in its order. A journal that cannot be read halts the desk. */
  #fold(): void {
    if (this.#waiting.length === 0) return;
    this.#folding ??= (async () => {
      try {
        while (this.#waiting.length > 0) await this.#foldAll(this.#waiting.splice(0));
      } catch (error) {
        this.#lost = true;
        this.#parts.trading.failed({}, error);
      } finally {
        this.#folding = null;
      }
    })();
  }

  /** Whether the order of a fill is ours is what the tables said of it as it was written. */
  async #foldAll(events: readonly AlarmEvent[]): Promise<void> {
    const { read } = this.#parts.journal;
    if (this.#lost) this.#take(await read.openAlarms());
    this.#lost = false;
    const fills = events.flatMap(({ kind, seq }) => (kind === 'fill' ? [seq] : []));
    const strange = new Set(fills.length === 0 ? [] : await read.alarmsAmong(fills));
    for (const event of events) {
      const before = this.#open;
      this.#take(foldAlarms(before, event, !strange.has(event.seq)));
      // Who has looked at as many as are kept in mind sees those before them next.
      if (this.#open.length < before.length && before.length >= MOST_ALARMS) this.#take(await read.openAlarms());
    }
  }

  #take(open: readonly StoredAlarm[]): void {
    const fresh = open.filter(({ seq }) => seq > this.#newest);
    this.#open = open;
    this.#newest = Math.max(this.#newest, newestOf(open));
    for (const { seq, kind, body } of fresh) this.#parts.log?.error(`ALARM: ${KINDS[kind]}`, { seq, ...body });
    this.#haltFor(fresh);
  }

  #haltFor(alarms: readonly StoredAlarm[]): void {
    const { book, trading } = this.#parts;
    const halting = alarms.filter(
      ({ kind, body }) => kind === 'fill' && book.chain(body.chainId)?.config.unknownFillHalts !== false,
    );
    const [first] = this.#told(halting);
    if (first === undefined || trading.stateOf({}) === 'HALTED') return;
    void trading.halt({}, { actor: 'desk', cause: `${first.title}. ${first.detail}` });
  }

  /** The words for alarms of one kind, chain and token; nothing for none. */
  #told(group: readonly StoredAlarm[]): Alarm[] {
    const [first] = group;
    if (first === undefined) return [];
    const { chainId } = first.body;
    const name = this.#parts.book.chain(chainId)?.config.name ?? `chain ${chainId}`;
    const common = { chainId, seqs: group.map(({ seq }) => seq), since: first.time };
    const fills = group.flatMap((alarm) => (alarm.kind === 'fill' ? [alarm.body] : []));
    if (fills.length > 0) {
      const what = fills.length === 1 ? 'An order' : `${fills.length} fills: orders`;
      const named = fills.slice(0, MOST_NAMED).map((fill) => {
        const gave = this.#amount(chainId, fill.makerAsset, BigInt(fill.makerAmount));
        const got = this.#amount(chainId, fill.takerAsset, BigInt(fill.takerAmount));
        return `order ${fill.orderHash} gave ${gave} for ${got} to ${fill.taker} in transaction ${fill.transactionHash}`;
      });
      const more = fills.length > MOST_NAMED ? `, and ${fills.length - MOST_NAMED} more` : '';
      const meaning = 'Somebody else signs for the maker, or this desk has lost a part of its journal.';
      const remedy =
        'Set every allowance to zero and move the funds before anything else; then find out who else has the key, and make a new one.';
      const title = `${what} that this desk never signed ${fills.length === 1 ? 'was' : 'were'} filled on ${name}`;
      return [
        { ...common, kind: 'unknown_fill', title, detail: `${meaning} ${remedy} Seen: ${named.join('; ')}${more}.` },
      ];
    }
    const drifts = group.flatMap((alarm) => (alarm.kind === 'drift' ? [alarm.body] : []));
    const [earliest] = drifts;
    if (earliest === undefined) return [];
    const sum = drifts.reduce((total, { amount }) => total + BigInt(amount), 0n);
    const token = this.#amount(chainId, earliest.token, sum < 0n ? -sum : sum);
    const than = sum < 0n ? 'less' : 'more';
    const title = `The maker has ${token} ${than} on ${name} than its fills and transfers say`;
    const detail = `Between block ${earliest.fromBlock} and ${drifts.at(-1)?.block ?? earliest.block} the balance moved by that much without a fill, a hedge, a deposit or a withdrawal that the token’s own transfers tell of. What went out in a transaction that is neither the maker’s nor a hedge’s counts as none of them. See in a block explorer what left the maker: where somebody took it, set every allowance to zero before anything else. A token that keeps a fee of each transfer does this, and one whose balances grow or shrink by themselves. Positions are that much off: see what the token does, and take it off the list if it keeps a fee. For one that earns interest, Settings, Limits say how much of it may come or go in a day.`;
    return [{ ...common, kind: 'drift', title, detail }];
  }

  /** In token units where the token is listed. */
  #amount(chainId: number, address: Address, raw: bigint): string {
    for (const [id, token] of this.#parts.book.chain(chainId)?.tokens ?? []) {
      if (token.address === address) return `${fromRaw(raw, token.decimals)} ${id}`;
    }
    return `${raw} raw units of ${address}`;
  }
}

function newestOf(alarms: readonly StoredAlarm[]): number {
  return alarms.at(-1)?.seq ?? 0;
}

const KINDS = {
  fill: 'an order that this desk never signed was filled',
  drift: 'a balance moved without a fill or a transfer',
} as const satisfies Record<StoredAlarm['kind'], string>;
