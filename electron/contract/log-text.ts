import type { NamesOf } from './given-names.ts';
import type { Nft, QuoteRow } from './quote-log.ts';

/** The columns of the signed-firm log where it leaves the desk, in their order. */
const COLUMNS = [
  'seq',
  'time',
  'chainId',
  'pair',
  'side',
  'userAddress',
  'takerAddress',
  'makerAsset',
  'takerAsset',
  'makerAmount',
  'takerAmount',
  'orderHash',
  'state',
  'code',
  'ladderRevision',
  'latencyMs',
  'outcome',
  'filledMakerAmount',
  'filledTakerAmount',
  'expiry',
  'transactions',
  'unreadable',
  'makerNft',
  'takerNft',
] as const satisfies (keyof QuoteRow)[];

/** What people call the user: behind the columns there were before. */
const USER_NAME = 'userName';

type Value = string | number | readonly string[] | Nft | null;

/** A row's columns. One that cannot be shown has its place, its time and why; the rest of it is empty, never made up. */
function valuesOf(quote: QuoteRow): Value[] {
  const isLeft = (column: (typeof COLUMNS)[number]) =>
    quote.unreadable === undefined || ['seq', 'time', 'chainId', 'state', 'outcome', 'unreadable'].includes(column);
  return COLUMNS.map((column) => (isLeft(column) ? (quote[column] ?? null) : null));
}

/** How a log is written as text: what comes first, each row, what comes last. */
export interface LogText {
  begin: string;
  row(quote: QuoteRow): string;
  end: string;
}

function nameIn(names: NamesOf, { userAddress, unreadable }: QuoteRow): string | null {
  return unreadable === undefined ? (names.user(userAddress) ?? null) : null;
}

/** One array of objects, an object a line. */
export function jsonText(names: NamesOf): LogText {
  let first = true;
  const row = (quote: QuoteRow) => {
    const lead = first ? '\n' : ',\n';
    first = false;
    const values = valuesOf(quote);
    const fields = COLUMNS.map((column, index) => [column, values[index]]);
    return lead + JSON.stringify(Object.fromEntries([...fields, [USER_NAME, nameIn(names, quote)]]));
  };
  return { begin: '[', row, end: '\n]\n' };
}

/** Comma-separated with a head, as RFC 4180 has it. */
export function csvText(names: NamesOf): LogText {
  const row = (quote: QuoteRow) => csvLine([...valuesOf(quote), nameIn(names, quote)]);
  return { begin: csvLine([...COLUMNS, USER_NAME]), row, end: '' };
}

/**
 * One line of comma-separated values; null is empty, a list is written with blanks between. What is no number and a spreadsheet would read
 * as a formula has an apostrophe before it: others wrote it.
 */
export function csvLine(values: readonly Value[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

/** A text as it was before it became a value of such a line. */
export function withoutApostrophe(text: string): string {
  return FORMULA.test(text) && text.startsWith("'") ? text.slice(1) : text;
}

const FORMULA = /^'*[=+\-@\t\r]/;
const NUMBER = /^[+-]?\d+(\.\d+)?$/;

function csvField(value: Value): string {
  const plain = value === null ? '' : typeof value === 'object' ? wordsOf(value).join(' ') : String(value);
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function wordsOf(value: readonly string[] | Nft): readonly string[] {
  return 'kind' in value ? [value.kind, value.id] : value;
}
