import { type Command, Option } from 'commander';
import { namesOf } from '../contract/given-names.ts';
import { csvText, jsonText } from '../contract/log-text.ts';
import type { Address } from '../protocol/address.ts';
import { unknownScope } from './known-scope.ts';
import { print } from './print.ts';
import { addressOf, timeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface LogOptions {
  format: string;
  since?: number;
  user?: Address;
  pair?: string;
}

export function addLog(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('log')
    .description('the signed-firm log, oldest first')
    .addOption(new Option('--format <format>', 'how it is written').choices(['json', 'csv']).default('json'))
    .option('--since <time>', 'only from this time on, ISO 8601', (text: string) => timeOf(text, '--since'))
    .option('--user <address>', 'only this user', (text: string) => addressOf(text, '--user'))
    .option('--pair <id>', 'only this pair')
    .action(async ({ format, since, user, pair }: LogOptions) => {
      await withDesk(placeOf(), actor, async (desk) => {
        const names = namesOf(await desk.names.list());
        const write = format === 'csv' ? csvText(names) : jsonText(names);
        const unknown = await unknownScope(desk, { pair });
        const batches = await desk.log.all({ filter: { since, user, pair } });
        let begin = write.begin;
        for await (const { rows } of batches) {
          if (rows.length === 0) continue;
          await print(`${begin}${rows.map(write.row).join('')}`);
          begin = '';
        }
        if (unknown !== null && begin !== '') throw unknown;
        await print(`${begin}${write.end}`);
      });
    });
}
