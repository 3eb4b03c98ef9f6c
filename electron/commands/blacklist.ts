import type { Command } from 'commander';
import { addressSchema } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { withDesk } from './with-desk.ts';

interface BlacklistOptions {
  chain?: string;
  reason?: string;
  until?: string;
}

export function addBlacklist(program: Command, folderOf: () => string, actor: string): void {
  const blacklist = program.command('blacklist').description('users who get no quotes');
  blacklist
    .command('add <address>')
    .option('--chain <id>', 'only on this chain')
    .option('--reason <text>', 'why, for the journal')
    .option('--until <time>', 'when it ends by itself, ISO 8601')
    .action(async (address: string, options: BlacklistOptions) => {
      const until = options.until === undefined ? undefined : timeOf(options.until);
      const done = await withDesk(folderOf(), actor, (desk) =>
        desk.blacklist.add({ ...target(address, options), until }),
      );
      await print(`${JSON.stringify({ added: true, ...done })}\n`);
      if (!done.durable) process.exitCode = 1;
    });
  blacklist
    .command('remove <address>')
    .option('--chain <id>', 'only on this chain')
    .option('--reason <text>', 'why, for the journal')
    .action(async (address: string, options: BlacklistOptions) => {
      const done = await withDesk(folderOf(), actor, (desk) => desk.blacklist.remove(target(address, options)));
      await print(`${JSON.stringify({ removed: true, ...done })}\n`);
    });
}

function target(address: string, options: BlacklistOptions) {
  const parsed = addressSchema.safeParse(address);
  if (!parsed.success)
    throw new DeskError('bad_address', `${address} is not an address: it ${parsed.error.issues[0]?.message ?? ''}.`);
  return {
    address: parsed.data,
    chainId: options.chain === undefined ? undefined : Number(options.chain),
    reason: options.reason,
  };
}

/** Unix milliseconds of an ISO 8601 time. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new DeskError('bad_time', `${text} is not a time. Write it like 2026-11-20T18:00:00Z.`);
  return time;
}
