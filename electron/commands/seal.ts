import { appendFileSync } from 'node:fs';
import type { Command } from 'commander';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';
import { print } from './print.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** Seals are lines of JSON, so that those of many days stand in one file. */
export function addSeal(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('seal')
    .description('sign which row is the last of the journal with the desk’s key, and print that: keep it elsewhere')
    .option('--export <file>', 'add it to the end of this file instead')
    .action(async (options: { export?: string }) => {
      const seal = await withDesk(placeOf(), actor, (desk) => desk.desk.seal());
      const line = `${JSON.stringify(seal)}\n`;
      if (options.export === undefined) return print(line);
      try {
        appendFileSync(options.export, line, { mode: 0o600, flush: true });
      } catch (cause) {
        const why = systemFault(cause);
        throw new DeskError(
          'not_written',
          `The seal could not be added to ${options.export}${why ? `: ${why}` : ''}.`,
          {
            remedy: 'Name another file, or none to have it on stdout.',
            cause,
          },
        );
      }
    });
}
