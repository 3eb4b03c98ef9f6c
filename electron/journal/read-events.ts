import type { Database, Statement } from 'better-sqlite3';
import { type GivenName, type NamesOf, namesOf } from '../contract/given-names.ts';
import {
  type EventDetail,
  type EventFilter,
  type EventKindName,
  type EventRow,
  eventRowSchema,
  sentenceText,
} from '../contract/journal.ts';
import { PROGRAM } from '../contract/names.ts';
import { archiveFault, parsedBody, UNREAD_BODY } from './archived-bodies.ts';
import { checkedRow } from './checked-row.ts';
import { GENESIS_HASH, rowHash } from './row-hash.ts';
import { selectRows } from './rows.ts';
import type { Slice, StoredEvent } from './slice.ts';
import { type Concerns, named, type PastRows, type Telling, type TokenName, type ToldRow, words } from './telling.ts';

/** What is given to the reader by those who know the domains. */
export interface EventsOf {
  slices: readonly Slice[];
  /** Kinds of which there are very many, and the index and condition of all other rows, by kind and sequence number. */
  crowd: { kinds: readonly string[]; index: string; condition: string };
  token: () => (chainId: number, address: `0x${string}`) => TokenName | undefined;
  names: () => readonly GivenName[];
  /** The chains that list a pair now, with the tokens that it is made of. */
  tokensOf: (pair: string) => readonly { chainId: number; tokens: readonly string[] }[];
}

export type EventsRequest = {
  filter: EventFilter;
  order: 'newest' | 'oldest';
  /** The rows to look at, both inclusive. */
  from: number;
  to: number;
  limit: number;
};
/** `at`: the last row that was looked at; the end of the range where all of it was. */
export type EventsPart = { rows: EventRow[]; at: number };

/** Rows that are told in one step: others wait for the thread that reads as long. */
const MOST_TOLD = 1_000;
/** How many rows of a kind are looked through for what was before; it mostly stands in the first few. */
const MOST_BACK = 100;
const FEW_BACK = 3;

type Teller = Telling<unknown>;
type Query = Record<string, string | number>;

/** Every event of the journal as a sentence, a page at a time. */
export function readEvents(db: Database, { slices, crowd, token, names, tokensOf }: EventsOf) {
  const past = pastRows(db, { crowd, token, names, slices });
  const tellings = new Map<string, Teller>();
  for (const slice of slices) {
    // The kind chooses the body's type, which the compiler cannot follow through a lookup.
    for (const [kind, telling] of Object.entries(slice.tell(past, db)))
      tellings.set(kind, telling as unknown as Teller);
  }
  const present = kindsIn(db, crowd);
  const one = selectRows(db);
  const stored = db.prepare<[number], StoredEvent>('SELECT seq, time, actor, kind, body FROM journal WHERE seq = ?');
  const statements = new Map<string, Statement<[Query], number>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? db.prepare<[Query], number>(sql).pluck();
    statements.set(sql, statement);
    return statement;
  };

  const told = (row: StoredEvent): { row: EventRow; concerns: Concerns } => {
    let concerns: Concerns = {};
    const base = {
      seq: row.seq,
      time: Number.isSafeInteger(row.time) && row.time >= 0 ? row.time : 0,
      actor: named(row.actor, 60),
      kind: named(row.kind, 100),
      name: tellings.get(row.kind)?.name ?? named(row.kind, 40),
    };
    const none = { ...base, chainId: null, pair: null, sentence: [], about: {} };
    const made = checkedRow(
      eventRowSchema,
      () => {
        const telling = tellings.get(row.kind);
        if (telling === undefined) return { ...none, sentence: [words('an event that this program does not know')] };
        const event: ToldRow<unknown> = { ...base, kind: row.kind, body: parsedBody(row.body) };
        concerns = telling.concerns(event);
        const { chainId = null, pair = null, quote, fill, hedge } = concerns;
        return {
          ...base,
          chainId,
          pair: pair === null ? null : named(pair, 64),
          sentence: telling.say(event),
          about: {
            ...(quote !== undefined && { quote }),
            ...(fill !== undefined && { fill }),
            ...(hedge !== undefined && { hedge }),
          },
        };
      },
      (why) => ({ ...none, unreadable: why }),
    );
    return { row: made, concerns };
  };

  return {
    /** Every kind of event there is, also those that only an earlier program wrote. */
    eventKinds(): EventKindName[] {
      const known = [...tellings].map(([kind, { name, group }]): EventKindName => {
        return { kind, name, group, many: crowd.kinds.includes(kind) };
      });
      const others = present().filter((kind) => !tellings.has(kind));
      return [...known, ...others.map((kind) => ({ kind, name: named(kind), group: 'desk' as const, many: false }))];
    },
    /** The events among some rows that a filter lets through; it may end before the end of the range. */
    eventsPart({ filter, order, from, to, limit }: EventsRequest): EventsPart {
      past.forget();
      const conditions = ['seq BETWEEN :from AND :to', 'kind IN (SELECT value FROM json_each(:kinds))'];
      const kinds = filter.kinds ?? present();
      const values: Query = { from, to, most: MOST_TOLD, kinds: JSON.stringify(kinds) };
      const crowded = kinds.some((kind) => crowd.kinds.includes(kind));
      if (!crowded) conditions.push(crowd.condition);
      if (filter.actor !== undefined && 'name' in filter.actor) {
        conditions.push('actor = :actor');
        values.actor = filter.actor.name;
      } else if (filter.actor !== undefined) {
        conditions.push("actor NOT IN (SELECT value FROM json_each(:program)) AND actor NOT LIKE 'prices:%'");
        values.program = JSON.stringify(PROGRAM);
      }
      if (filter.since !== undefined || filter.until !== undefined) {
        conditions.push('time BETWEEN :since AND :until');
        values.since = filter.since ?? 0;
        values.until = filter.until ?? Number.MAX_SAFE_INTEGER;
      }
      // An address or a hash stands whole in the row itself, so that SQLite leaves out all other rows before they are told.
      for (const [index, hex] of wholeHexIn(filter.words).entries()) {
        conditions.push(
          `(instr(lower(body), :hex${index}) > 0 OR instr(lower(actor), :hex${index}) > 0 OR ${UNREAD_BODY})`,
        );
        values[`hex${index}`] = hex;
      }
      const newest = order === 'newest';
      const seqs = prepared(`
        SELECT seq FROM ${crowded ? 'journal NOT INDEXED' : `main.journal INDEXED BY ${crowd.index}`}
        WHERE ${conditions.join(' AND ')} ORDER BY seq ${newest ? 'DESC' : 'ASC'} LIMIT :most`).all(values);
      const lets = letThrough(filter, tokensOf);
      const rows: EventRow[] = [];
      for (const seq of seqs) {
        const event = stored.get(seq);
        if (event === undefined) continue;
        const { row, concerns } = told(event);
        if (lets(row, concerns, event.body)) rows.push(row);
        if (rows.length === limit) return { rows, at: seq };
      }
      const end = newest ? from : to;
      return { rows, at: seqs.length < MOST_TOLD ? end : (seqs.at(-1) ?? end) };
    },
    /** One event whole; undefined where the journal has no such row. */
    eventAt(seq: number): EventDetail | undefined {
      past.forget();
      const row = one.get(seq, seq);
      if (row === undefined) return undefined;
      const before = seq === 1 ? GENESIS_HASH : one.get(seq - 1, seq - 1)?.hash;
      return {
        row: told(row).row,
        ...fieldsOf(row.body),
        hash: row.hash,
        previous: row.previous,
        holds: rowHash(row) === row.hash && before === row.previous,
      };
    },
  };
}

