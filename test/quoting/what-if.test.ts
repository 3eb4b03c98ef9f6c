import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Reprice, repriced } from '../../electron/contract/repriced-ladder.ts';
import type { WhatIfSettings } from '../../electron/contract/what-if.ts';
import { journalFile, openForReading } from '../../electron/journal/open-database.ts';
import type { QuoteBody } from '../../electron/journal/quotes/events.ts';
import { dollarText } from '../../electron/journal/results/result-sums.ts';
import type { Span } from '../../electron/quoting/decide-again.ts';
import { type DecidedThen, whatIf } from '../../electron/quoting/what-if.ts';
import type { Band } from '../../electron/quoting/what-if-sums.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { DOLLAR, ETHER, firm, happens, type OpenDesk, openDesk, quotes, request, TAKER } from './open-desk.ts';
import { EVERY_KIND, play, type Step, session } from './session.ts';

const PAIR = 'WETH/USDC';
const LADDER = {
  bids: [
    ['3412.50', '1'],
    ['3412.00', '2.5'],
  ] as [string, string][],
  asks: [
    ['3413.00', '1.25'],
    ['3414.40', '3'],
  ] as [string, string][],
};

/** Closes the desk and asks its journal. */
async function asked(desk: OpenDesk, settings: WhatIfSettings = {}, span: Span = {}) {
  await desk.close();
  const db = openForReading(journalFile(desk.folder));
  const each: DecidedThen[] = [];
  try {
    const run = whatIf(db, span, settings, (decided) => each.push(decided));
    for (let step = run.next(); ; step = run.next()) if (step.done) return { ...step.value, each };
  } finally {
    db.close();
  }
}

/** What was decided at a desk, which is closed for it. */
async function bodiesOf(desk: OpenDesk): Promise<QuoteBody[]> {
  await desk.close();
  const db = openForReading(journalFile(desk.folder));
  try {
    const bodies = db.prepare<[], string>("SELECT body FROM journal WHERE kind = 'quote' ORDER BY seq").pluck();
    return bodies.all().map((body) => JSON.parse(body));
  } finally {
    db.close();
  }
}

const changed = (...changes: Reprice[]): WhatIfSettings => ({ ladders: [{ changes }] });
const shown = ({ was, low, high }: Band) => [was, low, high].map(dollarText);
const amounts = (row: { code: string | null; makerAmount: unknown; takerAmount: unknown }) => [
  row.code,
  row.code === null ? `${row.makerAmount}` : null,
  row.code === null ? `${row.takerAmount}` : null,
];

describe('with the settings that were live', () => {
  test('every quote of a day is given back to the unit, and nothing would have been otherwise', async () => {
    await fc.assert(
      fc.asyncProperty(session, async (steps) => {
        const { total, each } = await asked(await play([...steps, ...EVERY_KIND]));
        for (const { was, code, ask } of each) expect(amounts({ ...(ask ?? was), code })).toEqual(amounts(was));
        expect(total).toMatchObject({ better: 0, worse: 0, signedThen: 0, refusedThen: {}, perhapsFilled: 0 });
        expect(total.same).toBeGreaterThan(0);
        expect(total.refused).toBeGreaterThan(0);
      }),
      { numRuns: howOften(1, 15) },
    );
  });
});

