import type { Command } from 'commander';
import type { Position } from '../contract/hedge.ts';
import { unknownScope } from './known-scope.ts';
import { print } from './print.ts';
import { amountText, tableText } from './table.ts';
import { chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** What the desk is long or short of by its fills and hedges. */
export function addPositions(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('positions')
    .description('what the desk is long (+) or short (-) of by its fills and hedges')
    .option('--json', 'as a JSON array, amounts in raw units')
    .option('--chain <id>', 'only this chain', chainIdOf)
    .action(async ({ json, chain }: { json?: boolean; chain?: number }) => {
      const positions = await withDesk(placeOf(), actor, async (desk) => {
        const unknown = await unknownScope(desk, { chain });
        const found = await desk.hedge.positions({ chainId: chain });
        if (unknown !== null && found.length === 0) throw unknown;
        return found;
      });
      if (json) await print(`${JSON.stringify(positions.map(told), null, 2)}\n`);
      else await print(positions.length === 0 ? 'Flat: nothing was filled yet.\n' : tableText(COLUMNS, positions));
    });
}

/** Of a position that cannot be told no figure is. */
function told({ token, unreadable, ...figures }: Position) {
  return unreadable === undefined ? { token, ...figures } : { token, unreadable };
}

const amount = (of: 'filled' | 'hedged') => (position: Position) =>
  position.unreadable === undefined ? amountText(position[of], position.token) : '';

const COLUMNS = [
  { head: 'Chain', cell: ({ token }: Position) => `${token.chainId}`, right: true },
  { head: 'Token', cell: ({ token }: Position) => token.symbol },
  { head: 'Filled', cell: amount('filled'), right: true },
  { head: 'Hedged', cell: amount('hedged'), right: true },
  {
    head: 'Net',
    cell: ({ net, token, unreadable }: Position) =>
      unreadable === undefined ? amountText(net, token) : `not known: ${unreadable}`,
    right: true,
  },
  { head: 'Net, $', cell: ({ netUsd }: Position) => netUsd ?? '', right: true },
  { head: 'Unhedged fills', cell: ({ unhedgedFills }: Position) => `${unhedgedFills}`, right: true },
];