/** Whether a row is one that a filter asks for, by what cannot be seen from outside its body. One whose archive cannot be read may be. */
function letThrough({ chainId, pair, words: typed }: EventFilter, tokensOf: EventsOf['tokensOf']) {
  const listedOn = pair === undefined ? [] : tokensOf(pair);
  const needles = wordsOf(typed ?? '').map(needleOf);
  const isOn = (concerns: Concerns, chain: number) =>
    concerns.chainId == null ? concerns.wide === true : concerns.chainId === chain;
  return (row: EventRow, concerns: Concerns, body: string): boolean => {
    if (archiveFault(body) !== null) return true;
    if (chainId !== undefined && !isOn(concerns, chainId)) return false;
    if (pair !== undefined && !isOfPair(concerns, pair, listedOn)) return false;
    if (needles.length === 0) return true;
    const { seq, name, kind, actor } = row;
    const text = `${seq} ${name} ${kind} ${actor} ${row.pair ?? ''} ${sentenceText(row)} ${body}`.toLowerCase();
    return needles.every((isIn) => isIn(text));
  };
}

function isOfPair(
  { chainId, pair, pairs, tokenId, wide }: Concerns,
  asked: string,
  listedOn: ReturnType<EventsOf['tokensOf']>,
): boolean {
  if (pair != null) return pair === asked;
  if (pairs !== undefined) return pairs.includes(asked);
  const there = listedOn.find((on) => on.chainId === chainId);
  if (tokenId != null) return there?.tokens.includes(tokenId) ?? false;
  return wide === true && (chainId == null || there !== undefined || listedOn.length === 0);
}

/** The addresses and hashes among words, written out: no sentence says more of one than its two ends. */
function wholeHexIn(typed = ''): string[] {
  return wordsOf(typed).filter((word) => /^0x[0-9a-f]{40,}$/.test(word));
}

function wordsOf(typed: string): string[] {
  return typed.toLowerCase().split(/\s+/).filter(Boolean);
}

