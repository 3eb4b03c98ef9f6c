import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { readDeskFile } from '../contract/desk-file-text.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { print } from './print.ts';
import { noDesk, withDesk } from './with-desk.ts';

export function addExport(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('export [file]')
    .description('write the desk file, to stdout without FILE')
    .option('--with-secrets', 'with the keys of the counterparties, and those to services')
    .action(async (file: string | undefined, options: { withSecrets?: boolean }) => {
      const folder = folderOf();
      if (!existsSync(join(folder, 'journal.db'))) throw noDesk(folder);
      const desk = await withDesk(folder, actor, async (client) =>
        readDeskFile(await client.desk.export({ withSecrets: options.withSecrets ?? false })),
      );
      const text = `${JSON.stringify(desk, null, 2)}\n`;
      if (file === undefined) return print(text);
      try {
        writeFileSync(file, text, { mode: 0o600 });
      } catch (cause) {
        const why = systemFault(cause);
        throw new DeskError('not_written', `The desk file could not be written to ${file}${why ? `: ${why}` : ''}.`, {
          remedy: 'Name another file, or none to have it on stdout.',
          cause,
        });
      }
    });
}
