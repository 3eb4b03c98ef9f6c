import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import { tellNotRunning } from './not-running.ts';
import { print, printDone } from './print.ts';
import { stopReason } from './scope-options.ts';
import { addressOf, chainIdOf, timeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface BlacklistOptions {
  chain?: number;
  reason?: string;
  until?: number;
  onlyHere?: boolean;
  weaken?: boolean;
}

export function addBlacklist(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const blacklist = program.command('blacklist').description('users who get no quotes');
  blacklist
    .command('add <address>')
    .option('--chain <id>', 'only on this chain', chainIdOf)
    .option('--reason <text>', 'why, for the journal')
    .option('--until <time>', 'when it ends by itself, ISO 8601', (text: string) => timeOf(text, '--until'))
    .option(
      '--only-here',
      'not in /blacklist: the user can be let in again, but each request makes the service skip the pair for 15 minutes',
    )
    .option('--weaken', 'also where what stands of the user ends later, or is in /blacklist and this is not')
    .action(async (address: string, options: BlacklistOptions) => {
      const place = placeOf();
      const wanted = target(address, { ...options, reason: stopReason(options.reason) });
      const done = await withDesk(place, actor, async (desk, running) => {
        const { until, onlyHere, weaken: confirmed } = options;
        const { before, ...added } = await desk.blacklist.add({ ...wanted, until, onlyHere, confirmed });
        const stood = before?.map((entry) => ({
          ...entry,
          until: entry.until === null ? null : isoTime(entry.until),
          since: isoTime(entry.since),
        }));
        return { ...added, running, before: stood };
      });
      await printDone(`${JSON.stringify({ added: true, ...done })}\n`, 'The blacklisting is in force.');
      if (!done.running) tellNotRunning(place, 'stopped');
      if (!done.durable) process.exitCode = 1;
    });
  blacklist
    .command('remove <address>')
    .option('--chain <id>', 'only on this chain', chainIdOf)
    .option('--reason <text>', 'why, for the journal')
    .action(async (address: string, options: BlacklistOptions) => {
      const done = await withDesk(placeOf(), actor, (desk) => desk.blacklist.remove(target(address, options)));
      await print(`${JSON.stringify({ removed: true, ...done })}\n`);
    });
}

function target(address: string, { chain, reason }: BlacklistOptions) {
  return { address: addressOf(address, 'the address'), chainId: chain, reason };
}
