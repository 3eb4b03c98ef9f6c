import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import { print } from './print.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** A sign of a person, for the dead-man switch. */
export function addHere(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('here')
    .description('say that a person minds the desk, so that its dead-man switch does not halt it')
    .action(async () => {
      const place = placeOf();
      const { state, running } = await withDesk(place, actor, async (desk, running) => {
        return { state: await desk.trading.here(), running };
      });
      const haltsAt = state?.haltsAt ?? null;
      await print(`${JSON.stringify({ here: true, haltsAt: haltsAt === null ? null : isoTime(haltsAt), running })}\n`);
      if (!running) process.stderr.write(`No desk runs in ${place}, so no dead-man switch does either.\n`);
    });
}
