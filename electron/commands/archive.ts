import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import { print } from './print.ts';
import { timeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

export function addArchive(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('archive')
    .description(
      'move quotes that are over into compressed files beside the journal, while the desk runs or not; everything reads them as before',
    )
    .requiredOption(
      '--before <date>',
      'those decided before this time (ISO 8601); the last day stays in any case',
      (text: string) => timeOf(text, '--before'),
    )
    .action(async ({ before }: { before: number }) => {
      const done = await withDesk(placeOf(), actor, (desk) => desk.desk.archive({ before }));
      await print(`${JSON.stringify({ ...done, until: done.until === null ? null : isoTime(done.until) })}\n`);
    });
}
