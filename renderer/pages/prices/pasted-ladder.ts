import { compareDecimals, type Decimal, product, readDecimal } from '../../components/figures/decimal-text.ts';
import type { Side } from '../../components/mark.tsx';
import { readNumber } from '../../state/number-form.ts';
import type { LadderValues } from './ladder-values.ts';

/** What a pasted column is. `price` and `amount` are of the side that is pasted into, or of the one that a `side` column names. */
export type ColumnRole =
  | 'price'
  | 'amount'
  | 'bids price'
  | 'bids amount'
  | 'asks price'
  | 'asks amount'
  | 'level'
  | 'side'
  | 'nothing';

/** Where it is pasted: the side and column in focus (null: the selection spans several), the token symbols, a price of this market. */
export interface PasteContext {
  side: Side | null;
  field: 'price' | 'amount' | null;
  base: string;
  quote: string;
  /** A price that is live or that the reference says; null where nothing is known. */
  price: string | null;
}

/** One cell: a plain decimal, the side that it names, or nothing; with what was written beside the number. */
interface PastedCell {
  number: string | null;
  side: Side | null;
  unit: 'money' | 'base' | 'quote' | null;
}

/** A table as it was pasted. `roles` has null for each column that cannot be told, and `doubt` says why. */
export interface PastedTable {
  heads: readonly string[];
  rows: readonly (readonly PastedCell[])[];
  roles: readonly (ColumnRole | null)[];
  doubt: string | null;
}

/** Levels of one side as they were pasted; null where a column of it was not. */
export interface PastedLevel {
  price: string | null;
  amount: string | null;
}
export type PastedLevels = Record<Side, readonly PastedLevel[]>;

/** As many as a side of a ladder may have. */
const MOST_LEVELS = 200;
/** A cell of a draft holds 200 characters; no market has a number as long as this. */
const MOST_DIGITS = 80;

