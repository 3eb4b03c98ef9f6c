import type { QuoteRow } from './quote-log.ts';

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
] as const satisfies (keyof QuoteRow)[];

/** How a log is written as text: what comes first, each row, what comes last. */
export interface LogText {
  begin: string;
  row(quote: QuoteRow): string;
  end: string;
}

/** One array of objects, an object a line. */
export function jsonText(): LogText {
  let first = true;
  const row = (quote: QuoteRow) => {
    const lead = first ? '\n' : ',\n';
    first = false;
    return lead + JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, quote[column]])));
  };
  return { begin: '[', row, end: '\n]\n' };
}

/** Comma-separated with a head, as RFC 4180 has it. */
export function csvText(): LogText {
  const row = (quote: QuoteRow) => csvLine(COLUMNS.map((column) => quote[column]));
  return { begin: csvLine(COLUMNS), row, end: '' };
}

/** One line of comma-separated values; null is empty. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map(csvField).join(',')}\r\n`;
}

function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
