import type { Command } from 'commander';
import { type LogFilter, logFilterSchema, type QuoteRow } from '../contract/quote-log.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

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
] as const satisfies (keyof QuoteRow)[]; // prettier keeps columns together

interface LogOptions {
  format: string;
  since?: string;
  user?: string;
  pair?: string;
}

export function addLog(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('log')
    .description('the signed-firm log, oldest first')
    .option('--format <format>', 'json or csv', 'json')
    .option('--since <time>', 'only from this time on, ISO 8601')
    .option('--user <address>', 'only this user')
    .option('--pair <id>', 'only this pair')
    .action(async (options: LogOptions) => {
      if (options.format !== 'json' && options.format !== 'csv')
        throw new DeskError('bad_format', 'The format is json or csv.');
      const write = options.format === 'csv' ? csvWriter() : jsonWriter();
      await withDesk(folderOf(), actor, async (desk) => {
        await print(write.begin);
        for await (const rows of await desk.log.all({ filter: filterOf(options) }))
          await print(rows.map(write.row).join(''));
        await print(write.end);
      });
    });
}

function filterOf(options: LogOptions): LogFilter {
  const since = options.since === undefined ? undefined : Date.parse(options.since);
  const parsed = logFilterSchema.safeParse({ since, user: options.user, pair: options.pair });
  if (!parsed.success) {
    throw new DeskError(
      'bad_filter',
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    );
  }
  return parsed.data;
}

function jsonWriter() {
  let first = true;
  const row = (quote: QuoteRow) => {
    const lead = first ? '\n' : ',\n';
    first = false;
    return lead + JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, quote[column]])));
  };
  return { begin: '[', row, end: '\n]\n' };
}

function csvWriter() {
  const row = (quote: QuoteRow) => `${COLUMNS.map((column) => csvField(quote[column])).join(',')}\r\n`;
  return { begin: `${COLUMNS.join(',')}\r\n`, row, end: '' };
}

function csvField(value: string | number | null): string {
  const text = value === null ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
