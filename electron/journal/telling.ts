import type { z } from 'zod';
import type { NamesOf } from '../contract/given-names.ts';
import type { EventGroup, SentencePart } from '../contract/journal.ts';
import { plain } from '../contract/plain-text.ts';
import { fromRaw } from '../protocol/decimal.ts';

/** What an event concerns; what it does not concern is left out. */
export interface Concerns {
  chainId?: number | null;
  pair?: string | null;
  /** Where it concerns several pairs of its chain. */
  pairs?: readonly string[];
  tokenId?: string | null;
  /** It changes how every pair of its chain is quoted, or of the desk where it names no chain. */
  wide?: boolean;
  quote?: number;
  fill?: number;
  hedge?: number;
}

/** A row of the journal that somebody tells about. */
export type ToldRow<Body> = { seq: number; time: number; actor: string; kind: string; body: Body };

/** How a kind of event is told to people. All of it may throw: the row is then told as one that cannot be read. */
export interface Telling<Body> {
  /** What happened, as a table names it: `Ladder published`. */
  readonly name: string;
  readonly group: EventGroup;
  readonly concerns: (row: ToldRow<Body>) => Concerns;
  /** What was done, without who did it. */
  readonly say: (row: ToldRow<Body>) => SentencePart[];
}

/** A telling for each kind of a domain: a new kind without one does not compile. */
export type TellingsOf<Events extends Record<string, z.ZodType>> = {
  readonly [Kind in keyof Events & string]: Telling<z.infer<Events[Kind]>>;
};

/** Rows before another one, for sentences that say what was before. */
export interface PastRows {
  at(seq: number): ToldRow<unknown> | undefined;
  /** What `take` makes of the latest row of one of these kinds before `seq` for which it gives something. Looks a bounded way back. */
  latest<T>(before: number, kinds: readonly string[], take: (row: ToldRow<never>) => T | undefined): T | undefined;
  /** The token at an address as it is listed now. */
  token(chainId: number, address: string): TokenName | undefined;
  /** What people call users and counterparties now. */
  names(): NamesOf;
}
export type TokenName = { symbol: string; decimals: number };

/** A longer name or number is cut. */
const MOST_NAME = 40;
const MOST_SAID = 300;
const MOST_PLACES = 8;
/** No token on the wire has more. */
const MOST_DECIMALS = 77;

/** Words of the program. */
export function words(text: string): SentencePart {
  return { text };
}

/** What others called something: on one line, without what steers or turns it, and not endless. */
export function named(text: string, most = MOST_NAME): string {
  const line = plain(text);
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}

/** What a person or a service said, in quotes behind a blank; nothing where nobody said anything. */
export function quoted(text: string | null | undefined): SentencePart[] {
  return text == null || text === '' ? [] : [{ text: ` “${named(text, MOST_SAID)}”`, as: 'said' }];
}

/** `4.6 → 7.0`; where nothing is known of before only what is now, and what stayed as it was is said once. */
export function change(before: string | null | undefined, after: string): SentencePart[] {
  if (before == null || before === after) return [{ text: after, as: 'after' }];
  return [{ text: before, as: 'before' }, { text: ' → ' }, { text: after, as: 'after' }];
}

/** Parts with a comma between. */
export function listed(items: readonly SentencePart[][]): SentencePart[] {
  return items.flatMap((item, index) => (index === 0 ? item : [words(', '), ...item]));
}

/** `3412.5` as it is read: `3,412.5`; digits nobody reads are cut, and it says so. */
export function figure(decimal: string): string {
  const [, sign = '', whole = decimal, fraction = ''] = /^([-+]?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole.length > MOST_NAME) return `${sign}${whole.slice(0, 6)}… (${whole.length} digits)`;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  // Of a number below one the first digits that are not zero are what counts.
  const places = Math.max(MOST_PLACES, whole === '0' ? fraction.search(/[1-9]/) + 6 : 0);
  const shown = fraction.length > places ? `${fraction.slice(0, Math.min(places, MOST_NAME))}…` : fraction;
  return `${sign === '-' ? '−' : sign}${grouped}${shown === '' ? '' : `.${shown}`}`;
}

/** Raw units of a token as they are read: `1,364.8 USDC`; of one that is not listed as they are. */
export function amount(raw: string, token: TokenName | undefined, as?: SentencePart['as']): SentencePart {
  // Nobody asked the chain about the token of an old hedge: it may say any number of decimals.
  if (token === undefined || !(token.decimals >= 0 && token.decimals <= MOST_DECIMALS)) {
    return { text: `${figure(raw)} raw`, as };
  }
  const symbol = named(token.symbol, 16);
  const text = `${figure(fromRaw(BigInt(raw), token.decimals))} ${symbol}`;
  return { text, as, amount: { raw: `${BigInt(raw)}`, decimals: token.decimals, symbol } };
}

/** A hash or an address as it stands on the screen: `0x7c41…e94d`. */
export function shortened(hex: string): string {
  return hex.length > 14 ? `${named(hex.slice(0, 6))}…${named(hex.slice(-4))}` : named(hex);
}

/** A user as they stand on the screen: by name where they have one, and always by the shortened address. */
export function user(past: Pick<PastRows, 'names'>, address: string): SentencePart[] {
  const name = past.names().user(address);
  return name === undefined ? [words(shortened(address))] : [words(named(name)), words(` ${shortened(address)}`)];
}

/** `1 pair`, `7 pairs`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figure(`${count}`)} ${count === 1 ? one : many}`;
}

/** More changes of one event than a person reads in one go. */
const MOST_CHANGES = 6;

/** Changes with a comma between, the first ones, and how many more there are. */
export function changes(parts: readonly SentencePart[][]): SentencePart[] {
  const left = parts.length - MOST_CHANGES;
  return listed(left > 0 ? [...parts.slice(0, MOST_CHANGES), [words(`and ${left} more`)]] : parts);
}

/**
 * What differs between two records, field by field: `deadline 3,000 → 2,000`. Nothing is known of `before`: all of it. `nameOf`: what
 * people call a field.
 */
export function differences(
  before: Readonly<Record<string, unknown>> | undefined,
  after: Readonly<Record<string, unknown>>,
  nameOf: (field: string) => string = spelled,
): SentencePart[] {
  const [past, next] = [new Map(Object.entries(before ?? {})), new Map(Object.entries(after))];
  const fields = [...new Set([...past.keys(), ...next.keys()])];
  const changed = fields.filter(
    (field) => before === undefined || JSON.stringify(past.get(field)) !== JSON.stringify(next.get(field)),
  );
  return changes(
    changed.map((field) => [
      words(`${named(nameOf(field), 60)} `),
      ...change(before === undefined ? null : text(past.get(field)), text(next.get(field))),
    ]),
  );
}

/** `quoteLifetimeSeconds` as words: `quote lifetime seconds`. */
function spelled(field: string): string {
  return field.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
}

function text(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'number') return figure(`${value}`);
  if (typeof value !== 'string') return named(JSON.stringify(value) ?? 'none', 80);
  if (/^0x[0-9a-fA-F]{14,}$/.test(value)) return shortened(value);
  return /^-?\d+(\.\d+)?$/.test(value) ? figure(value) : named(value, 80);
}
