import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { makeDeskFolder } from '../desk/folder.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

export function addImport(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('import <file>')
    .description('replace the configuration by a desk file; only while halted or not running')
    .action(async (file: string) => {
      const document = readDeskFile(file);
      makeDeskFolder(folderOf());
      const imported = await withDesk(folderOf(), actor, (desk) => desk.desk.import({ desk: document }));
      await print(`${JSON.stringify({ imported: true, ...imported })}\n`);
    });
}

function readDeskFile(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw new DeskError('no_file', `The desk file ${file} cannot be read${because(cause)}.`, {
      remedy: 'Name a file that "makerdesk export" wrote, or one of that form.',
      cause,
    });
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new DeskError('not_json', `The desk file ${file} is not JSON${placeOf(cause, text)}.`, {
      remedy: 'Mend it there, or take one that "makerdesk export" wrote.',
      cause,
    });
  }
}

function because(cause: unknown): string {
  const why = systemFault(cause);
  return why === null ? '' : `: ${why}`;
}

/** Where the parser stopped, as line and column. */
function placeOf(cause: unknown, text: string): string {
  if (text.trim() === '') return ': it is empty';
  const position = /position (\d+)/.exec(String(cause))?.[1];
  if (position === undefined) return ': it ends too early';
  const before = text.slice(0, Number(position)).split('\n');
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1} cannot be read`;
}
