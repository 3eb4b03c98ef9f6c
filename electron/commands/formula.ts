import type { Command } from 'commander';
import { checkForm } from '../book/checked.ts';
import { FaultyInput } from '../book/faults.ts';
import { type Formula, formulaSchema } from '../contract/formula.ts';
import {
  type FormulaClosing,
  type FormulaRow,
  type TermShare,
  type TriedFormula,
  termText,
} from '../contract/formula-prices.ts';
import { plain } from '../contract/plain-text.ts';
import type { DeskClient } from '../desk/desk-line.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { readJsonFile } from './json-file.ts';
import { unknownScope } from './known-scope.ts';
import { oneChain } from './one-chain.ts';
import { print } from './print.ts';
import { tableText } from './table.ts';
import { chainIdOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** A line of the table of terms. */
interface PriceLine {
  name: string;
  value: string;
  bid: TermShare;
  ask: TermShare;
}

interface PairOptions {
  pair: string;
  chain?: number;
}

/** The desk's own prices: what each formula gives and why, and how one is set. */
export function addFormula(program: Command, placeOf: () => DeskPlace, actor: string): void {
  const formula = program.command('formula').description('the desk’s own prices, a formula a pair');
  formula
    .command('list', { isDefault: true })
    .description('each formula with what it gives now, term by term, and what closes its pair')
    .option('--pair <id>', 'of this pair alone')
    .option('--chain <id>', 'on this chain alone', chainIdOf)
    .option('--json', 'as a JSON array')
    .action(async ({ pair, chain, json }: Partial<PairOptions> & { json?: boolean }) => {
      const rows = await withDesk(placeOf(), actor, async (desk) => {
        const found = await desk.formulas.list({ chainId: chain, pair });
        const unknown = await unknownScope(desk, { chain, pair });
        if (unknown !== null) throw unknown;
        return found;
      });
      if (json) await print(`${JSON.stringify(rows, null, 2)}\n`);
      else await print(rows.length === 0 ? 'No pair is priced by a formula.\n' : rows.map(textOf).join('\n'));
    });
  onPair(formula, 'try <file>', 'say what a formula would give now; nothing of it is kept or served').action(
    async (file: string, { pair, chain }: PairOptions) => {
      const tried = formulaIn(file);
      const given = await withDesk(placeOf(), actor, async (desk) =>
        desk.formulas.try({ chainId: await oneChain(desk, chain), pair, formula: tried }),
      );
      await print(pricesText(tried, given));
    },
  );
  onPair(formula, 'set <file>', 'price a pair by a formula from now on').action(
    async (file: string, { pair, chain }: PairOptions) => {
      const wanted = formulaIn(file);
      const done = await withDesk(placeOf(), actor, async (desk) => {
        const at = { chainId: await oneChain(desk, chain), pair };
        return { ...at, ...(await desk.formulas.set({ ...at, formula: wanted, seen: await seenOf(desk, at) })) };
      });
      await print(`${JSON.stringify({ set: true, ...done })}\n`);
    },
  );
  onPair(formula, 'remove', 'stop pricing a pair by its formula; its ladder stays as it is').action(
    async ({ pair, chain }: PairOptions) => {
      const done = await withDesk(placeOf(), actor, async (desk) => {
        const at = { chainId: await oneChain(desk, chain), pair };
        const seen = await seenOf(desk, at);
        if (seen === null) throw new DeskError('no_formula', `${plain(pair)} has no formula.`);
        return { ...at, ...(await desk.formulas.remove({ ...at, seen })) };
      });
      await print(`${JSON.stringify({ removed: true, ...done })}\n`);
    },
  );
}

function onPair(formula: Command, name: string, does: string): Command {
  return formula
    .command(name)
    .description(does)
    .requiredOption('--pair <id>', 'which pair')
    .option('--chain <id>', 'which chain; needed where the desk has several', chainIdOf);
}

async function seenOf(desk: DeskClient, { chainId, pair }: { chainId: number; pair: string }): Promise<Formula | null> {
  const [row] = await desk.formulas.list({ chainId, pair });
  return row?.formula ?? null;
}

/** A formula as the desk file has it for one pair. Throws FaultyInput `formula_refused`. */
function formulaIn(file: string): Formula {
  const read = readJsonFile(file, {
    name: 'formula',
    remedy:
      'one such as { "spreadBps": "5", "tick": "0.1", "bids": { "size": "2", "levels": 5, "stepBps": "1" }, "asks": { "size": "2", "levels": 5, "stepBps": "1" } }',
  });
  const { value, faults } = checkForm(formulaSchema, read);
  if (faults) throw new FaultyInput('formula_refused', 'The formula', faults);
  return value;
}

function textOf(row: FormulaRow): string {
  const { chainId, pair, pricedBy, served } = row;
  const by = pricedBy === 'hand' ? 'a person has taken it over' : 'priced by its formula';
  const live = served === null ? '' : `, revision ${served.revision}`;
  return `${plain(pair)} on chain ${chainId}: ${by}${live}\n${pricesText(row.formula, row)}`;
}

function pricesText(formula: Formula, { why, now, closings }: TriedFormula): string {
  const closed = why === null ? '' : `No prices now: ${plain(why)}.\n`;
  if (now === null) return why === null ? 'Its position is being read: ask again.\n' : closed;
  const { terms, total, ladder } = now;
  const prices = tableText<PriceLine>(
    [
      { head: 'Term', cell: ({ name }) => name },
      { head: 'Value', cell: ({ value }) => value },
      { head: 'bps', cell: ({ bid }) => bid.bps, right: true },
      { head: 'We buy', cell: ({ bid }) => bid.price, right: true },
      { head: 'We sell', cell: ({ ask }) => ask.price, right: true },
      { head: 'bps', cell: ({ ask }) => ask.bps, right: true },
    ],
    [
      ...terms.map(({ term, bid, ask }): PriceLine => ({ name: term, value: termText(formula, now, term), bid, ask })),
      { name: 'best', value: `${ladder.bids.length} bids, ${ladder.asks.length} asks`, bid: total.bid, ask: total.ask },
    ],
  );
  const near = tableText<FormulaClosing>(
    [
      { head: 'Closes', cell: ({ closes }) => closes },
      { head: 'by', cell: ({ by }) => by },
      { head: 'now', cell: (one) => one.now ?? '-', right: true },
      { head: 'limit', cell: ({ limit }) => limit ?? '-', right: true },
      { head: 'near', cell: ({ nearPercent }) => `${nearPercent} %`, right: true },
      { head: '', cell: (one) => one.why ?? '' },
    ],
    closings,
  );
  return `${closed}${prices}${near}`;
}
