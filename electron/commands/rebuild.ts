import type { Command } from 'commander';
import { rebuildTables } from '../journal/rebuild-tables.ts';
import { print } from './print.ts';

export function addRebuild(program: Command, folderOf: () => string): void {
  program
    .command('rebuild')
    .description('make the tables anew from the journal, where "verify" doubts them; only while no desk runs')
    .action(async () => {
      const rows = await rebuildTables(folderOf());
      await print(`${JSON.stringify({ rebuilt: true, rows })}\n`);
    });
}
