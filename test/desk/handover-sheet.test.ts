import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { handoverPdf } from '../../electron/commands/handover-pdf.ts';
import type { Handover } from '../../electron/contract/handover.ts';
import { handoverSchema } from '../../electron/contract/handover.ts';
import {
  handoverSheet,
  SHEET_LINES,
  type SheetForms,
  type SheetTable,
} from '../../electron/contract/handover-sheet.ts';
import { extremeHandover } from '../extreme-handover.ts';

const FORMS: SheetForms = { number: (plain) => plain, clock: (time) => `c${time}`, moment: (time) => `m${time}` };

/** A day of nothing but what stands in `changes`. */
function handoverOf(changes: Partial<Handover> = {}): Handover {
  const extreme = extremeHandover();
  const { all } = extreme.results;
  const nothing = { ...all, fills: 0, unpriced: 0, unreadable: 0, volume: null, net: null, open: 0 };
  return {
    ...extreme,
    zone: 'UTC',
    chains: [{ chainId: 1, name: 'Ethereum' }],
    signed: 0,
    refused: [],
    withheld: 0,
    results: { ...extreme.results, rows: [], more: 0, all: nothing, noFill: null, netOfTime: null },
    done: [],
    leftOut: 0,
    doers: [],
    seals: [],
    open: { ...extreme.open, state: 'LIVE', reason: null, actor: null, exposure: [], attention: [], off: [] },
    ...changes,
  };
}

const linesOf = ({ rows, more }: SheetTable) => rows.reduce((sum, { lines }) => sum + lines, more === null ? 0 : 1);

test('whatever a day held, no table of its sheet has more lines than it has room for, and each says how much is elsewhere', () => {
  const extreme = extremeHandover();
  expect(handoverSchema.parse(extreme)).toEqual(extreme);
  const sheet = handoverSheet(extreme, FORMS);
  for (const name of ['open', 'pairs', 'refused', 'done', 'seals'] as const) {
    expect(linesOf(sheet[name]), name).toBeLessThanOrEqual(SHEET_LINES[name]);
    expect(sheet[name].more?.text, name).toMatch(/^and (> )?\d+ more/);
  }
  const left = extreme.results.rows.length + extreme.results.more - sheet.pairs.rows.length;
  expect(sheet.pairs.more?.text).toBe(`and ${left} more pairs: see Results`);
  const most = handoverSheet({ ...extreme, leftOut: 5 }, FORMS).done;
  const told = most.rows.length - 1; // the first says who did how much
  expect(most.more?.text).toContain(`and ${5 + extreme.done.length - told} more`);
});

test('a figure is told whole or as beyond its bound, and never cut', () => {
  const { figures, pairs, open } = handoverSheet(extremeHandover(), FORMS);
  expect(figures.find(({ name }) => name === 'Volume, $')?.value).toBe('> 10000000000');
  expect(figures.find(({ name }) => name === 'Net, $')?.value).toBe('< -10000000000');
  expect(pairs.rows[0]?.cells.slice(2)).toEqual(['> 10000000000', '< -10000000000']);
  const live = open.rows.findIndex(({ cells }) => cells[0] === 'Signed, live');
  expect(open.rows[live]?.cells[1]).toMatch(/^> 10{8} orders, until c\d+; 40 tokens without a price$/);
  expect(open.rows[live + 1]?.cells[1]).toMatch(/^> 10{24} T/);
});

test('dollars have their cents and gains a plus; an amount that is live is cut up, for it is never less', () => {
  const { results, open } = handoverOf();
  const row = {
    ...results.all,
    fills: 3,
    volume: '1234.5',
    net: '0.07',
    chainId: 1,
    pair: 'WETH/USDC',
    user: null,
    counterparty: null,
  };
  const [exposure] = extremeHandover().open.exposure;
  if (exposure === undefined) throw new Error('the fixture has none');
  const live = {
    ...exposure,
    chainId: 1,
    tokenId: 'WETH',
    decimals: 18,
    live: '1000000000000000001',
    quotes: 1,
    zeroAt: 7,
  };
  const sheet = handoverSheet(
    handoverOf({ results: { ...results, rows: [row] }, open: { ...open, exposure: [live] } }),
    FORMS,
  );
  expect(sheet.pairs).toMatchObject({ rows: [{ cells: ['WETH/USDC', '3', '1234.50', '+0.07'] }], more: null });
  expect(sheet.open.rows.map(({ cells }) => cells[1])).toContain('1.0001 WETH, 1 order, until c7');
});

test('what is live is told in dollars first, cut up, and then each token, the largest first, while lines are free', () => {
  const { open } = handoverOf();
  const [exposure] = extremeHandover().open.exposure;
  if (exposure === undefined) throw new Error('the fixture has none');
  const token = (tokenId: string, live: string, dollars: string | null) => {
    return { ...exposure, chainId: 1, tokenId, decimals: 6, live, dollars, quotes: 2, zeroAt: 7 };
  };
  const many = Array.from({ length: 40 }, (_, index) => token(`T${index}`, '1', null));
  const rowsOf = (tokens: typeof many) =>
    handoverSheet(handoverOf({ open: { ...open, exposure: tokens } }), FORMS).open.rows.slice(1);
  expect(
    rowsOf([token('FEW', '1', null), token('SOME', '10000001', '1'), token('MOST', '5000000', '3400.5')]),
  ).toMatchObject([
    { cells: ['Signed, live', '17013 dollars in 6 orders, until c7; 1 token without a price'] },
    { cells: ['', '5 MOST, 2 orders, until c7'] },
    { cells: ['', '10.01 SOME, 2 orders, until c7'] },
    { cells: ['', '0.01 FEW, 2 orders, until c7'] },
  ]);
  expect(rowsOf(many)).toHaveLength(SHEET_LINES.open - 1);
  expect(rowsOf(many).at(-1)?.cells[1]).toContain('and 27 more tokens');
});

