import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ColumnRole,
  type PasteContext,
  type PastedLevels,
  pastedLevels,
  pastedOver,
  readPasted,
} from '../../renderer/pages/prices/pasted-ladder.ts';
import { howOften } from '../how-often.ts';

const BIDS: PasteContext = { side: 'bids', field: 'amount', base: 'WETH', quote: 'USDC', price: '3412.18' };
const ASKS: PasteContext = { side: 'asks', field: 'price', base: 'WETH', quote: 'USDC', price: '3412.18' };

/** What a text is understood as: its levels, `asks` where the person has to say what the columns are, or why it is refused. */
function understood(text: string, context = BIDS): PastedLevels | string {
  const read = readPasted(text, context);
  if ('fault' in read) return read.fault;
  if (read.table.doubt !== null) return `asks: ${read.table.doubt}`;
  const said = pastedLevels(read.table, read.table.roles, context);
  return 'fault' in said ? said.fault : said.levels;
}

const level = (price: string | null, amount: string | null) => ({ price, amount });
const TWO = [level('3412.5', '1200.5'), level('3411', '2')];

describe('a pasted range of one side is understood', () => {
  const forms: readonly (readonly [string, string])[] = [
    ['with tabs, as spreadsheets copy it', '3412.5\t1200.5\n3411\t2\n'],
    ['with Windows line ends and sizes first', '1200.5\t3412.5\r\n2\t3411\r\n'],
    ['with dollars and thousands', '$3,412.50\t1,200.5\n$3,411.00\t2'],
    ['with Swiss thousands', "3'412.5\t1'200.5\n3’411\t2"],
    ['with French thousands and comma', '3 412,5;1 200,5\n3 411;2'],
    ['with narrow blanks that do not break', '3\u202f412,5;1\u00a0200,5\n3411;2'],
    ['with German thousands and comma', '3.412,5;1.200,5\n3.411;2'],
    ['as comma CSV with quotes and headings', 'Price,Size\n"3,412.50","1,200.5"\n"3,411",2\n'],
    ['as semicolon CSV with a mark of its order of bytes', '\uFEFFsep=;\r\nPreis;Menge\r\n3412,5;1200,5\r\n3411;2\r\n'],
    ['as plain comma CSV', '3412.5,1200.5\n3411,2'],
    ['with level numbers', '1\t3412.5\t1200.5\n2\t3411\t2'],
    [
      'with level numbers that are headed, and a total',
      'Level\tSize\tPrice\tTotal\n4\t1200.5\t3412.5\t9\n5\t2\t3411\t9',
    ],
    ['with the side of each row', 'bid,3412.5,1200.5\nbid,3411,2'],
    ['with symbols behind the figures', '3412.5 USDC\t1200.5 WETH\n3411 USDC\t2 WETH'],
  ];
  for (const [how, text] of forms) {
    test(how, () => {
      const said = understood(text);
      const plain = (levels: PastedLevels | string) =>
        typeof levels === 'string'
          ? levels
          : levels.bids.map(({ price, amount }) => [Number(price), Number(amount)] as const);
      expect(plain(said)).toEqual(TWO.map(({ price, amount }) => [Number(price), Number(amount)]));
    });
  }

  test('with every digit as it was written', () => {
    const digits = '3412.500000000000000001\t0.000000000000000009\n3411.10\t1.50';
    expect(understood(digits)).toEqual({
      bids: [level('3412.500000000000000001', '0.000000000000000009'), level('3411.10', '1.50')],
      asks: [],
    });
  });

  test('as one column, of the kind it is pasted into', () => {
    expect(understood('1.5\n2')).toEqual({ bids: [level(null, '1.5'), level(null, '2')], asks: [] });
    expect(understood('$3,412.50\n$3,411.00', ASKS)).toEqual({
      bids: [],
      asks: [level('3412.50', null), level('3411.00', null)],
    });
  });
});

describe('a pasted range of both sides is understood', () => {
  const both = { bids: [level('3411', '2'), level('3410', '4')], asks: [level('3413', '3')] };
  const forms: readonly (readonly [string, string])[] = [
    ['as the console has it', '2\t3411\t3413\t3\n4\t3410\t\t'],
    ['with its levels in the middle', '2\t3411\t1\t3413\t3\n4\t3410\t2\t\t'],
    ['with prices before sizes', '1;3411;2;3413;3\n2;3410;4;;'],
    ['with headings in any order', 'Ask,Ask size,Bid,Bid size\n3413,3,3411,2\n,,3410,4'],
    ['with sizes that are headed as such', 'Size\tBid\tAsk\tSize\n2\t3411\t3413\t3\n4\t3410\t\t'],
    ['with headings over two lines', 'Bids\t\tAsks\t\nPrice\tSize\tPrice\tSize\n3411\t2\t3413\t3\n3410\t4\t\t'],
    ['with a side in each row', 'Side,Price,Size\nbid,3411,2\nbid,3410,4\nask,3413,3'],
  ];
  for (const [how, text] of forms) test(how, () => expect(understood(text)).toEqual(both));
});