describe('with another ladder', () => {
  const asks = fc.array(
    fc.record({
      do: fc.constant('ask' as const),
      maker: fc.constantFrom('WETH', 'USDC'),
      given: fc.constantFrom('makerAmount', 'takerAmount'),
      share: fc.oneof(fc.integer({ min: 1, max: 1_500_000 }), fc.integer({ min: 1, max: 5_000_000 })),
      other: fc.boolean(),
    }),
    { minLength: 5, maxLength: 15 },
  );
  const bps = fc.integer({ min: -7, max: 400 }).map((tenths) => `${tenths === 0 ? 1 : tenths / 10}`);
  const change = fc.oneof(
    fc.record({ kind: fc.constantFrom('shift' as const, 'wider' as const), bps }),
    fc.record({ kind: fc.constant('sizes' as const), factor: fc.constantFrom('0.5', '0.731', '2') }),
  );

  test('each quote is what a desk signs that has that ladder', async () => {
    await fc.assert(
      fc.asyncProperty(asks, change, async (steps, by) => {
        const other = await play(steps as Step[], { chain: { prices: { [PAIR]: repriced(LADDER, by, false) } } });
        const was = await play(steps as Step[], { chain: { prices: { [PAIR]: LADDER } } });
        const signedThere = new Map((await bodiesOf(other)).map((body) => [body.requestBody, amounts(body)]));
        const { each, total, asTheyWere } = await asked(was, changed(by));
        // Of those that were refused before the balance was looked at nobody knows.
        const decided = each.filter(({ kept }) => kept === null);
        for (const { was: row, code, ask } of decided) {
          expect(amounts({ ...(ask ?? row), code })).toEqual(signedThere.get(row.requestBody));
        }
        const known = decided.length;
        const unknown = Object.values(asTheyWere).reduce((sum, count) => sum + count, 0);
        expect(known + unknown).toBe(steps.length);
        const { better, same, worse, refusedThen, signedThen, refused } = total;
        const gone = Object.values(refusedThen).reduce((sum, count) => sum + count, 0);
        expect(better + same + worse + gone + signedThen + refused).toBe(steps.length);
      }),
      { numRuns: howOften(2, 20) },
    );
  });

  describe('beside a reference', () => {
    /** A desk with this ladder that has heard 3,412.75 and signed or refused for one WETH on each side; it is closed. */
    async function desk(prices: unknown, { isKept = true, ...settings }: { isKept?: boolean } & object = {}) {
      const chain = { prices: { [PAIR]: prices }, referenceUrl: 'http://127.0.0.1:1/reference', ...settings };
      const opened = await openDesk({ chain });
      const [time, mid] = [opened.now() - 100, '3412.75'];
      opened.book.references.record(CHAIN, new Map([[PAIR, { mid, time, heldBack: null }]]));
      const sample = { table: 'reference_samples', chainId: CHAIN, pair: PAIR, time, heard: time, mid } as const;
      if (isKept) await opened.journal.put(sample);
      // What it says afterwards was not known yet.
      await opened.journal.put({ ...sample, time: time + 60_000, heard: time + 60_000, mid: '9999' });
      await firm(opened, request({ makerAmount: `${ETHER}` }));
      const buys = { makerAsset: USDC, takerAsset: WETH, makerAmount: undefined, takerAmount: `${ETHER}` };
      await firm(opened, request(buys));
      return opened;
    }

    const BOTH = ['off_reference', 'off_reference'];
    test.each<[what: string, by: Reprice, settings: object, codes: (string | null)[]]>([
      ['passes the reference of then', { kind: 'shift', bps: '10' }, {}, [null, 'off_reference']],
      ['passes it downwards', { kind: 'shift', bps: '-10' }, {}, ['off_reference', null]],
      ['is too far out', { kind: 'wider', bps: '30' }, { offReferenceCloses: 'far', offReferenceBps: 20 }, BOTH],
      ['stays within', { kind: 'wider', bps: '2' }, {}, [null, null]],
      [
        'passes it where that closes nothing',
        { kind: 'shift', bps: '10' },
        { offReferenceCloses: 'none' },
        [null, null],
      ],
      ['reaches past the hard fence', { kind: 'wider', bps: '30' }, { fenceHardBps: 20 }, BOTH],
    ])('a side that %s is closed or quoted as that desk does', async (_what, by, settings, codes) => {
      const there = await bodiesOf(await desk(repriced(LADDER, by, false), settings));
      const { each } = await asked(await desk(LADDER, settings), changed(by));
      expect(each.map(({ code }) => code)).toEqual(codes);
      expect(each.map(({ was, code, ask }) => amounts({ ...(ask ?? was), code }))).toEqual(there.map(amounts));
    });

    test('where what that said is not kept, a request is as it was and says so; sizes alone need nothing of it', async () => {
      const shifted = await asked(await desk(LADDER, { isKept: false }), changed({ kind: 'shift', bps: '10' }));
      expect(shifted.each.map(({ code }) => code)).toEqual([null, null]);
      expect(shifted.asTheyWere).toEqual({ [shifted.each[0]?.kept ?? '']: 2 });
      expect(shifted.each[0]?.kept).toMatch(/^what the reference of the pair said then is not kept/);
      const sized = await asked(await desk(LADDER, { isKept: false }), changed({ kind: 'sizes', factor: '2' }));
      expect(sized.asTheyWere).toEqual({});
    });
  });

  test('or refuses by its limits, which are asked as they would have been', async () => {
    const desk = await openDesk({ chain: { prices: { [PAIR]: LADDER } } });
    await firm(desk, request());
    await firm(desk, request({ makerAmount: `${ETHER}` }));
    const limits = { maxQuote: { WETH: '0.5' }, maxOutstanding: {}, quotesPerUserPerMinute: 0 };
    const { total, each } = await asked(desk, {
      limits: { [CHAIN]: { ...limits, ladderMaxAgeSeconds: 0, driftPerDay: {} } },
    });
    expect(each.map(({ code }) => code)).toEqual([null, 'quote_limit']);
    expect(total).toMatchObject({ same: 1, refusedThen: { quote_limit: 1 } });
  });
});

