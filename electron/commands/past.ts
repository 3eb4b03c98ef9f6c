import type { Command } from 'commander';
import { sentenceText } from '../contract/journal.ts';
import { isoTime } from '../contract/names.ts';
import type { ChangedCell, Moment, PastDeskView, PastDiffPart, PastPair, PastToken } from '../contract/past.ts';
import { plain } from '../contract/plain-text.ts';
import { fromRaw } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { print } from './print.ts';
import { type Column, tableText } from './table.ts';
import { timeOf } from './typed-values.ts';
import { type DeskPlace, withDesk } from './with-desk.ts';

/** The desk as it was at a moment. */
export function addAt(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('at')
    .description('the desk as it was: states, ladders, what was signed and open, balances as read, alerts')
    .argument('<moment>', 'a time, ISO 8601, or the number of a row of the journal: the desk after it')
    .option('--json', 'as JSON, with every level of every ladder')
    .action(async (moment: string, { json }: { json?: boolean }) => {
      const asked = momentOf(moment);
      const past = await withDesk(placeOf(), actor, async (desk) => {
        const found = { desk: null as PastDeskView | null, pairs: [] as PastPair[], tokens: [] as PastToken[] };
        for await (const part of await desk.past.at({ moment: asked })) {
          if (part.part === 'desk') found.desk = part.desk;
          else if (part.part === 'pairs') found.pairs.push(...part.pairs);
          else if (part.part === 'tokens') found.tokens.push(...part.tokens);
        }
        return found;
      });
      if (past.desk === null) throw brokenOff();
      await print(
        json
          ? `${JSON.stringify({ ...past.desk, pairs: past.pairs, tokens: past.tokens }, null, 2)}\n`
          : textOf(past.desk, past),
      );
    });
}

/** What differs between two moments. */
export function addDiff(program: Command, placeOf: () => DeskPlace, actor: string): void {
  program
    .command('diff')
    .description('what changed from one moment to another, each with who changed it last')
    .argument('<from>', 'a time, ISO 8601, or the number of a row of the journal')
    .argument('<to>', 'the later one')
    .option('--json', 'as JSON')
    .action(async (first: string, second: string, { json }: { json?: boolean }) => {
      const [from, to] = [momentOf(first), momentOf(second)];
      const { cells, end } = await withDesk(placeOf(), actor, async (desk) => {
        const found = { cells: [] as ChangedCell[], end: null as Extract<PastDiffPart, { part: 'end' }> | null };
        for await (const part of await desk.past.diff({ from, to })) {
          if (part.part === 'cells') found.cells.push(...part.cells);
          else if (part.part === 'end') found.end = part;
        }
        return found;
      });
      if (end === null) throw brokenOff();
      const { part: _, ...rest } = end;
      if (json) await print(`${JSON.stringify({ ...rest, rows: cells }, null, 2)}\n`);
      else await print(diffText(cells, end));
    });
}

/** So far the clock of a desk elsewhere may be ahead of the one here. */
const AHEAD_MS = 60_000;

function momentOf(text: string): Moment {
  if (/^[1-9]\d{0,14}$/.test(text)) return { row: Number(text) };
  const time = timeOf(text, 'the moment');
  if (time <= Date.now() + AHEAD_MS) return { time };
  throw new DeskError('bad_time', `${isoTime(time)} is still to come.`, {
    remedy: 'The desk as it is now: makerdesk status.',
  });
}

function brokenOff(): DeskError {
  return new DeskError('reader_ended', 'The past was not read to its end.', { remedy: 'Ask again.' });
}

const PAIRS: readonly Column<PastPair>[] = [
  { head: 'Chain', cell: ({ chainId }) => `${chainId}`, right: true },
  { head: 'Pair', cell: ({ pair }) => pair },
  { head: 'State', cell: ({ state }) => state },
  { head: 'Quoting', cell: quotingOf },
  { head: 'Size', cell: ({ ladder }) => ladder.bids[0]?.[1] ?? '', right: true },
  { head: 'We buy at', cell: ({ ladder }) => ladder.bids[0]?.[0] ?? '', right: true },
  { head: 'We sell at', cell: ({ ladder }) => ladder.asks[0]?.[0] ?? '', right: true },
  { head: 'Size', cell: ({ ladder }) => ladder.asks[0]?.[1] ?? '', right: true },
  { head: 'Revision', cell: ({ revision }) => `${revision}`, right: true },
  { head: 'Set by', cell: ({ publishedBy }) => publishedBy },
  { head: 'At', cell: ({ publishedAt }) => (publishedAt === 0 ? '' : isoTime(publishedAt)) },
  {
    head: 'Last asked',
    cell: ({ asked }) => (asked === null ? '' : `${isoTime(asked.time)} ${asked.code ?? 'signed'}`),
  },
];

