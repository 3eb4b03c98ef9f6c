import type { Command } from 'commander';
import type { GivenName, Named } from '../contract/given-names.ts';
import { isoTime } from '../contract/names.ts';
import { print } from './print.ts';
import { tableText } from './table.ts';
import { addressOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** What people call users and counterparties. */
export function addNames(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const names = program.command('names').description('what people call users and counterparties');
  const set = async (named: Named, name: string) => {
    const given = name.trim() === '' ? null : name;
    const done = await withDesk(placeOf(), actor, (desk) => desk.names.set({ ...named, name: given }));
    await print(`${JSON.stringify({ ...named, name: given, ...done })}\n`);
  };
  names
    .command('list', { isDefault: true })
    .description('every name, of whom, since when and by whom')
    .option('--json', 'as a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const given = await withDesk(placeOf(), actor, (desk) => desk.names.list());
      const rows = given.map(({ since, ...name }) => ({ ...name, since: isoTime(since) }));
      if (json) await print(`${JSON.stringify(rows, null, 2)}\n`);
      else await print(given.length === 0 ? 'Nobody has a name.\n' : table(given));
    });
  names
    .command('user <address> <name>')
    .description('name a user by their address, on every chain; "" takes the name away')
    .action((address: string, name: string) => set({ of: 'user', id: addressOf(address, 'the address') }, name));
  names
    .command('counterparty <domain> <name>')
    .description('name a counterparty by its domain; "" takes the name away')
    .action((domain: string, name: string) => set({ of: 'counterparty', id: domain }, name));
}

function table(given: readonly GivenName[]): string {
  return tableText<GivenName>(
    [
      { head: 'Name', cell: ({ name }) => name },
      { head: 'Of', cell: ({ of }) => of },
      { head: 'Address or domain', cell: ({ id }) => id },
      { head: 'Since, UTC', cell: ({ since }) => isoTime(since) },
      { head: 'By', cell: ({ actor }) => actor },
    ],
    given,
  );
}