describe('what it would have come to is a band, since nobody knows who would have taken another price:', () => {
  /** Sells 1 WETH at 3,413 against a reference of 3,412 that is 3,410 five minutes later; with `share` of it filled. */
  async function sold(share: bigint | null) {
    const desk = await openDesk({ chain: { prices: { [PAIR]: LADDER } } });
    const time = desk.now();
    const says = (at: number, mid: string) =>
      desk.journal.put({ table: 'reference_samples', chainId: CHAIN, pair: PAIR, time: at, heard: at, mid });
    await says(time - 100, '3412');
    await says(time + 299_000, '3410');
    const { order } = await firm(desk, request({ makerAmount: `${ETHER}` }));
    const [row] = await quotes(desk);
    if (share !== null && order !== undefined) {
      const orderHash = row?.orderHash ?? '';
      const place = { block: 2, blockHash: `0x${'2'.repeat(64)}`, transactionHash: `0x${'3'.repeat(64)}`, logIndex: 0 };
      const moved = { makerAmount: `${ETHER / share}`, takerAmount: `${(3413n * DOLLAR) / share}` };
      const body = {
        chainId: CHAIN,
        orderHash,
        ...place,
        blockTime: time,
        taker: TAKER,
        makerAsset: WETH,
        takerAsset: USDC,
      };
      await happens(desk, { time, actor: 'chain', kind: 'fill', body: { ...body, ...moved } } as never);
    }
    return desk;
  }
  const wider: Reprice = { kind: 'wider', bps: '10' };
  const lower: Reprice = { kind: 'shift', bps: '-10' };

  test('a fill at a worse price may not have been', async () => {
    const { total, pairs } = await asked(await sold(1n), changed(wider));
    // 3,413 × 1.001 = 3,416.413, in the ladder's two places and up: 3,416.42.
    expect(total).toMatchObject({ worse: 1, fills: { was: 1, sure: 0, perhaps: 1 } });
    expect(shown(total.edge)).toEqual(['1', '0', '4.42']);
    expect(shown(total.markout)).toEqual(['3', '0', '6.42']);
    expect(pairs).toMatchObject([{ chainId: CHAIN, pair: PAIR, worse: 1 }]);
  });

  test('a fill at a better one would have been, for the same share of the order', async () => {
    const { total } = await asked(await sold(2n), changed(lower));
    // 3,413 × 0.999 = 3,409.587: 3,409.59; half of it was filled.
    expect(total).toMatchObject({ better: 1, fills: { was: 1, sure: 1, perhaps: 0 }, perhapsFilled: 0 });
    expect(shown(total.edge)).toEqual(['0.5', '-1.21', '-1.21']);
  });

  test('what nobody filled may have been at a better price, and was not at a worse one', async () => {
    const better = await asked(await sold(null), changed(lower));
    expect(better.total).toMatchObject({ better: 1, perhapsFilled: 1 });
    expect(shown(better.total.edge)).toEqual(['0', '-2.41', '0']);
    const worse = await asked(await sold(null), changed(wider));
    expect(worse.total).toMatchObject({ worse: 1, perhapsFilled: 0 });
    expect(shown(worse.total.edge)).toEqual(['0', '0', '0']);
  });

  test('a fill of what would have been refused was none', async () => {
    const { total } = await asked(await sold(1n), changed({ kind: 'sizes', factor: '0.1' }));
    expect(total).toMatchObject({ refusedThen: { insufficient_depth: 1 }, fills: { was: 1, sure: 0, perhaps: 0 } });
    expect(shown(total.edge)).toEqual(['1', '0', '0']);
  });
});