/** Both ways to write a number; groups are three digits behind one and the same sign throughout. */
const FORMS = {
  point: /^(\d*|[1-9]\d{0,2}([,'’\s])\d{3}(?:\2\d{3})*)(?:\.(\d*))?$/,
  comma: /^(\d*|[1-9]\d{0,2}([.'’\s])\d{3}(?:\2\d{3})*)(?:,(\d*))?$/,
} as const;
type NumberForm = keyof typeof FORMS;

const AROUND = /^(US\$|[$€£¥])?\s*([\d.,'’\s]*\d[\d.,'’\s]*?)\s*([$€£¥]|[a-z][a-z0-9.]*)?$/i;
const SIDES: readonly [RegExp, Side][] = [
  [/^(bids?|buy|b)$/i, 'bids'],
  [/^(asks?|offers?|sell|a|s)$/i, 'asks'],
];

/** The one value that was pasted; null where it is a range. Commas and blanks of one number may group its thousands. */
export function pastedValue(text: string): string | null {
  const value = text.trim();
  if (/[\t\n\r;"]/.test(value)) return null;
  return !value.includes(',') || readNumber(value).text !== null ? value : null;
}

/**
 * Reads a range as spreadsheets, CSV files and chats give it: with tabs, semicolons or commas between columns, quotes,
 * headings, `$`, and thousands. It is read in every way that it could be meant; where more than one is left, only the one
 * whose prices are of this market is taken. Returns the table with what its columns are, or why all of it is refused.
 */
export function readPasted(text: string, context: PasteContext): { table: PastedTable } | { fault: string } {
  const readings: PastedTable[] = [];
  let fault = 'There is nothing in it.';
  let failed = false;
  for (const delimiter of delimitersOf(text)) {
    const lines = splitLines(text, delimiter);
    if ('fault' in lines) {
      fault = lines.fault;
      failed = true;
      continue;
    }
    for (const form of ['point', 'comma'] as const) {
      const read = readTable(lines.rows, form, context);
      if ('fault' in read) {
        // The first says it in the console's own form.
        if (!failed) fault = read.fault;
        failed = true;
      } else if (!readings.some((other) => isSameTable(other, read.table))) readings.push(read.table);
    }
  }
  const [only, second] = readings;
  if (only === undefined) return { fault };
  if (second === undefined) return { table: only };
  const near = readings.filter((table) => table.rows[0]?.some((_, column) => fits(table, column, context)));
  const [nearest] = near;
  if (near.length === 1 && nearest !== undefined) return { table: nearest };
  return { fault: twoReadings(only, second) };
}

/**
 * The levels of a table whose columns are these. Returns them, best first as they stand there, or why it is refused whole.
 */
export function pastedLevels(
  { rows }: PastedTable,
  roles: readonly (ColumnRole | null)[],
  context: PasteContext,
): { levels: PastedLevels } | { fault: string } {
  if (roles.some((role) => role === null)) return { fault: 'Say what each column is.' };
  const hasSides = roles.includes('side');
  const named = roles.map((role) =>
    !hasSides && (role === 'price' || role === 'amount') ? nameOf(context.side, role) : role,
  );
  if (named.includes(null)) return { fault: 'Say which side each column is of.' };
  const values = named.filter((role) => role !== 'nothing');
  if (new Set(values).size !== values.length) return { fault: 'Two columns are said to be the same.' };
  if (hasSides && values.some((role) => role?.startsWith('bids') || role?.startsWith('asks'))) {
    return { fault: 'A column names the side of each row, so the others must be Price and Size.' };
  }
  if (!values.some((role) => role?.endsWith('price') || role?.endsWith('amount'))) {
    return { fault: 'No column is a price or a size.' };
  }
  const misplaced = misplacedUnit(rows, named, context) ?? miscounted(rows, named);
  if (misplaced !== null) return { fault: misplaced };
  const levels: Record<Side, PastedLevel[]> = { bids: [], asks: [] };
  const ended = new Set<Side>();
  for (const [at, row] of rows.entries()) {
    const where = hasSides ? row[named.indexOf('side')]?.side : null;
    if (hasSides && where == null) return { fault: `Row ${at + 1} does not say its side.` };
    for (const side of ['bids', 'asks'] as const) {
      if (where != null && where !== side) continue;
      const cell = (field: 'price' | 'amount') => {
        const column = named.indexOf(hasSides ? field : `${side} ${field}`);
        return column < 0 ? undefined : (row[column]?.number ?? '');
      };
      const [price, amount] = [cell('price'), cell('amount')];
      if (price === undefined && amount === undefined) continue;
      if ((price ?? '') === '' && (amount ?? '') === '') {
        ended.add(side);
        continue;
      }
      if (price === '' || amount === '') return { fault: `Row ${at + 1} has a ${side} cell that is empty.` };
      if (ended.has(side)) return { fault: `There is an empty row of ${side} above row ${at + 1}.` };
      levels[side].push({ price: price ?? null, amount: amount ?? null });
    }
  }
  const most = Math.max(levels.bids.length, levels.asks.length);
  if (most === 0) return { fault: 'There is no level in it.' };
  if (most > MOST_LEVELS) return { fault: `A side has at most ${MOST_LEVELS} levels; these are ${most}.` };
  return { levels };
}

/**
 * A ladder with levels pasted over it from `row` on; those beyond its end are new. With `only` the levels below what was
 * pasted go. Returns it, or why nothing can begin there.
 */
export function pastedOver(
  values: LadderValues,
  levels: PastedLevels,
  { row, only }: { row: number; only: boolean },
): { values: LadderValues } | { fault: string } {
  const sides = { bids: values.bids, asks: values.asks };
  for (const side of ['bids', 'asks'] as const) {
    const pasted = levels[side];
    if (pasted.length === 0) continue;
    const before = values[side];
    if (row > before.length) {
      return {
        fault: `There are ${before.length} levels of ${side}, so nothing can begin at level ${row + 1}. Choose a cell further up and paste again.`,
      };
    }
    if (row + pasted.length > MOST_LEVELS) return { fault: `A side has at most ${MOST_LEVELS} levels.` };
    const over = pasted.map(({ price, amount }, at) => {
      const was = before[row + at] ?? ['', ''];
      return [price ?? was[0], amount ?? was[1]] as const;
    });
    sides[side] = [...before.slice(0, row), ...over, ...(only ? [] : before.slice(row + over.length))];
  }
  return { values: sides };
}

/** Tabs and semicolons stand in no number: where there is one, it separates columns. A comma may do either. */
function delimitersOf(text: string): readonly string[] {
  if (text.includes('\t')) return ['\t'];
  if (text.includes(';')) return [';'];
  return text.includes(',') ? [',', '\n'] : ['\n'];
}

/** Cells between delimiters and line ends; quoted ones may hold either, and a quote written twice (RFC 4180). */
function splitLines(text: string, delimiter: string): { rows: string[][] } | { fault: string } {
  const rows: string[][] = [[]];
  const source = `${text
    .replace(/^\uFEFF/, '')
    .replace(/^sep=.\r?\n/i, '')
    .replaceAll(/\r\n?/g, '\n')
    .replace(/\n+$/, '')}\n`;
  let at = 0;
  while (at < source.length) {
    const begin = at;
    while (source[at] === ' ') at += 1;
    let cell = '';
    if (source[at] === '"') {
      const end = /^"((?:[^"]|"")*)" *(?=[\s\S])/.exec(source.slice(at));
      const after = end === null ? undefined : source[at + end[0].length];
      if (end === null || (after !== delimiter && after !== '\n')) {
        return { fault: `Row ${rows.length} has a quote that does not end where its cell does.` };
      }
      cell = end[1]?.replaceAll('""', '"') ?? '';
      at += end[0].length;
    } else {
      at = begin;
      while (source[at] !== delimiter && source[at] !== '\n') at += 1;
      cell = source.slice(begin, at);
    }
    rows.at(-1)?.push(cell.trim());
    if (source[at] === '\n' && at + 1 < source.length) rows.push([]);
    at += 1;
  }
  return { rows };
}

function readTable(
  lines: readonly (readonly string[])[],
  form: NumberForm,
  context: PasteContext,
): { table: PastedTable } | { fault: string } {
  const filled = lines.map((cells, at) => ({ cells, at })).filter(({ cells }) => cells.some((cell) => cell !== ''));
  const width = Math.max(0, ...filled.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, column) => column).filter((column) =>
    filled.some(({ cells }) => (cells[column] ?? '') !== ''),
  );
  const isHead = ({ cells }: { cells: readonly string[] }) =>
    cells.every((cell) => !/^[^\p{L}#]/u.test(cell) && readCell(cell, form, context)?.number == null) &&
    cells.some((cell) => kindOf(cell, context) !== null);
  const first = filled.findIndex((line) => !isHead(line));
  if (filled.length === 0) return { fault: 'There is nothing in it.' };
  if (first < 0) return { fault: 'There are no numbers in it.' };
  const above = filled.slice(0, first);
  const heads = columns.map((column) =>
    above
      .map(({ cells }) => headAt(cells, column))
      .join(' ')
      .trim(),
  );
  const body = filled.slice(first);
  const rows: PastedCell[][] = [];
  for (const { cells, at } of body) {
    const row: PastedCell[] = [];
    for (const column of columns) {
      const text = cells[column] ?? '';
      const cell = readCell(text, form, context);
      if (cell === null) return { fault: `Row ${at + 1}: ${unreadable(text)}` };
      row.push(cell);
    }
    rows.push(row);
  }
  return { table: withRoles(rows, above.length === 0 ? [] : heads, context) };
}

/** A heading over several columns, as `Bids` over price and size, stands in the first of them. */
function headAt(cells: readonly string[], column: number): string {
  const filled = cells.filter((cell) => cell !== '').length;
  if (filled === cells.length || cells[column] !== '') return cells[column] ?? '';
  const over = filled <= cells.length / 2 ? cells.slice(0, column).findLast((cell) => cell !== '') : undefined;
  return over ?? '';
}

function readCell(text: string, form: NumberForm, { base, quote }: PasteContext): PastedCell | null {
  if (text === '') return { number: null, side: null, unit: null };
  const side = sideOf(text);
  if (side !== null) return { number: null, side, unit: null };
  const [, sign, digits, unit] = AROUND.exec(text) ?? [];
  if (digits === undefined || text.length > MOST_DIGITS) return null;
  const number = plainNumber(digits, form);
  if (number === null || (sign !== undefined && unit !== undefined && !sameSymbol(unit, quote))) return null;
  if (unit === undefined || !/^[a-z]/i.test(unit)) {
    return { number, side: null, unit: sign === undefined && unit === undefined ? null : 'money' };
  }
  if (sameSymbol(unit, base)) return { number, side: null, unit: 'base' };
  if (sameSymbol(unit, quote)) return { number, side: null, unit: 'quote' };
  return /^usd$/i.test(unit) ? { number, side: null, unit: 'money' } : null;
}

/** The number as the wire takes it, every digit as it was written. */
function plainNumber(digits: string, form: NumberForm): string | null {
  const [, whole, , fraction] = FORMS[form].exec(digits) ?? [];
  if (whole === undefined || (whole === '' && !fraction)) return null;
  const plain = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '') || '0';
  return fraction ? `${plain}.${fraction}` : plain;
}

function unreadable(text: string): string {
  if (/^[$€£]?[\d.,]+e[-+]?\d+$/i.test(text)) {
    return `${text} has an exponent, so digits may be missing. Show it as a plain number and copy it again.`;
  }
  if (/^[-−(]/.test(text)) return `${text} is below zero.`;
  if (/^#+$/.test(text)) return 'the column was too narrow for its number. Widen it and copy it again.';
  return `“${text.slice(0, 40)}” is not a plain number.`;
}

function sideOf(text: string): Side | null {
  return SIDES.find(([word]) => word.test(text))?.[1] ?? null;
}

function sameSymbol(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

type Kind = 'price' | 'amount' | 'notional' | 'level' | 'side' | 'nothing';

const KINDS: readonly [RegExp, Kind][] = [
  [/\b(total|cum\w*|sum|distance|bps|spread|orders|count|time)\b/i, 'nothing'],
  [/\b(notional|value)\b/i, 'notional'],
  [/\b(size|sizes|amount|amt|qty|quantity|volume|vol|menge|anzahl)\b/i, 'amount'],
  [/\b(prices?|px|rate|preis|kurs)\b/i, 'price'],
  [/^(#|no\.?|nr\.?|levels?|lvl|stufe)$/i, 'level'],
  [/^(side|way|seite)$/i, 'side'],
  [/\b(bids?|asks?|offers?|buy|sell)\b/i, 'price'],
];

/** What a heading calls its column; null where it says nothing that is known. */
function kindOf(head: string, { quote, base }: PasteContext): Kind | null {
  const kind = KINDS.find(([word]) => word.test(head))?.[1] ?? null;
  const words = head.split(/[^\p{L}\p{N}$.]+/u);
  const inMoney = words.some((word) => sameSymbol(word, quote) || /^(\$|usd)$/i.test(word));
  return kind === 'amount' && inMoney && !words.some((word) => sameSymbol(word, base)) ? 'notional' : kind;
}

function sideIn(head: string): Side | null {
  const [bids, asks] = [/\b(bids?|buy)\b/i.test(head), /\b(asks?|offers?|sell)\b/i.test(head)];
  return bids === asks ? null : bids ? 'bids' : 'asks';
}

type Rows = readonly (readonly PastedCell[])[];

/** What each column is, by its heading or by what fits; null for all of them where that leaves a doubt. */
function withRoles(rows: Rows, heads: readonly string[], context: PasteContext): PastedTable {
  const table = { rows, heads };
  const inDoubt = (doubt: string): PastedTable => ({ rows, heads, doubt, roles: rows[0]?.map(() => null) ?? [] });
  const kinds = heads.length > 0 ? heads.map((head) => kindOf(head, context)) : kindsByValue(table, context);
  if (!Array.isArray(kinds)) return inDoubt(kinds);
  if (kinds.includes('notional')) {
    return inDoubt(`Sizes in ${context.quote} cannot be taken: a ladder’s are in ${context.base}.`);
  }
  const unknown = heads.find((_, column) => kinds[column] === null);
  if (unknown !== undefined) return inDoubt(`“${unknown}” is not a known heading.`);
  const strayed = kinds.findIndex((kind, column) => kind === 'price' && fits(table, column, context) === false);
  if (strayed >= 0) {
    const shown = rows.find((row) => row[strayed]?.number != null)?.[strayed]?.number;
    return inDoubt(`${shown} would be a price, and is far from ${context.price}.`);
  }
  const roles = sidesOf(table, kinds as Kind[], context);
  return Array.isArray(roles) ? { rows, heads, roles, doubt: null } : inDoubt(roles);
}

/** What columns without headings are, or the doubt. */
function kindsByValue(table: Pick<PastedTable, 'rows'>, context: PasteContext): (Kind | null)[] | string {
  const { rows } = table;
  const columns = rows[0]?.map((_, column) => column) ?? [];
  const sides = columns.filter((column) => rows.every((row) => row[column]?.side != null));
  const [side] = sides;
  const counting = columns.filter((column) => counts(rows, column, side));
  const values = columns.filter((column) => !sides.includes(column));
  const isOdd = values.length === 3 || values.length === 5;
  const [level] = counting;
  if (isOdd && (counting.length !== 1 || level === undefined)) return 'One column too many for prices and sizes.';
  const rest = isOdd ? values.filter((column) => column !== level) : values;
  if (!isOdd && rest.length > 1 && counting.length > 0) return 'A column counts 1, 2, 3 …: levels, or sizes?';
  if (sides.length > 1 || (rest.length !== 1 && rest.length !== 2 && rest.length !== 4)) {
    return 'These are not the columns of prices and sizes.';
  }
  const isPrice = (column: number) => fits(table, column, context) === true;
  const kinds = columns.map((column): Kind | null => {
    if (sides.includes(column)) return 'side';
    if (isOdd && column === level) return 'level';
    return isPrice(column) ? 'price' : 'amount';
  });
  if (rest.length === 1) {
    const [column] = rest;
    if (column === undefined || context.field === null) return 'Prices, or sizes?';
    if ((context.field === 'price') !== isPrice(column)) {
      return context.field === 'price'
        ? `These are far from the price of this pair${context.price === null ? ', which is not known' : ''}: sizes?`
        : 'These look like prices, and the cell is a size.';
    }
    return kinds;
  }
  for (let half = 0; half < rest.length; half += 2) {
    if (rest.slice(half, half + 2).filter(isPrice).length !== 1) return 'Which are the prices, and which the sizes?';
  }
  if (isOdd && level !== undefined && addsUp(rows, level, rest, isPrice))
    return 'Is it a level, or a size with its total?';
  return kinds;
}

/** Adds the side to prices and sizes: of the heading, of the neighbour, of where it is pasted, or the lower prices are bids. */
function sidesOf(
  table: Pick<PastedTable, 'rows' | 'heads'>,
  kinds: readonly Kind[],
  context: PasteContext,
): ColumnRole[] | string {
  const values = kinds.flatMap((kind, column) => (kind === 'price' || kind === 'amount' ? [column] : []));
  const told = kinds.map((_, column) => sideIn(table.heads[column] ?? ''));
  const role = (column: number, side: Side | null): ColumnRole | null => {
    const kind = kinds[column];
    return kind === 'price' || kind === 'amount' ? (side === null ? kind : `${side} ${kind}`) : (kind as ColumnRole);
  };
  const sideFor = new Map<number, Side | null>();
  if (!kinds.includes('side')) {
    for (let half = 0; half < values.length; half += 2) {
      const pair = values.slice(half, half + 2);
      const said = new Set(pair.map((column) => told[column] ?? null).filter((side) => side !== null));
      const [only] = said;
      for (const column of pair) sideFor.set(column, told[column] ?? (said.size === 1 ? (only ?? null) : null));
    }
    if (values.length === 4 && values.every((column) => sideFor.get(column) === null)) {
      const prices = values.filter((column) => kinds[column] === 'price');
      const low = lowerOf(table.rows, prices);
      if (low === null) return 'Which prices are the bids, and which the asks?';
      for (const [at, column] of values.entries()) {
        sideFor.set(column, values.indexOf(low) < 2 === at < 2 ? 'bids' : 'asks');
      }
    }
    if (values.length <= 2 && values.every((column) => sideFor.get(column) === null) && context.side === null) {
      return 'Bids, or asks?';
    }
  }
  const roles = kinds.map((_, column) => role(column, sideFor.get(column) ?? null));
  const used = roles.filter((one) => one !== 'nothing');
  if (roles.includes(null) || new Set(used).size !== used.length) return 'Two columns seem to be the same.';
  const mixed = used.some((one) => one === 'price' || one === 'amount') && used.some((one) => one?.includes(' '));
  return mixed ? 'Which side is each column of?' : (roles as ColumnRole[]);
}

/** The column all of whose prices are below all of the other's; null where they overlap. */
function lowerOf(rows: Rows, [a, b]: readonly number[]): number | null {
  if (a === undefined || b === undefined) return null;
  const [left, right] = [numbersOf(rows, a), numbersOf(rows, b)];
  const below = (some: readonly Decimal[], others: readonly Decimal[]) =>
    some.every((one) => others.every((other) => compareDecimals(one, other) < 0));
  if (left.length === 0 || right.length === 0) return null;
  return below(left, right) ? a : below(right, left) ? b : null;
}

/** Whether every number of a column may be a price of this market: between half and twice; null where its price is not known. */
function fits({ rows }: Pick<PastedTable, 'rows'>, column: number, { price }: PasteContext): boolean | null {
  const scale = price === null ? null : readDecimal(price);
  if (scale === null || scale.digits <= 0n) return null;
  const numbers = numbersOf(rows, column);
  if (numbers.length === 0) return false;
  const two = { digits: 2n, places: 0 };
  return numbers.every(
    (one) => compareDecimals(product(one, two), scale) >= 0 && compareDecimals(one, product(scale, two)) <= 0,
  );
}

function numbersOf(rows: Rows, column: number): Decimal[] {
  return rows.flatMap((row) => readDecimal(row[column]?.number ?? '') ?? []);
}

/** Whether a column counts levels, from 0 or 1, anew where the side changes. */
function counts(rows: Rows, column: number, side: number | undefined): boolean {
  let expected: number | null = null;
  let start: number | null = null;
  for (const [at, row] of rows.entries()) {
    const text = row[column]?.number ?? '';
    if (!/^\d{1,3}$/.test(text) || row[column]?.unit !== null) return false;
    const value = Number(text);
    const isNewSide = at === 0 || (side !== undefined && row[side]?.side !== rows[at - 1]?.[side]?.side);
    start ??= value;
    if (start > 1 || value !== (isNewSide ? start : expected)) return false;
    expected = value + 1;
  }
  return rows.length > 0;
}

/** Whether what would be sizes are the running totals of what would be level numbers. */
function addsUp(rows: Rows, level: number, rest: readonly number[], isPrice: (column: number) => boolean): boolean {
  return rest
    .filter((column) => !isPrice(column))
    .some((column) => {
      let total: bigint = 0n;
      return rows.every((row) => {
        total += BigInt(row[level]?.number ?? '0');
        const shown = readDecimal(row[column]?.number ?? '');
        return shown !== null && compareDecimals(shown, { digits: total, places: 0 }) === 0;
      });
    });
}

function nameOf(side: Side | null, field: 'price' | 'amount'): ColumnRole | null {
  return side === null ? null : `${side} ${field}`;
}

function misplacedUnit(
  rows: Rows,
  roles: readonly (ColumnRole | null)[],
  { base, quote }: PasteContext,
): string | null {
  for (const [column, role] of roles.entries()) {
    for (const row of rows) {
      const unit = row[column]?.unit ?? null;
      if (role?.endsWith('amount') && unit !== null && unit !== 'base') {
        return `A size is given in ${unit === 'money' ? 'money' : quote}: a ladder’s are in ${base}.`;
      }
      if (role?.endsWith('price') && unit === 'base') return `A price is given in ${base}: it has to be in ${quote}.`;
      if (role !== 'side' && role !== 'nothing' && row[column]?.side != null)
        return 'A word stands where a number should.';
    }
  }
  return null;
}

function miscounted(rows: Rows, roles: readonly (ColumnRole | null)[]): string | null {
  const level = roles.indexOf('level');
  const side = roles.indexOf('side');
  if (level < 0) return null;
  const firsts = rows[0]?.[level]?.number ?? '';
  const from = /^\d{1,3}$/.test(firsts) ? Number(firsts) - 1 : 0;
  const asFromOne = rows.map((row) => {
    const cell = row[level] ?? { number: null, side: null, unit: null };
    const shifted = /^\d{1,3}$/.test(cell.number ?? '') ? Number(cell.number) - from : Number.NaN;
    return row.map((other, column) => (column === level ? { number: `${shifted}`, side: null, unit: null } : other));
  });
  if (counts(asFromOne, level, side < 0 ? undefined : side)) return null;
  return 'The numbers of the levels do not go on one by one: a row may be missing.';
}

function isSameTable(a: PastedTable, b: PastedTable): boolean {
  return JSON.stringify(a.rows) === JSON.stringify(b.rows);
}

function twoReadings(a: PastedTable, b: PastedTable): string {
  if (a.rows[0]?.length !== b.rows[0]?.length) {
    return 'A comma may separate columns here, or be part of a number. Copy it from the spreadsheet itself, or with semicolons.';
  }
  for (const [at, row] of a.rows.entries()) {
    for (const [column, { number }] of row.entries()) {
      const other = b.rows[at]?.[column]?.number;
      if (number !== other) return `It cannot be told whether a number in it is ${number} or ${other}.`;
    }
  }
  return 'It can be read in two ways.';
}
