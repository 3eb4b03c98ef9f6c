import { type Command, Option } from 'commander';
import { isoTime } from '../contract/names.ts';
import { type Token, tokenRightsSchema } from '../contract/prices.ts';
import { print } from './print.ts';
import { tableText } from './table.ts';
import { withDesk } from './with-desk.ts';

/** Tokens for programs of the house, such as an engine that pushes prices. */
export function addToken(program: Command, folderOf: () => string, actor: string): void {
  const token = program
    .command('token')
    .description('tokens for programs of the house, such as an engine that pushes prices');
  token
    .command('list', { isDefault: true })
    .description('every token that counts: its name, what for, and since when')
    .option('--json', 'as a JSON array')
    .action(async ({ json }: { json?: boolean }) => {
      const tokens = await withDesk(folderOf(), actor, (desk) => desk.tokens.list());
      const rows = tokens.map(({ since, ...rest }) => ({ ...rest, since: isoTime(since) }));
      if (json) await print(`${JSON.stringify(rows, null, 2)}\n`);
      else await print(tokens.length === 0 ? 'There is no token.\n' : table(tokens));
    });
  token
    .command('new <name>')
    .description('make one; it is shown this once, and kept nowhere')
    .addOption(
      new Option('--rights <rights>', 'what it may do').choices(tokenRightsSchema.options).makeOptionMandatory(),
    )
    .action(async (name: string, { rights }: { rights: Token['rights'] }) => {
      const made = await withDesk(folderOf(), actor, (desk) => desk.tokens.create({ name, rights }));
      await print(`${JSON.stringify({ name, rights, ...made })}\n`);
    });
  token
    .command('revoke <name>')
    .description('it counts no more, at once; the pairs that it priced are off')
    .action(async (name: string) => {
      await withDesk(folderOf(), actor, (desk) => desk.tokens.revoke({ name }));
      await print(`${JSON.stringify({ name, revoked: true })}\n`);
    });
}

function table(tokens: readonly Token[]): string {
  return tableText<Token>(
    [
      { head: 'Name', cell: ({ name }) => name },
      { head: 'Rights', cell: ({ rights }) => rights },
      { head: 'Since, UTC', cell: ({ since }) => isoTime(since) },
    ],
    tokens,
  );
}
