import type { Command } from 'commander';
import type { HedgeRow } from '../contract/hedge.ts';
import { isoTime } from '../contract/names.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { unknownScope } from './known-scope.ts';
import { print } from './print.ts';
import { amountText, type Column, tableText } from './table.ts';
import { chainIdOf, limitOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface HedgesOptions {
  json?: boolean;
  chain?: number;
  open?: boolean;
  limit: number;
}

const USUAL = 50;
const PAGE = 500;

/** Every hedge with what it gave and got, newest first. */
export function addHedges(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('hedges')
    .description('hedges, what each gave and got and where it stands, newest first')
    .option('--json', 'as a JSON array, amounts in raw units')
    .option('--chain <id>', 'only this chain', chainIdOf)
    .option('--open', 'only those that have no end yet')
    .option('--limit <n>', 'at most this many', limitOf, USUAL)
    .action(async (options: HedgesOptions) => {
      const hedges = await withDesk(placeOf(), actor, async (desk) => {
        const unknown = await unknownScope(desk, { chain: options.chain });
        const found = await newest(desk, options);
        if (unknown !== null && found.length === 0) throw unknown;
        return found;
      });
      if (options.json) await print(`${JSON.stringify(hedges.map(timed), null, 2)}\n`);
      else await print(hedges.length === 0 ? 'No hedges.\n' : tableText(COLUMNS, hedges));
    });
}

async function newest(desk: DeskClient, { chain, open, limit }: HedgesOptions): Promise<HedgeRow[]> {
  const hedges: HedgeRow[] = [];
  for (let more = true; more && hedges.length < limit; ) {
    const page = await desk.hedge.list({
      chainId: chain,
      before: hedges.at(-1)?.seq,
      limit: Math.min(PAGE, limit - hedges.length),
      ...(open && { open }),
    });
    hedges.push(...page.rows);
    more = page.more;
  }
  return hedges;
}

function timed({ time, endedAt, ...hedge }: HedgeRow) {
  return { time: isoTime(time), ...hedge, endedAt: endedAt === null ? null : isoTime(endedAt) };
}

const COLUMNS: Column<HedgeRow>[] = [
  { head: 'Hedge', cell: ({ seq }) => `${seq}`, right: true },
  { head: 'Time, UTC', cell: ({ time }) => isoTime(time) },
  { head: 'Chain', cell: ({ chainId }) => `${chainId}`, right: true },
  { head: 'Way', cell: ({ mode, automatic }) => (automatic ? `${mode}, auto` : mode) },
  {
    head: 'Wanted',
    cell: ({ side, amount, src, dest }) =>
      side === 'SELL' ? `sell ${amountText(amount, src)}` : `buy ${amountText(amount, dest)}`,
    right: true,
  },
  { head: 'Gave', cell: ({ spent, src, unreadable }) => (unreadable ? '' : amountText(spent, src)), right: true },
  {
    head: 'Got',
    cell: ({ received, dest, unreadable }) => (unreadable ? '' : amountText(received, dest)),
    right: true,
  },
  { head: 'State', cell: ({ state }) => state },
  { head: 'Gas, $', cell: ({ feeUsd }) => feeUsd ?? '', right: true },
  { head: 'Net, $', cell: ({ netUsd }) => netUsd ?? '', right: true },
  { head: 'Said', cell: ({ note, unreadable }) => (unreadable ? `cannot be shown: ${unreadable}` : (note ?? '')) },
];
