import { ceil, fromRaw, mul, parseDecimal } from '../protocol/decimal.ts';
import type { ExposureRow } from './desk-view.ts';
import type { Deed, Doer, Handover } from './handover.ts';
import { type EventGroup, type EventRow, sentenceText } from './journal.ts';
import { plain } from './plain-text.ts';
import { REFUSALS } from './refusal.ts';

/** How a reader has numbers and times written. Numbers come plainly, `-1234.50`; times are Unix milliseconds. */
export interface SheetForms {
  number(plainNumber: string): string;
  /** `14:22`. */
  clock(time: number): string;
  /** `20 Nov 14:22`. */
  moment(time: number): string;
}

/** Where all of something stands. */
export type SheetPage = 'firm-log' | 'results' | 'journal' | 'desk';

/** A row of a table of a sheet. Nothing in it takes more than so many lines: what is longer is cut where it is drawn. */
export interface SheetRow {
  cells: readonly string[];
  lines: 1 | 2;
  tone?: 'strong' | 'stop';
}

export interface SheetTable {
  name: string;
  /** Each with its width in hundredths of the table; figures stand right. */
  columns: readonly { head: string; width: number; isFigure?: boolean }[];
  rows: readonly SheetRow[];
  /** What stands in place of rows where there is none. */
  none: string;
  /** What has no room: how many, and where they stand. */
  more: { text: string; page: SheetPage } | null;
}

/** A day on one sheet of A4: cut so that it has room there whatever the day held. */
export interface Sheet {
  day: string;
  /** From when to when, of which chains, and when it was read. */
  facts: readonly string[];
  figures: readonly { name: string; value: string; note: string }[];
  open: SheetTable;
  pairs: SheetTable;
  refused: SheetTable;
  done: SheetTable;
  seals: SheetTable;
}

/** Lines of the rows of each table. The heights of the page and of the PDF are made for these. */
export const SHEET_LINES = { open: 15, pairs: 10, refused: 10, done: 23, seals: 3 } as const;

/** So many letters fit on a line of what was done, and of what is open. */
const LINE = 88;
/** Counts, dollars and amounts with more digits before the point are told as more than that: a figure that is cut would be another one. */
const MOST_COUNT = 8;
const MOST_DOLLARS = 10;
const MOST_AMOUNT = 24;
/** So many of a list are told by name, and so many tokens of what is live where others need the lines. */
const NAMED = 4;
const TOKENS = 3;

/** What somebody did once, and several times. */
const GROUP_WORDS: Readonly<Record<EventGroup, readonly [one: string, more: string]>> = {
  prices: ['price change', 'price changes'],
  settings: ['setting', 'settings'],
  stops: ['stop or start', 'stops and starts'],
  quotes: ['quote', 'quotes'],
  fills: ['fill or balance', 'fills and balances'],
  hedges: ['hedge', 'hedges'],
  desk: ['event of the desk itself', 'events of the desk itself'],
};

/** Returns the sheet of a day as a reader has it written. */
export function handoverSheet(handover: Handover, forms: SheetForms): Sheet {
  const { date, zone, since, until, chains, results, open } = handover;
  const nameOf = (chainId: number) => plain(chains.find((chain) => chain.chainId === chainId)?.name ?? `${chainId}`);
  // On a desk of one chain it goes without saying, but for what was done on one that is gone.
  const placeOf = (chainId: number | null) =>
    chainId === null || (chains.length === 1 && chains[0]?.chainId === chainId) ? '' : nameOf(chainId);
  const names = listed(
    chains.map(({ name }) => plain(name)),
    forms,
  );
  return {
    day: `${date}, ${plain(zone)}`,
    facts: [
      `${forms.moment(since)} to ${forms.moment(until)}`,
      `read ${forms.moment(open.at)}`,
      chains.length === 0 ? 'no chain' : names,
    ],
    figures: figuresOf(handover, forms),
    open: openTable(handover, nameOf, forms),
    pairs: table({
      name: 'Filled and earned, by pair; each figure rounded down to the cent',
      columns: [
        { head: 'Pair', width: 30 },
        { head: 'Fills', width: 20, isFigure: true },
        { head: 'Volume, $', width: 25, isFigure: true },
        { head: 'Net, $', width: 25, isFigure: true },
      ],
      rows: results.rows.map(({ pair, chainId, fills, volume, net }) => {
        const name = pair === null ? 'no pair' : plain(pair);
        return {
          cells: [
            `${name} ${placeOf(chainId)}`.trimEnd(),
            counted(fills, forms),
            dollars(volume, forms),
            signed(net, forms),
          ],
          lines: 1,
        };
      }),
      lines: SHEET_LINES.pairs,
      leftOut: results.more,
      none: 'Nothing was filled.',
      more: (count) => `and ${counted(count, forms)} more pairs: see Results`,
      page: 'results',
    }),
    refused: table({
      name: 'Refused, by reason',
      columns: [
        { head: 'Code', width: 64 },
        { head: 'Requests', width: 36, isFigure: true },
      ],
      rows: handover.refused.map(({ code, count }) => ({
        cells: [refusedText(code), counted(count, forms)],
        // A second line only where every reason has one: all of them stand before what they mean.
        lines: handover.refused.length * 2 > SHEET_LINES.refused ? 1 : 2,
      })),
      lines: SHEET_LINES.refused,
      none: 'Nothing was refused.',
      more: (count) => `and ${counted(count, forms)} more reasons: see Firm log`,
      page: 'firm-log',
    }),
    done: doneTable(handover, placeOf, forms),
    seals: table({
      name: 'Seals of the journal',
      columns: TIMED,
      rows: handover.seals.map((row) => deedRow(row, placeOf, forms.moment, 1)),
      lines: SHEET_LINES.seals,
      none: 'The journal was not sealed on this day.',
      more: (count) => `and ${counted(count, forms)} more: see Journal`,
      page: 'journal',
    }),
  };
}

