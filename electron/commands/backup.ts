import { resolve } from 'node:path';
import type { Command } from 'commander';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

export function addBackup(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('backup <file>')
    .description('copy the journal while the desk runs')
    .action(async (file: string) => {
      const done = await withDesk(folderOf(), actor, (desk) => desk.desk.backup({ file: resolve(file) }));
      await print(`${JSON.stringify(done)}\n`);
    });
}