test('what was done to a chain says which one it was, and a pair is named once', () => {
  const at = { seq: 1, time: 5, actor: 'mara', kind: 'trading_state', name: 'Stop or start', about: {} } as const;
  const stop = (what: string, now: string, pair: string | null) => {
    const sentence = [
      { text: `${what}: ` },
      { text: now, as: 'after' as const },
      { text: ' “A/B”', as: 'said' as const },
    ];
    return { ...at, chainId: 1, pair, sentence, group: 'stops' as const };
  };
  const done = [
    stop('halted the chain', 'HALTED', null),
    stop('switched A/B', 'off', 'A/B'),
    { ...stop('published revision 2', '3', 'A/B'), kind: 'ladder_published', group: 'prices' as const },
  ];
  const doers = [
    {
      actor: 'mara',
      count: 3,
      groups: [
        { group: 'stops' as const, count: 2 },
        { group: 'prices' as const, count: 1 },
      ],
    },
  ];
  const told = (chains: Handover['chains']) =>
    handoverSheet(handoverOf({ chains, done, doers }), FORMS).done.rows.map(({ cells, tone }) => [cells[2], tone]);
  const one = { chainId: 1, name: 'Ethereum' };
  expect(told([one, { chainId: 2, name: 'Base' }])).toEqual([
    ['mara: 2 stops and starts, 1 price change', undefined],
    ['Ethereum: halted the chain: HALTED “A/B”', 'strong'],
    ['Ethereum: switched A/B: off “A/B”', undefined],
    ['A/B on Ethereum: published revision 2: 3 “A/B”', undefined],
  ]);
  expect(
    told([one])
      .slice(1)
      .map(([text]) => text),
  ).toEqual(['halted the chain: HALTED “A/B”', 'switched A/B: off “A/B”', 'A/B: published revision 2: 3 “A/B”']);
  expect(told([{ chainId: 2, name: 'Base' }])[1]?.[0], 'of a chain that is gone').toMatch(/^1: /);
});

test('a code that was refused has its sentence beside it, and a loss is as the desk cut it', () => {
  const { results } = handoverOf();
  const sheet = handoverSheet(
    handoverOf({
      refused: [
        { code: 'insufficient_depth', count: 5 },
        { code: 'of another version', count: 1 },
      ],
      results: { ...results, all: { ...results.all, net: '-0.21' } },
    }),
    FORMS,
  );
  expect(sheet.refused.rows).toMatchObject([
    { cells: ['insufficient_depth: The amount is larger than the depth of the ladder.', '5'], lines: 2 },
    { cells: ['of another version', '1'] },
  ]);
  expect(sheet.figures.find(({ name }) => name === 'Net, $')?.value).toBe('-0.21');
});

test('where not all that was done has room, stops stay before settings and both before prices, in the order of time', () => {
  const { done } = extremeHandover();
  const [stop, setting, price] = (['stops', 'settings', 'prices'] as const).map((group) => {
    const deed = done.find((one) => one.group === group);
    if (deed === undefined) throw new Error('the fixture has none');
    return { ...deed, chainId: null, pair: null, sentence: [{ text: group }] };
  });
  if (stop === undefined || setting === undefined || price === undefined) throw new Error('the fixture has none');
  const prices = Array.from({ length: 100 }, (_, index) => ({ ...price, seq: 100 + index }));
  const { rows, more } = handoverSheet(
    handoverOf({ done: [{ ...stop, seq: 1 }, { ...setting, seq: 2 }, ...prices] }),
    FORMS,
  ).done;
  expect(rows.slice(0, 3).map(({ cells }) => cells[2])).toEqual(['stops', 'settings', 'prices']);
  expect(more?.text).toContain(`and ${102 - rows.length} more`);
});

const hasPoppler = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('SKIPPED: what stands in a PDF was NOT read: there is no pdftotext here');
    return false;
  }
})();

/** The text of a PDF, and how many pages it has. */
function read(pdf: Uint8Array): { text: string; pages: number } {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'handover.pdf');
  writeFileSync(file, pdf);
  const text = execFileSync('pdftotext', ['-layout', file, '-'], { encoding: 'utf8' });
  return { text, pages: text.split('\f').length - 1 };
}

test.skipIf(!hasPoppler)(
  'the PDF is one page to its last line, also of a day that held more of everything than fits',
  () => {
    const { text, pages } = read(handoverPdf(extremeHandover()));
    expect(pages).toBe(1);
    expect(text).toContain('Handover');
    expect(text).toContain('> 10,000,000,000');
    expect(text).toContain('< −10,000,000,000');
    // The last line of the last table is on the page, and so is the end of each before it.
    expect(text).toMatch(/and 9[\d,]+ more: see Journal\s*$/);
    for (const where of ['see Desk', 'see Results', 'see Firm log']) expect(text).toContain(where);
    expect(text).not.toContain('\u202E');
  },
);

test.skipIf(!hasPoppler)('the PDF of a day of nothing says so of each', () => {
  const { text, pages } = read(handoverPdf(handoverOf()));
  expect(pages).toBe(1);
  for (const words of ['Nothing was filled.', 'Nothing was refused.', 'Nobody changed, halted or resumed anything.'])
    expect(text).toContain(words);
});
