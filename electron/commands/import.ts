import type { Command } from 'commander';
import { makeDeskFolder } from '../desk/folder.ts';
import { readJsonFile } from './json-file.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

export function addImport(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('import <file>')
    .description('replace the configuration by a desk file; only while halted or not running')
    .action(async (file: string) => {
      const document = readJsonFile(file, {
        name: 'desk file',
        remedy: 'one that "makerdesk export" wrote',
      });
      makeDeskFolder(folderOf());
      const imported = await withDesk(folderOf(), actor, (desk) => desk.desk.import({ desk: document }));
      await print(`${JSON.stringify({ imported: true, ...imported })}\n`);
    });
}
