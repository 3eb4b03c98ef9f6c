import type { Command } from 'commander';
import { print } from './print.ts';

export function addRebuild(program: Command, folderOf: () => string): void {
  program
    .command('rebuild')
    .description('make the tables again from the journal, where "verify" doubts them; only while no desk runs')
    .action(async () => {
      const { rebuildTables } = await import('../journal/rebuild-tables.ts');
      const rows = await rebuildTables(folderOf());
      await print(`${JSON.stringify({ rebuilt: true, rows })}\n`);
    });
}