describe('what cannot be told is asked for or refused, as a whole and with the reason', () => {
  const cases: readonly (readonly [string, string, string | RegExp, PasteContext?])[] = [
    ['prices that might be sizes', '3412\t3400\n3411\t3300', /^asks: Which are the prices/],
    ['two columns of prices', '3411\t3413', /^asks: Which are the prices/],
    ['sizes pasted into prices', '2\n3', /^asks: .*sizes\?/, ASKS],
    ['prices pasted into sizes', '3412\n3411', /^asks: These look like prices/],
    ['a column that counts', '3412\t1\n3411\t2\n3410\t3', /^asks: A column counts/],
    ['a level that might be a size with its total', '1\t3412\t1\n2\t3411\t3', /^asks: Is it a level/],
    ['level, bid, ask and size', '1\t3411\t3413\t2.5', /^asks: /],
    ['bids and asks that overlap', '2\t3411\t3410\t2.5\n2\t3409\t3412\t3', /^asks: Which prices are the bids/],
    ['a selection over both sides', '3412\t2.5', 'asks: Bids, or asks?', { ...BIDS, side: null }],
    ['a heading over prices that are none', 'Price\tSize\n2.5\t3412', /^asks: 2\.5 would be a price/],
    ['a heading that is not known', 'Price\tWhatever\n3412\t2.5', /^asks: “Whatever”/],
    ['sizes in the other token', 'Price\tSize (USDC)\n3412\t8530', /^asks: Sizes in USDC/],
    ['a market whose price is not known', '3412\t2.5', /^asks: /, { ...BIDS, price: null }],
    ['one thousand two hundred, or one point two', '3412\t1,200', /1200 or 1\.200/],
    ['commas that may do either', '3412,500\n3411,600', /A comma may separate columns/],
    ['a size in dollars', '3412\t$8530', /A size is given in money/],
    ['an exponent', '3412\t1.5E-05', /^Row 1: 1\.5E-05 has an exponent/],
    ['a number below zero', '3412\t2\n3411\t-2', /^Row 2: -2 is below zero/],
    ['a column that was too narrow', '3412\t####', /too narrow/],
    ['a row of words among numbers', '3412\t2\nTotal\t9', /^Row 2: “Total” is not a plain number/],
    ['a suffix for thousands', '3412\t2.5k', /“2\.5k” is not a plain number/],
    ['an amount of dollars that begins with letters', 'Price\tSize\nN/A\tN/A\n3412\t2', /^Row 2: “N\/A”/],
    ['a missing level', 'Level,Price,Size\n1,3412,2\n3,3410,2', /a row may be missing/],
    ['an empty cell', 'Price\tSize\n3412\t\n3411\t2', /Row 1 has a bids cell that is empty/],
    ['an empty row in the middle of a side', '2\t3411\t3413\t3\n\t\t3414\t4\n4\t3410\t3415\t4', /an empty row of bids/],
    ['a quote that never ends', '"3412\t2', /quote that does not end/],
    ['nothing', '\n\n', 'There is nothing in it.'],
    ['headings alone', 'Price\tSize', 'There are no numbers in it.'],
    ['too many levels', Array.from({ length: 201 }, () => '3412\t2').join('\n'), /at most 200 levels/],
  ];
  for (const [what, text, reason, context] of cases) {
    test(what, () => {
      const said = understood(text, context);
      expect(said).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason));
    });
  }
});

test('columns that a person names are taken as named, and a size is never a price by it', () => {
  const read = readPasted('3412\t3400\n3411\t3300', BIDS);
  if ('fault' in read) throw new Error(read.fault);
  const named = (...roles: (ColumnRole | null)[]) => pastedLevels(read.table, roles, BIDS);
  expect(named('amount', 'asks price')).toMatchObject({
    levels: { bids: [level(null, '3412'), level(null, '3411')], asks: [level('3400', null), level('3300', null)] },
  });
  expect(named('price', 'nothing')).toMatchObject({ levels: { bids: [level('3412', null), level('3411', null)] } });
  expect(named('price', null)).toEqual({ fault: 'Say what each column is.' });
  expect(named('price', 'bids price')).toEqual({ fault: 'Two columns are said to be the same.' });
  expect(named('nothing', 'nothing')).toEqual({ fault: 'No column is a price or a size.' });
});

