import { type Command, Option } from 'commander';
import type { PracticeState } from '../contract/practice.ts';
import { answeredOn, type DeskClient } from '../desk/desk-line.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { connectToDesk } from './client.ts';
import { print } from './print.ts';
import { depthOf, speedOf } from './typed-values.ts';

/** The drills and the pace of the practice market that runs on the folder, and its restart. */
export function addPracticeControl(practice: Command, folderOf: () => string, actor: string): void {
  const control = (act: (desk: DeskClient) => Promise<PracticeState>) => withPractice(folderOf(), actor, act);
  practice
    .command('fault <name> <on|off>')
    .description('let something go wrong, or end it; the refusal of an unknown name lists those there are')
    .addOption(new Option('--depth <blocks>', 'how many blocks a reorg takes back, 1 to 64').argParser(depthOf))
    .action(async (name: string, wanted: string, { depth }: { depth?: number }) => {
      if (wanted !== 'on' && wanted !== 'off') {
        throw new DeskError('bad_switch', `A fault is switched on or off, not ${wanted}.`);
      }
      const { faults } = await control(({ practice }) => practice.fault({ name, on: wanted === 'on', depth }));
      await print(`${JSON.stringify(faults.find((fault) => fault.name === name))}\n`);
    });
  practice
    .command('speed <asks-per-second>')
    .description('how often the takers of each chain ask for a firm quote')
    .action(async (text: string) => {
      const asksPerSecond = speedOf(text);
      const { speed } = await control(({ practice }) => practice.speed({ asksPerSecond }));
      await print(`${JSON.stringify({ speed })}\n`);
    });
  practice
    .command('restart')
    .description('start the practice market again, also one that ended by itself; the desk goes on meanwhile')
    .action(async () => {
      const { ended } = await control(({ practice }) => practice.restart());
      await print(`${JSON.stringify({ running: ended === null })}\n`);
    });
}

/** Throws DeskError `no_practice` where no desk runs on the folder, or a real one, and `no_answer` where it ended before it had answered. */
async function withPractice<T>(folder: string, actor: string, act: (desk: DeskClient) => Promise<T>): Promise<T> {
  const running = await connectToDesk(folder, actor);
  if (running === null) {
    throw new DeskError('no_practice', `No practice desk runs in ${folder}.`, {
      remedy: 'Start one with "makerdesk practice", or name its folder with --data.',
    });
  }
  try {
    const brokeOff = `The practice desk in ${folder} ended before it had answered: whether this was done is not known.`;
    return await answeredOn(running, () => act(running.desk), brokeOff);
  } finally {
    await running.close();
  }
}
