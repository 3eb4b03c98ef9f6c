import type { Command } from 'commander';
import { readDeskFile } from '../contract/desk-file-text.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';
import { printDeskFile } from './write-file.ts';

export function addExport(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('export [file]')
    .description('write the desk file, to stdout without FILE')
    .option('--with-secrets', 'with the keys of the counterparties, and those to services')
    .action(async (file: string | undefined, options: { withSecrets?: boolean }) => {
      const desk = await withDesk(placeOf(), actor, async (client) =>
        readDeskFile(await client.desk.export({ withSecrets: options.withSecrets ?? false })),
      );
      await printDeskFile(desk, file);
    });
}
