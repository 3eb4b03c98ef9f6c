import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

export function addImport(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('import <file>')
    .description('replace the configuration by a desk file; only while halted or not running')
    .action(async (file: string) => {
      const document = readDeskFile(file);
      const imported = await withDesk(folderOf(), actor, (desk) => desk.desk.import({ desk: document }));
      await print(`${JSON.stringify({ imported: true, ...imported })}\n`);
    });
}

function readDeskFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw new DeskError('no_file', `The desk file ${file} cannot be read.`, { cause });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DeskError('not_json', `${file} is not JSON: ${(cause as Error).message}.`, { cause });
  }
}