const TIMED = [
  { head: 'Time', width: 13 },
  { head: 'Who', width: 15 },
  { head: 'What', width: 72 },
] as const;

function figuresOf({ signed: orders, refused, withheld, results }: Handover, forms: SheetForms): Sheet['figures'] {
  const { all, netOfTime } = results;
  const asked = refused.reduce((sum, { count }) => sum + count, 0);
  const missing = [
    all.unpriced > 0 && `${counted(all.unpriced, forms)} without a price`,
    all.unreadable > 0 && `${counted(all.unreadable, forms)} unreadable`,
  ].filter((text) => text !== false);
  const costs = results.noFill === null || results.noFill.count === 0 ? '' : 'without cancels and approvals';
  return [
    { name: 'Signed', value: counted(orders, forms), note: '' },
    {
      name: 'Refused',
      value: counted(asked, forms),
      note: withheld > 0 ? `${counted(withheld, forms)} signed, withheld` : '',
    },
    { name: 'Fills', value: counted(all.fills, forms), note: missing.join(', ') },
    { name: 'Volume, $', value: dollars(all.volume, forms), note: 'as of each fill' },
    { name: 'Net, $', value: signed(all.net, forms), note: costs },
    ...(costs === ''
      ? []
      : [{ name: 'Net of the day, $', value: signed(netOfTime, forms), note: 'with cancels and approvals' }]),
    { name: 'Not wholly hedged', value: counted(all.open, forms), note: `fills, valued ${forms.clock(results.now)}` },
  ];
}

function openTable({ open, chains }: Handover, nameOf: (chainId: number) => string, forms: SheetForms): SheetTable {
  const { state, reason, actor, since, exposure, attention, off, at } = open;
  const by = actor === null ? '' : ` by ${plain(actor)}`;
  const why = reason === null ? '' : `: ${plain(reason)}`;
  const first = [
    row('Desk', `${state} since ${forms.moment(since)}${by}${why}`, state === 'LIVE' ? 'strong' : 'stop'),
    ...(off.length === 0
      ? []
      : [
          row(
            'Not quoted',
            listed(
              off.map((pair) => pairOf(pair, nameOf)),
              forms,
            ),
          ),
        ]),
  ];
  const alerts = attention.map(({ level, title, detail }) =>
    row(
      level === 'stop' ? 'Stopped' : level === 'look' ? 'Look at it' : 'To know',
      `${plain(title)}. ${plain(detail)}`,
      level === 'stop' ? 'stop' : undefined,
    ),
  );
  // One line says what all of it comes to; tokens have the lines that nothing else needs.
  const taken = [...first, ...alerts].reduce((sum, { lines }) => sum + lines, 1);
  const named = Math.max(TOKENS, SHEET_LINES.open - taken);
  const live = exposure
    .map((token) => ({ token, cents: centsUp(token) }))
    .sort((a, b) => Number((b.cents ?? -1n) > (a.cents ?? -1n)) - Number((b.cents ?? -1n) < (a.cents ?? -1n)));
  const lives = live.slice(0, named).map(({ token: { chainId, tokenId, live, decimals, quotes, zeroAt } }, place) => {
    const where = chains.length < 2 ? '' : ` on ${nameOf(chainId)}`;
    const more =
      place === named - 1 && exposure.length > named
        ? `; and ${counted(exposure.length - named, forms)} more tokens`
        : '';
    const text = `${amount(live, decimals, forms)} ${plain(tokenId)}${where}, ${plural(quotes, 'order', forms)}${endText(zeroAt, forms)}${more}`;
    return row('', text);
  });
  return table({
    name: `Open now, ${forms.moment(at)}`,
    columns: [
      { head: 'What', width: 15 },
      { head: '', width: 85 },
    ],
    rows: [...first, row('Signed, live', liveText(exposure, forms)), ...lives, ...alerts],
    lines: SHEET_LINES.open,
    none: '',
    more: (count) => `and ${plural(count, 'more alert', forms)}: see Desk`,
    page: 'desk',
  });
}