/** A word as it stands, or the two ends of a hash or an address that the screen shortened. */
function needleOf(word: string): (text: string) => boolean {
  const [, starts, ends] = /^(0x[0-9a-f]+)(?:…|\.{2,3})([0-9a-f]+)$/.exec(word) ?? [];
  if (starts === undefined || ends === undefined) return (text) => text.includes(word);
  const whole = new RegExp(`${starts}[0-9a-f]*${ends}(?![0-9a-f])`);
  return (text) => whole.test(text) || text.includes(word);
}

/** Every kind that rows of the index have. Each is found by one step, however many rows it has. */
function kindsIn(db: Database, { index, condition }: EventsOf['crowd']): () => string[] {
  const kinds = db
    .prepare<[], string>(`
      WITH RECURSIVE found(kind) AS (
        SELECT * FROM (SELECT kind FROM main.journal INDEXED BY ${index} WHERE ${condition} ORDER BY kind LIMIT 1)
        UNION ALL
        SELECT (SELECT kind FROM main.journal INDEXED BY ${index} WHERE ${condition} AND kind > found.kind ORDER BY kind LIMIT 1)
        FROM found WHERE found.kind IS NOT NULL)
      SELECT kind FROM found WHERE kind IS NOT NULL`)
    .pluck();
  return () => kinds.all();
}

/** Rows before the one that is told. What was read is kept until the next part: many rows ask for the same one. */
function pastRows(
  db: Database,
  { crowd: { index, condition }, token, names, slices }: Pick<EventsOf, 'crowd' | 'token' | 'names' | 'slices'>,
): PastRows & { forget(): void } {
  const get = db.prepare<[number], StoredEvent>('SELECT seq, time, actor, kind, body FROM journal WHERE seq = ?');
  const back = db
    .prepare<[string, number, number], number>(`
      SELECT seq FROM main.journal INDEXED BY ${index} WHERE kind = ? AND ${condition} AND seq < ? ORDER BY seq DESC LIMIT ?`)
    .pluck();
  const bodies = new Map(slices.flatMap(({ events }) => Object.entries(events)));
  const known = new Map<number, ToldRow<unknown> | undefined>();
  let tokens: ReturnType<EventsOf['token']> | null = null;
  let called: NamesOf | null = null;
  const at = (seq: number): ToldRow<unknown> | undefined => {
    if (known.has(seq)) return known.get(seq);
    const row = readable(() => {
      const stored = get.get(seq);
      if (stored === undefined) return undefined;
      const body = bodies.get(stored.kind)?.safeParse(JSON.parse(stored.body));
      return body?.success ? { ...stored, body: body.data } : undefined;
    });
    known.set(seq, row);
    return row;
  };
  return {
    at,
    latest: (before, kinds, take) => {
      for (const most of [FEW_BACK, MOST_BACK]) {
        const lists = kinds.map((kind) => back.all(kind, before, most));
        // Behind the end of a list that is cut short there may be rows of its kind that it lacks.
        const end = most === MOST_BACK ? 0 : Math.max(...lists.map((list) => list[most - 1] ?? 0));
        const seqs = lists.flat().filter((seq) => seq >= end);
        for (const seq of seqs.sort((a, b) => b - a).slice(0, MOST_BACK)) {
          const row = at(seq);
          const taken = row === undefined ? undefined : readable(() => take(row as ToldRow<never>));
          if (taken !== undefined) return taken;
        }
        if (end === 0) return undefined;
      }
      return undefined;
    },
    token: (chainId, address) => {
      tokens ??= token();
      return tokens(chainId, address.toLowerCase() as `0x${string}`);
    },
    names: () => {
      called ??= namesOf(names());
      return called;
    },
    forget: () => {
      known.clear();
      called = null;
      tokens = null;
    },
  };
}

/** An earlier row that cannot be read says nothing of before, and takes no other row along. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

const MOST_FIELDS = 400;
const MOST_VALUE = 2_000;

/** Every field of a body by its path: `ladder.bids[0][1]`. Of a body that is no JSON its text. */
function fieldsOf(body: string): Pick<EventDetail, 'fields' | 'more'> {
  const value = readable(() => ({ parsed: JSON.parse(body) as unknown }));
  if (value === undefined) return { fields: [{ path: '', value: named(body, MOST_VALUE) }], more: 0 };
  const fields: EventDetail['fields'] = [];
  let more = 0;
  const open: { path: string; value: unknown }[] = [{ path: '', value: value.parsed }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { path, value: part } = next;
    const isTree = typeof part === 'object' && part !== null && Object.keys(part).length > 0;
    if (isTree) {
      const inner = Object.entries(part).map(([name, of]) => {
        const step = Array.isArray(part) ? `[${name}]` : `${path === '' ? '' : '.'}${named(name, 64)}`;
        return { path: named(path + step, 400), value: of as unknown };
      });
      open.push(...inner.reverse().slice(-MOST_FIELDS));
      more += Math.max(0, inner.length - MOST_FIELDS);
    } else if (fields.length < MOST_FIELDS) {
      fields.push({ path, value: named(typeof part === 'string' ? part : JSON.stringify(part), MOST_VALUE) });
    } else more += 1;
  }
  return { fields, more };
}
