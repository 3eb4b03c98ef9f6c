import type { Command } from 'commander';
import { csvText, jsonText } from '../contract/log-text.ts';
import { type LogFilter, logFilterSchema } from '../contract/quote-log.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

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
      const write = options.format === 'csv' ? csvText() : jsonText();
      await withDesk(folderOf(), actor, async (desk) => {
        await print(write.begin);
        for await (const { rows } of await desk.log.all({ filter: filterOf(options) }))
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