/** What all that is signed comes to at most, and until when it can be filled. */
function liveText(exposure: readonly ExposureRow[], forms: SheetForms): string {
  if (exposure.length === 0) return 'nothing that is signed can still be filled';
  const known = exposure.flatMap((token) => centsUp(token) ?? []);
  const worth = bounded(`${(known.reduce((sum, cents) => sum + cents, 0n) + 99n) / 100n}`, MOST_DOLLARS, forms);
  const orders = plural(
    exposure.reduce((sum, token) => sum + token.quotes, 0),
    'order',
    forms,
  );
  const unpriced = exposure.length - known.length;
  const without = unpriced === 0 ? '' : `; ${plural(unpriced, 'token', forms)} without a price`;
  const until = endText(Math.max(...exposure.map(({ zeroAt }) => zeroAt ?? 0)) || null, forms);
  return `${known.length === 0 ? '' : `${worth} dollars in `}${orders}${until}${without}`;
}

/** What is live of a token in cents, cut up, for it is never less; null where no price of it is known. */
function centsUp({ live, decimals, dollars }: ExposureRow): bigint | null {
  if (dollars == null) return null;
  return ceil(mul({ n: BigInt(live) * 100n, d: 10n ** BigInt(decimals) }, parseDecimal(dollars)));
}

function endText(zeroAt: number | null, forms: SheetForms): string {
  return zeroAt === null ? '' : `, until ${forms.clock(zeroAt)}`;
}

function row(name: string, text: string, tone?: SheetRow['tone']): SheetRow {
  return { cells: [name, text], lines: linesOf(text), ...(tone !== undefined && { tone }) };
}

/** Whatever was stopped comes before settings, and those before prices, of which there are most; in the order of time. */
const FIRST: readonly (EventGroup | null)[] = [
  'stops',
  'settings',
  'hedges',
  'fills',
  'quotes',
  'desk',
  null,
  'prices',
];

function doneTable(
  { done, leftOut, doers }: Handover,
  placeOf: (chainId: number | null) => string,
  forms: SheetForms,
): SheetTable {
  const people = doers.map((doer) => doerText(doer, forms));
  const all = listed(people, forms);
  const who: SheetRow[] = people.length === 0 ? [] : [{ cells: ['All day', 'People', all], lines: linesOf(all) }];
  const rows = done.map((deed) => ({ deed, row: deedRow(deed, placeOf, forms.clock, 2) }));
  const ranked = [...rows].sort(
    (a, b) => FIRST.indexOf(a.deed.group) - FIRST.indexOf(b.deed.group) || b.deed.seq - a.deed.seq,
  );
  const room = SHEET_LINES.done - who.reduce((sum, { lines }) => sum + lines, 0);
  const chosen = new Set(
    fitting(
      ranked.map((one) => ({ ...one, lines: one.row.lines })),
      room,
      leftOut,
    ),
  );
  const kept = ranked.filter((_, index) => chosen.has(index)).map(({ deed }) => deed.seq);
  const left = leftOut + done.length - kept.length;
  return {
    name: 'Halted, resumed and changed',
    columns: TIMED,
    rows: [...who, ...rows.filter(({ deed }) => kept.includes(deed.seq)).map(({ row: told }) => told)],
    none: 'Nobody changed, halted or resumed anything.',
    more:
      left === 0
        ? null
        : { text: `and ${counted(left, forms)} more, stops and settings first: see Journal`, page: 'journal' },
  };
}

function doerText({ actor, groups }: Doer, forms: SheetForms): string {
  const did = groups.map(({ group, count }) => `${counted(count, forms)} ${GROUP_WORDS[group][count === 1 ? 0 : 1]}`);
  return `${plain(actor)}: ${did.join(', ')}`;
}

/** A code of ours with what it means. */
function refusedText(code: string): string {
  return code in REFUSALS ? `${code}: ${REFUSALS[code as keyof typeof REFUSALS].sentence}` : plain(code);
}

