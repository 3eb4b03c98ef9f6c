import type { Command } from 'commander';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

/** The console of the desk that runs here, for the user who runs it. */
export function addConsole(program: Command, folderOf: () => string, actor: string): void {
  program
    .command('console')
    .description(
      'the address of the console of the desk that runs here, with its token; for the user who runs the desk alone',
    )
    .action(async () => {
      const { console } = await withDesk(folderOf(), actor, (desk) => desk.tokens.owner());
      await print(`${console}\n`);
    });
}
