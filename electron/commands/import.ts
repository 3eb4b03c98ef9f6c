import type { Command } from 'commander';
import { parseDesk } from '../book/parse-desk.ts';
import { makeDeskFolder } from '../desk/folder.ts';
import { readJsonFile } from './json-file.ts';
import { print } from './print.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addImport(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('import <file>')
    .description('replace the configuration by a desk file; only while halted or not running')
    .action(async (file: string) => {
      const document = readJsonFile(file, {
        name: 'desk file',
        remedy: 'one that "makerdesk export" wrote',
      });
      const place = placeOf();
      if (typeof place === 'string') {
        parseDesk(document); // one that is refused makes no desk
        makeDeskFolder(place);
      }
      const imported = await withDesk(place, actor, (desk) => desk.desk.import({ desk: document }), {
        makesDesk: true,
      });
      await print(`${JSON.stringify({ imported: true, ...imported })}\n`);
    });
}