function deedRow(
  deed: EventRow | Deed,
  placeOf: (chainId: number | null) => string,
  when: (time: number) => string,
  most: 1 | 2,
): SheetRow {
  const { kind, sentence, pair, chainId } = deed;
  // A sentence that says its pair itself, such as that of a switch, needs it no second time.
  const isSaid =
    pair === null || sentence.some((part) => part.as !== 'said' && part.text.split(/[\s:,]+/).includes(pair));
  const about = [isSaid ? '' : pair, placeOf(chainId)].filter((part) => part !== '').join(' on ');
  const text = plain(`${about === '' ? '' : `${about}: `}${sentenceText(deed)}`);
  // Bold is what stopped the desk or a chain alone: were every line bold, none would be seen.
  const isStop =
    kind === 'trading_state' && sentence.some((part) => part.as === 'after' && /^(HALTED|DRAIN)/.test(part.text));
  const lines = most === 1 ? 1 : linesOf(text);
  return { cells: [when(deed.time), plain(deed.actor), text], lines, ...(isStop && { tone: 'strong' }) };
}

function table(of: {
  name: string;
  columns: SheetTable['columns'];
  rows: readonly SheetRow[];
  lines: number;
  leftOut?: number;
  none: string;
  more: (count: number) => string;
  page: SheetPage;
}): SheetTable {
  const { name, columns, rows, lines, leftOut = 0, none, more, page } = of;
  const kept = fitting(rows, lines, leftOut)
    .map((index) => rows[index])
    .filter((one) => one !== undefined);
  const left = rows.length - kept.length + leftOut;
  return { name, columns, rows: kept, none, more: left === 0 ? null : { text: more(left), page } };
}

/** The places of those rows, from the first on, that have room on so many lines; where not all do, one line is left to say so. */
function fitting(rows: readonly { lines: number }[], lines: number, leftOut: number): number[] {
  const all = rows.reduce((sum, row) => sum + row.lines, 0);
  let left = all > lines || leftOut > 0 ? lines - 1 : lines;
  const kept: number[] = [];
  for (const [index, row] of rows.entries()) {
    left -= row.lines;
    if (left < 0) break;
    kept.push(index);
  }
  return kept;
}

function linesOf(text: string): 1 | 2 {
  return text.length > LINE ? 2 : 1;
}

/** All of them by name, or how many there are and the first few. */
function listed(all: readonly string[], forms: SheetForms): string {
  if (all.length <= NAMED) return all.join('; ');
  return `${counted(all.length, forms)} in all: ${all.slice(0, NAMED).join('; ')}; …`;
}

/** `WETH/USDC on 1` with the name of its chain. */
function pairOf(text: string, nameOf: (chainId: number) => string): string {
  const at = text.lastIndexOf(' on ');
  return `${plain(text.slice(0, at))} on ${nameOf(Number(text.slice(at + 4)))}`;
}

function counted(count: number, forms: SheetForms): string {
  return bounded(`${count}`, MOST_COUNT, forms);
}

function plural(count: number, one: string, forms: SheetForms): string {
  return `${counted(count, forms)} ${one}${count === 1 ? '' : 's'}`;
}

/** Dollars with cents, `—` where nobody knows them. The desk has cut them, a loss away from nothing: here no digit is left out. */
function dollars(text: string | null, forms: SheetForms): string {
  if (text === null) return '—';
  const [whole = '', cents = ''] = text.split('.');
  return bounded(`${whole}.${cents.padEnd(2, '0')}`, MOST_DOLLARS, forms);
}

/** The same with its sign. */
function signed(text: string | null, forms: SheetForms): string {
  const written = dollars(text, forms);
  return text !== null && !text.startsWith('-') && /[1-9]/.test(text) && !written.startsWith('> ')
    ? `+${written}`
    : written;
}

/** An amount of a token with the decimals that matter, as tables of the console have them, cut up: never less than it is. */
function amount(raw: string, decimals: number, forms: SheetForms): string {
  const places = decimals <= 6 ? Math.min(2, decimals) : decimals <= 8 ? 5 : 4;
  const unit = 10n ** BigInt(decimals - places);
  const text = fromRaw((BigInt(raw) + unit - 1n) / unit, places);
  return bounded(text, MOST_AMOUNT, forms);
}

function bounded(text: string, digits: number, { number }: SheetForms): string {
  const [whole = ''] = text.split('.');
  if (whole.replace('-', '').length <= digits) return number(text);
  const bound = `1${'0'.repeat(digits)}`;
  return whole.startsWith('-') ? `< ${number(`-${bound}`)}` : `> ${number(bound)}`;
}
