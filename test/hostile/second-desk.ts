import { relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestProject } from 'vitest/node';
import { statusSchema } from '../../electron/contract/trading.ts';
import { runCommand } from '../desk/desk-process.ts';
import { type BesiegedDesk, openBesiegedDesk } from './besieged-desk.ts';
import { SecondClient } from './second-client.ts';

/** Between two requests: a few a second, so that a small machine is not slower for it. */
const PACE_MS = 300;
/**
 * Beside the hostile tests stands a second desk: folder, process, chain and client are its own; machine, user, disk and the
 * folder of witnesses are also those of the desks that are attacked. As long as one of these tests runs, its client asks for
 * quotes. Where one was not given, or the desk is not LIVE and whole at the end, the run has failed.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const world = await openBesiegedDesk();
  const client = new SecondClient(world);
  /** Each in a sentence, and how often. */
  const faults = new Map<string, number>();
  const found = (fault: string) => faults.set(fault, (faults.get(fault) ?? 0) + 1);
  const ask = async (beside: readonly string[]) => {
    const fault = await client.ask();
    if (fault !== null) found(`While ${beside.join(' and ')} ran, a request for a quote ${fault}.`);
  };
  let over = false;
  const asking = (async () => {
    while (!over) {
      const beside = running(project);
      if (beside.length > 0) await ask(beside);
      await pause(PACE_MS);
    }
  })();
  return async () => {
    over = true;
    await asking;
    await ask(['nothing more']);
    for (const fault of await faultsAtTheEnd(world)) found(fault);
    console.log(
      `Beside the hostile tests, the client of a second desk got ${client.quotes} quotes, the slowest in ${client.slowestMs} ms.`,
    );
    if (faults.size === 0) return;
    const told = [...faults].map(([fault, times]) => (times === 1 ? fault : `${fault} (${times} times)`));
    throw new Error(`The second desk did not stay whole. ${told.join(' ')}`);
  };
}

/** The hostile tests that run now, by their files. */
function running(project: TestProject): string[] {
  return project.vitest.state
    .getTestModules()
    .filter((module) => module.project === project && module.state() === 'pending')
    .map(({ moduleId }) => relative(project.config.root, moduleId));
}

/** What is wrong with the desk when everything is over; ends it. */
async function faultsAtTheEnd({ folder, desk, close }: BesiegedDesk): Promise<string[]> {
  const faults: string[] = [];
  const { stdout } = await runCommand(folder, ['status', '--json']);
  const { state, reason, chains } = statusSchema.parse(JSON.parse(stdout));
  if (state !== 'LIVE') faults.push(`It is ${state}: ${reason}.`);
  for (const { closed, why } of chains) if (closed !== null) faults.push(`Its chain is closed: ${why ?? closed}.`);
  if ((await desk.stop()) !== 0) faults.push('Its process had ended before it was told to.');
  if (/broke off|halts a scope/.test(desk.stderr())) faults.push(`Its log says: ${desk.stderr()}`);
  const verified = await runCommand(folder, ['verify']);
  if (verified.code !== 0) faults.push(`Its journal is not whole: ${verified.stderr}`);
  await close();
  return faults;
}