/** Which sides the switches and the ladder left; nothing where its ladder is not known. */
function quotingOf({ state, switches, fault, retiredUntil, unreadable, ladder }: PastPair): string {
  if (unreadable !== undefined) return `not known: ${unreadable}`;
  if (fault !== null) return `not served: ${fault}`;
  if (retiredUntil !== null) return 'retired';
  if (state === 'HALTED') return switches.pair ? 'nothing' : 'off';
  const sides = (['bids', 'asks'] as const).filter((side) => switches[side] && ladder[side].length > 0);
  return sides.length === 2 ? 'both' : (sides[0] ?? 'nothing');
}

const TOKENS: readonly Column<PastToken>[] = [
  { head: 'Chain', cell: ({ chainId }) => `${chainId}`, right: true },
  { head: 'Token', cell: ({ tokenId }) => tokenId },
  { head: 'Signed and live', cell: ({ live, decimals }) => fromRaw(BigInt(live), decimals), right: true },
  { head: 'Quotes', cell: ({ quotes }) => `${quotes}`, right: true },
  { head: 'Zero at', cell: ({ zeroAt }) => (zeroAt === null ? '' : isoTime(zeroAt)) },
  {
    head: 'Balance',
    cell: ({ held, decimals }) => (held === null ? 'not known' : fromRaw(BigInt(held.balance), decimals)),
    right: true,
  },
  { head: 'As read at', cell: ({ held }) => (held === null ? '' : isoTime(held.time)) },
];

function textOf(
  desk: PastDeskView,
  { pairs, tokens }: { pairs: readonly PastPair[]; tokens: readonly PastToken[] },
): string {
  const { at, row, chains, alerts } = desk;
  const lines = [
    `${isoTime(at)}, after row ${row.seq} of the journal (${row.kind} by ${row.actor}, ${isoTime(row.time)}).`,
    stateText('The desk', desk.desk),
    ...chains.map(({ chainId, name, ...state }) => stateText(`${name} (${chainId})`, state)),
  ].map(plain);
  const told = alerts.map(({ event }) =>
    plain(`  ${isoTime(event.time)}  row ${event.seq}  ${event.actor} ${sentenceText(event)}`),
  );
  return [
    ...lines,
    '',
    pairs.length === 0 ? 'No pair was listed.' : tableText(PAIRS, pairs),
    tokens.length === 0 ? 'No token was listed.' : tableText(TOKENS, tokens),
    ...(told.length === 0 ? ['No alert was open.'] : ['Open alerts:', ...told]),
    '',
    ...unknownText(desk),
    '',
  ].join('\n');
}

function stateText(what: string, { state, actor, since, reason }: PastDeskView['desk']): string {
  const by = actor === null || since === null ? '' : `, by ${actor} since ${isoTime(since)}`;
  return `${what} was ${state}${by}${reason === null ? '' : ` (${reason})`}.`;
}

function unknownText({ unread, unreadCount, unknown, ahead }: PastDeskView): string[] {
  const more = unreadCount - unread.length;
  return [
    ...(ahead === null ? [] : [`The clock had been at ${isoTime(ahead)} before: it was ahead, or was set back.`]),
    ...unread.map(
      ({ seq, kind, actor, why }) => `Row ${seq} (${kind} by ${actor}) cannot be read, and is left out: ${why}`,
    ),
    ...(more > 0 ? [`The same goes for ${more} more rows.`] : []),
    ...unknown,
  ].map(plain);
}

const CELLS: readonly Column<ChangedCell>[] = [
  { head: 'Chain', cell: ({ chainId }) => `${chainId ?? ''}`, right: true },
  { head: 'Where', cell: ({ pair, tokenId }) => pair ?? tokenId ?? '' },
  { head: 'What', cell: ({ name }) => name },
  { head: 'Before', cell: (cell) => shownOf(cell, cell.before), right: true },
  { head: 'After', cell: (cell) => shownOf(cell, cell.after), right: true },
  { head: 'Last changed by', cell: ({ by }) => (by === null ? '' : `${by.actor} ${isoTime(by.time)}`) },
];

function shownOf({ decimals }: ChangedCell, value: string | null): string {
  if (value === null) return '';
  return decimals === undefined ? value : fromRaw(BigInt(value), decimals);
}

function diffText(
  cells: readonly ChangedCell[],
  { from, to, changed, cells: all, left }: Extract<PastDiffPart, { part: 'end' }>,
): string {
  const head = `From ${isoTime(from.at)} (row ${from.row.seq}) to ${isoTime(to.at)} (row ${to.row.seq}) ${changed} of ${all} cells changed.`;
  const notes = [...new Set([...unknownText(from), ...unknownText(to)])];
  return [
    head,
    ...(left > 0 ? [`The last ${left} of them are not listed.`] : []),
    '',
    ...(cells.length === 0 ? [] : [tableText(CELLS, cells)]),
    ...notes,
    '',
  ].join('\n');
}
