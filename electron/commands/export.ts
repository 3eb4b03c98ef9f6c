import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { readDeskFile } from '../contract/desk-file-text.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

export function addExport(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('export [file]')
    .description('write the desk file, to stdout without FILE')
    .option('--with-secrets', 'with the keys of the counterparties, and those to services')
    .action(async (file: string | undefined, options: { withSecrets?: boolean }) => {
      const desk = await withDesk(folderOf(), actor, async (client) =>
        readDeskFile(await client.desk.export({ withSecrets: options.withSecrets ?? false })),
      );
      const text = `${JSON.stringify(desk, null, 2)}\n`;
      if (file === undefined) return print(text);
      writeFileSync(file, text, { mode: 0o600 });
    });
}
