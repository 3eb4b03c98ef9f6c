import type { Command } from 'commander';
import { isoTime } from '../contract/names.ts';
import type { ListedToken } from '../contract/tokens.ts';
import { print } from './print.ts';
import { tableText } from './table.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** The people of a desk and the programs of the house, each with a token. */
export function addToken(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const token = program
    .command('token')
    .description('people who may open the console, and programs of the house, such as an engine that pushes prices');
  token
    .command('list', { isDefault: true })
    .description('every token that counts: its name, what for, since when and by whom, and when it was last used')
    .option('--json', 'as a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const tokens = await withDesk(placeOf(), actor, (desk) => desk.tokens.list());
      if (json) await print(`${JSON.stringify(tokens.map(written), null, 2)}\n`);
      else await print(tokens.length === 0 ? 'There is no token.\n' : table(tokens));
    });
  token
    .command('new <name>')
    .description('make one; it is shown this once, and kept nowhere')
    .requiredOption(
      '--rights <rights>',
      'what it may do: look, trade, halt, settings, admin or prices, joined by commas',
    )
    .action(async (name: string, { rights }: { rights: string }) => {
      const made = await withDesk(placeOf(), actor, (desk) => desk.tokens.create({ name, rights }));
      await print(`${JSON.stringify({ name, rights, ...made })}\n`);
    });
  token
    .command('set <name>')
    .description('what it may do from now on; a console that is open with it starts again')
    .requiredOption('--rights <rights>', 'as for "new"')
    .action(async (name: string, { rights }: { rights: string }) => {
      await withDesk(placeOf(), actor, (desk) => desk.tokens.setRights({ name, rights }));
      await print(`${JSON.stringify({ name, rights })}\n`);
    });
  token
    .command('revoke <name>')
    .description('it stops counting at once: its console is cut off, and the pairs that it priced are closed')
    .action(async (name: string) => {
      await withDesk(placeOf(), actor, (desk) => desk.tokens.revoke({ name }));
      await print(`${JSON.stringify({ name, revoked: true })}\n`);
    });
}

function written({ since, lastUsedAt, ...rest }: ListedToken) {
  return { ...rest, since: isoTime(since), lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt) };
}

function table(tokens: readonly ListedToken[]): string {
  return tableText<ListedToken>(
    [
      { head: 'Name', cell: ({ name }) => name },
      { head: 'Rights', cell: ({ rights }) => rights },
      { head: 'Since, UTC', cell: ({ since }) => isoTime(since) },
      { head: 'By', cell: ({ by = '—' }) => by },
      { head: 'Last used, UTC', cell: ({ lastUsedAt }) => (lastUsedAt === null ? '—' : isoTime(lastUsedAt)) },
    ],
    tokens,
  );
}
