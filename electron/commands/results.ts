import { type Command, Option } from 'commander';
import { type NamesOf, namesOf } from '../contract/given-names.ts';
import { bpsText, MARKOUT_NAMES, MARKS } from '../contract/marks.ts';
import { isoTime } from '../contract/names.ts';
import {
  type NoFillCosts,
  type PartFigure,
  type PartName,
  type Result,
  type ResultBy,
  type ResultKey,
  type Results,
  resultBySchema,
  resultsBy,
  resultsCsv,
  type Sums,
} from '../contract/results.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import type { Address } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { unknownScope } from './known-scope.ts';
import { print } from './print.ts';
import { type Column, tableText } from './table.ts';
import { addressOf, chainIdOf, timeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

interface ResultsOptions {
  from?: number;
  to?: number;
  by: ResultBy;
  chain?: number;
  pair?: string;
  user?: Address;
  json?: boolean;
  csv?: boolean;
}

const HOUR_MS = 3_600_000;

/** What the fills of a time came to, by pair, user or counterparty. */
export function addResults(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('results')
    .description('what the fills of a time came to: edge, markout, inventory, hedge costs, gas, fees, net')
    .option('--from <time>', 'fills from this time on, ISO 8601; by default an hour before the end', (text: string) =>
      timeOf(text, '--from'),
    )
    .option('--to <time>', 'fills before this time, ISO 8601; by default now', (text: string) => timeOf(text, '--to'))
    .addOption(new Option('--by <what>', 'a row for each of these').choices(resultBySchema.options).default('pair'))
    .option('--chain <id>', 'only this chain', chainIdOf)
    .option('--pair <id>', 'only this pair')
    .option('--user <address>', 'only this user', (text: string) => addressOf(text, '--user'))
    .addOption(new Option('--json', 'as JSON').conflicts('csv'))
    .option('--csv', 'as comma-separated values; the last line is all of them')
    .action(async (options: ResultsOptions) => {
      const { by, chain, pair, user, json, csv } = options;
      const until = options.to ?? Date.now() + 1;
      const since = options.from ?? Math.max(0, until - HOUR_MS);
      if (since >= until) {
        throw new DeskError('bad_time', '--from is not before --to.', { remedy: 'Give the earlier time as --from.' });
      }
      const { sums, names } = await withDesk(placeOf(), actor, async (desk) => {
        const unknown = await unknownScope(desk, { chain, pair });
        const sums = resultsBy(await last(desk, { since, until, by, chainId: chain, pair, user }), by);
        if (unknown !== null && sums.rows.length === 0) throw unknown;
        return { names: namesOf(await desk.names.list()), sums };
      });
      if (json) await print(`${JSON.stringify(told(sums, { since, until, by, names }), null, 2)}\n`);
      else if (csv) await print(resultsCsv(sums, names));
      else await print(table(sums, by, names));
    });
}

async function last(desk: DeskClient, asked: Parameters<DeskClient['results']['sums']>[0]): Promise<Sums | Results> {
  for await (const { result } of await desk.results.sums(asked)) if (result !== null) return result;
  throw new Error('the sums ended early');
}

/** As JSON; the curves are for the screen. */
function told(
  { rows, all, noFill, netOfTime, now, more }: Results,
  { since, until, by, names }: { since: number; until: number; by: ResultBy; names: NamesOf },
) {
  return {
    from: isoTime(since),
    to: isoTime(until),
    valuedUntil: isoTime(now),
    by,
    rows: rows.map(({ curve: _, ...row }) => ({
      ...row,
      userName: names.user(row.user) ?? null,
      counterpartyName: names.counterparty(row.counterparty) ?? null,
    })),
    more,
    all,
    noFill,
    netOfTime,
  };
}

/** A row of the table; one that only says something has no result. */
type Line = { name: string; result: Result | null };

function table({ rows, all, more, noFill, netOfTime }: Results, by: ResultBy, names: NamesOf): string {
  const paid = noFill === null || noFill.count === 0 ? '' : noFillText(noFill, netOfTime);
  if (all.fills === 0) return `No fills in this time.\n${paid}`;
  const lines: Line[] = rows.map((row) => ({ name: nameOf(row, by, names), result: row }));
  if (more > 0) lines.push({ name: `and ${more} more`, result: null });
  lines.push({ name: 'All', result: all });
  return `${tableText(columns(by), lines)}${paid}${notes(all)}`;
}

function nameOf({ chainId, pair, user, counterparty }: ResultKey, by: ResultBy, names: NamesOf): string {
  if (by === 'pair') return `${pair} ${chainId}`;
  const [id, name] = by === 'user' ? [user, names.user(user)] : [counterparty, names.counterparty(counterparty)];
  return name === undefined ? (id ?? 'none') : `${name} ${id}`;
}

function columns(by: ResultBy): Column<Line>[] {
  const figure = (head: string, of: (result: Result) => string): Column<Line> => {
    return { head, cell: ({ result }) => (result === null ? '' : of(result)), right: true };
  };
  const part = (head: string, name: PartName) => figure(head, ({ parts }) => figureText(parts[name]));
  return [
    { head: { pair: 'Pair, chain', user: 'User', counterparty: 'Counterparty' }[by], cell: ({ name }) => name },
    figure('Fills', ({ fills }) => `${fills}`),
    figure('Volume, $', ({ volume }) => figureText(volume)),
    part('Edge', 'edge'),
    ...MARKOUT_NAMES.map((name) => part(`to ${MARKS[name].text}`, name)),
    part('Inventory', 'inventory'),
    part('Hedge', 'hedge'),
    part('Gas', 'gas'),
    part('Fees', 'fees'),
    figure('Net, $', ({ net }) => figureText(net)),
    figure('Net, bps', ({ netBps }) => (netBps === null ? '' : bpsText(netBps))),
  ];
}

function figureText(figure: PartFigure): string {
  return figure === null ? '—' : figure === 'not_yet' ? 'not yet' : figure;
}

/** What is in no fill's result, and the net with it. */
function noFillText({ gas, fees, unpriced }: NoFillCosts, net: string | null): string {
  const missing = unpriced === 0 ? '' : ` The gas of ${unpriced} more is not known.`;
  return `Cancels, approvals and hedges for no fill: gas ${gas}, fees ${fees} dollars.${missing}\nNet of the time with them, $: ${net ?? '—'}\n`;
}

/** What the figures do not say by themselves. */
function notes({ unpriced, unreadable, young, open, valuedAt }: Result): string {
  const lines = [
    unpriced > 0 && `Fills without a price, in no figure but the count: ${unpriced}.`,
    unreadable > 0 && `Fills that cannot be read, in no figure but the count: ${unreadable}.`,
    young.fills > 0 &&
      `Fills younger than their last markout: ${young.fills}; ${young.net} dollars of the net still move.`,
    open > 0 &&
      valuedAt !== null &&
      `Fills not wholly hedged: ${open}; what is open of them is valued at prices of ${isoTime(valuedAt)} and later.`,
    'Fills with all that became of them until now, in dollars as of each fill, each figure rounded down to the cent. A hedge covers fills first in, first out.',
  ];
  return `${lines.filter((line) => line !== false).join('\n')}\n`;
}