describe('any ladder of this market, written in any form,', () => {
  const decimal = (least: number, most: number) =>
    fc
      .tuple(fc.integer({ min: least, max: most }), fc.option(fc.stringMatching(/^[0-9]{1,4}$/), { nil: null }))
      .map(([whole, fraction]) => (fraction === null ? `${whole}` : `${whole}.${fraction}`));
  const side = (least: number, most: number) =>
    fc.array(fc.tuple(decimal(least, most), decimal(0, 9_999)), { minLength: 1, maxLength: 6 });
  const scaled = fc.constantFrom({ from: 2_000, to: 6_000, price: '3412.18' }, { from: 60, to: 150, price: '99.5' });
  const written = scaled.chain(({ from, to, price }) =>
    fc.record({
      price: fc.constant(price),
      bids: side(from, Math.floor((from + to) / 2)),
      asks: side(Math.floor((from + to) / 2) + 1, to),
      columns: fc.constantFrom(
        'price size',
        'size price',
        'level',
        'side',
        'as shown',
        'price first',
        'levelled',
        'price',
      ),
      delimiter: fc.constantFrom('\t', ';', ','),
      grouping: fc.constantFrom('', ',', '.', "'", ' ', '\u202f'),
      comma: fc.boolean(),
      dollars: fc.boolean(),
      heads: fc.boolean(),
      into: fc.constantFrom('price' as const, 'amount' as const),
      end: fc.constantFrom('\n', '\r\n'),
    }),
  );
  type Written = typeof written extends fc.Arbitrary<infer T> ? T : never;

  function textOf(form: Written): string {
    const { bids, asks, delimiter, comma, dollars } = form;
    const grouping = form.grouping === (comma ? ',' : '.') ? '' : form.grouping;
    const number = (plain: string) => {
      const [whole = '', fraction] = plain.split('.');
      const grouped = whole.replace(/\B(?=(\d{3})+$)/g, grouping);
      return fraction === undefined ? grouped : `${grouped}${comma ? ',' : '.'}${fraction}`;
    };
    const cell = (text: string) =>
      text.includes(delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
    const price = ([plain]: readonly [string, string]) => (dollars ? '$' : '') + number(plain);
    const size = ([, plain]: readonly [string, string]) => number(plain);
    const rows: string[][] = [];
    const heads: Record<string, string[]> = {
      'price size': ['Price', 'Size'],
      'size price': ['Amount', 'Price'],
      level: ['#', 'Price', 'Qty'],
      side: ['Side', 'Price', 'Size'],
      'as shown': ['Bid size', 'Bid', 'Ask', 'Ask size'],
      'price first': ['Bid price', 'Bid size', 'Ask price', 'Ask size'],
      levelled: ['Size', 'Bid', 'Level', 'Ask', 'Size'],
      price: ['Price'],
    };
    if (form.heads) rows.push(heads[form.columns] ?? []);
    const most = Math.max(bids.length, asks.length);
    if (form.columns === 'side') {
      for (const one of bids) rows.push(['bid', price(one), size(one)]);
      for (const one of asks) rows.push(['ask', price(one), size(one)]);
    } else if (['as shown', 'price first', 'levelled'].includes(form.columns)) {
      for (let at = 0; at < most; at++) {
        const [bid, ask] = [bids[at], asks[at]];
        const [p, s] = [bid === undefined ? '' : price(bid), bid === undefined ? '' : size(bid)];
        const [q, t] = [ask === undefined ? '' : price(ask), ask === undefined ? '' : size(ask)];
        if (form.columns === 'price first') rows.push([p, s, q, t]);
        else rows.push(form.columns === 'levelled' ? [s, p, `${at + 1}`, q, t] : [s, p, q, t]);
      }
    } else {
      bids.forEach((one, at) => {
        if (form.columns === 'price size') rows.push([price(one), size(one)]);
        else if (form.columns === 'size price') rows.push([size(one), price(one)]);
        else if (form.columns === 'price') rows.push([price(one)]);
        else rows.push([`${at + 1}`, price(one), size(one)]);
      });
    }
    return rows.map((row) => row.map(cell).join(delimiter)).join(form.end) + form.end;
  }

  const RUNS = howOften(100, 500);

  test('is understood as the same ladder, asked about or refused: never as another', () => {
    let same = 0;
    fc.assert(
      fc.property(written, (form) => {
        const said = understood(textOf(form), { ...BIDS, price: form.price, field: form.into });
        if (typeof said === 'string') return;
        const twoSided = ['side', 'as shown', 'price first', 'levelled'].includes(form.columns);
        const number = (text: string | null) => (text === null ? null : text.replace(/^0+(?=\d)/, ''));
        const wanted = (levels: Written['bids']) =>
          levels.map(([price, amount]) => level(number(price), form.columns === 'price' ? null : number(amount)));
        expect(said).toEqual({ bids: wanted(form.bids), asks: twoSided ? wanted(form.asks) : [] });
        same += 1;
      }),
      { numRuns: RUNS },
    );
    // Nor does it refuse everything.
    expect(same).toBeGreaterThan(RUNS / 5);
  });
});

test('goes over the levels from a row on, into new ones below, and with the rest gone where that is wanted', () => {
  const now = { bids: [['10', '1'] as const, ['9', '2'] as const, ['8', '3'] as const], asks: [['11', '1'] as const] };
  const levels = { bids: [level('9.5', null)], asks: [] };
  expect(pastedOver(now, levels, { row: 1, only: false })).toEqual({
    values: { bids: [now.bids[0], ['9.5', '2'], now.bids[2]], asks: now.asks },
  });
  expect(pastedOver(now, levels, { row: 1, only: true })).toEqual({
    values: { bids: [now.bids[0], ['9.5', '2']], asks: now.asks },
  });
  expect(pastedOver(now, levels, { row: 3, only: false })).toMatchObject({ values: { bids: { 3: ['9.5', ''] } } });
  expect(pastedOver(now, levels, { row: 4, only: false })).toMatchObject({ fault: expect.stringMatching(/level 5/) });
});
