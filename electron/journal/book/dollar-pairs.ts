import type { Database } from 'better-sqlite3';
import type { Pair, Token } from '../../protocol/wire.ts';
import { isDollarToken } from './listed-tokens.ts';

/** A pair that prices a token in a dollar token, from `since` until before `until`, Unix milliseconds. */
export type DollarPair = { pair: string; since: number; until: number };

/** A pair as it was defined, and which token it priced in a dollar token from when on: null where it priced none. */
type Known = { chainId: number; pair: string; definition: Pair; priced: { since: number; address: string | null }[] };
type Row = { seq: number; time: number; kind: string; body: string };
type Listed = { chainId: number; tokens: Record<string, Token>; pairs: Record<string, Pair> };

const KINDS = "'desk_configured', 'token_saved', 'pair_saved'";
/** The rows of a database are read once, whoever asks. */
const known = new WeakMap<Database, PairsEver>();

/**
 * Finds the pairs that price a token in a dollar token, or did once, in the order in which they were first listed; not each has a
 * reference. What a day came to must not change because a pair is listed no more.
 */
export function dollarPairs(db: Database): (chainId: number, address: string) => readonly DollarPair[] {
  const pairs = known.get(db) ?? new PairsEver(db);
  known.set(db, pairs);
  return (chainId, address) => pairs.of(chainId, address);
}

/** What was ever listed, read from the rows that say so as they come. */
class PairsEver {
  readonly #last;
  readonly #rows;
  readonly #tokens = new Map<string, Token>();
  readonly #pairs = new Map<string, Known>();
  #read = 0;
  #byToken = new Map<string, DollarPair[]>();

  constructor(db: Database) {
    this.#last = db.prepare<[], number | null>('SELECT max(seq) FROM main.journal').pluck();
    this.#rows = db.prepare<[number, number], Row>(
      `SELECT seq, time, kind, body FROM main.journal WHERE kind <> 'quote' AND kind IN (${KINDS}) AND seq > ? AND seq <= ?`,
    );
  }

  of(chainId: number, address: string): readonly DollarPair[] {
    this.#readNew();
    return this.#byToken.get(`${chainId} ${address}`) ?? [];
  }

  #readNew(): void {
    const last = this.#last.get() ?? 0;
    if (last === this.#read) return;
    const rows = this.#rows.all(this.#read, last).sort((a, b) => a.seq - b.seq);
    this.#read = last;
    if (rows.length === 0) return;
    for (const row of rows) {
      try {
        for (const listed of listedBy(row)) this.#list(listed, row.time);
      } catch {
        // Text that went bad on the disk lists nothing.
      }
    }
    this.#byToken = this.#spans();
  }

  #list({ chainId, tokens, pairs }: Listed, time: number): void {
    for (const [id, token] of Object.entries(tokens)) this.#tokens.set(`${chainId} ${id}`, token);
    for (const [pair, definition] of Object.entries(pairs)) {
      const name = `${chainId} ${pair}`;
      const before = this.#pairs.get(name);
      this.#pairs.set(name, { chainId, pair, definition, priced: before?.priced ?? [] });
    }
    for (const { chainId: other, definition, priced } of this.#pairs.values()) {
      if (other !== chainId) continue;
      const [base, quote] = [definition.base, definition.quote].map((id) => this.#tokens.get(`${chainId} ${id}`));
      const address = base !== undefined && quote !== undefined && isDollarToken(quote.symbol) ? base.address : null;
      if (priced.length === 0 || priced.at(-1)?.address !== address) priced.push({ since: time, address });
    }
  }

  #spans(): Map<string, DollarPair[]> {
    const byToken = new Map<string, DollarPair[]>();
    for (const { chainId, pair, priced } of this.#pairs.values()) {
      for (const [index, { since, address }] of priced.entries()) {
        if (address === null) continue;
        const name = `${chainId} ${address.toLowerCase()}`;
        const until = priced[index + 1]?.since ?? Number.POSITIVE_INFINITY;
        // A source may date what it says before the pair was listed.
        const span = { pair, since: index === 0 ? 0 : since, until };
        byToken.set(name, [...(byToken.get(name) ?? []), span]);
      }
    }
    return byToken;
  }
}

function listedBy({ kind, body }: Row): Listed[] {
  const read = JSON.parse(body);
  if (kind === 'desk_configured') return read.desk.chains;
  const { chainId, tokenId, token, pair, definition } = read;
  return kind === 'token_saved'
    ? [{ chainId, tokens: { [tokenId]: token }, pairs: {} }]
    : [{ chainId, tokens: {}, pairs: { [pair]: definition } }];
}
