import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { namesOf } from '../../electron/contract/given-names.ts';
import type { HedgeStep } from '../../electron/contract/hedge-steps.ts';
import { byMark, MARK_NAMES } from '../../electron/contract/marks.ts';
import { PART_NAMES, type ResultBy, resultsBy, resultsCsv } from '../../electron/contract/results.ts';
import { sumResults } from '../../electron/desk/sum-results.ts';
import type { NewEvent } from '../../electron/journal/events.ts';
import { shareCost } from '../../electron/journal/hedges/share-hedge.ts';
import { rebuildProjections } from '../../electron/journal/rebuild.ts';
import { type FillFacts, fillResult } from '../../electron/journal/results/fill-result.ts';
import { addResults, noResults, shownNoFill, sumsOf } from '../../electron/journal/results/result-sums.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { add, compare, mul, parseDecimal, type Rational, sub } from '../../electron/protocol/decimal.ts';
import { howOften } from '../how-often.ts';
import { openDirectly, verifyDirectly } from './fixture.ts';
import { built, ended, mined, opened, orderBuilt, orderSigned, signed, simulated, step } from './hedge-events.ts';
import { saveSamples } from './reference-samples.ts';
import { resultOf } from './results-of.ts';
import { addressOf, CHAIN, configured, fill, hashOf, quote, reverted, START } from './sample-events.ts';
import { tableContents } from './table-contents.ts';

const WETH = 10n ** 18n;
const DECIMALS = { baseDecimals: 18, quoteDecimals: 6 };
const LATER = START + 3_600_000;
const ZERO: Rational = { n: 0n, d: 1n };

const price = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => `${Math.floor(cents / 100)}.${cents % 100}`);
const base = fc.bigInt({ min: 1n, max: 10n * WETH });
const quoteAmount = fc.bigInt({ min: 1n, max: 10n ** 10n });
const cost = fc.bigInt({ min: 0n, max: 10n ** 9n }).map((n): Rational => ({ n, d: 10n ** 6n }));
const signedBase = fc.tuple(base, fc.boolean()).map(([size, isMore]) => (isMore ? size : -size));
const signedQuote = fc.tuple(quoteAmount, fc.boolean()).map(([size, isMore]) => (isMore ? size : -size));

const facts: fc.Arbitrary<FillFacts> = fc
  .record({
    side: fc.constantFrom('bids' as const, 'asks' as const),
    base,
    quote: quoteAmount,
    mids: fc.record(byMark(() => fc.option(price))),
    dollars: fc.option(price.map(parseDecimal)),
    hedges: fc.array(
      fc.record({
        base: signedBase,
        quote: fc.option(signedQuote, { freq: 9 }),
        gas: fc.option(cost, { freq: 9 }),
        fees: cost,
        mid: fc.option(price),
      }),
      { maxLength: 3 },
    ),
    last: fc.option(price.map((mid) => ({ mid, time: LATER - 1_000 }))),
    closes: fc.boolean(),
  })
  .map(({ side, base: size, quote: paid, closes, hedges, ...others }) => {
    const [makerAmount, takerAmount] = side === 'bids' ? [paid, size] : [size, paid];
    const open = hedges.reduce((sum, hedge) => sum + hedge.base, side === 'bids' ? size : -size);
    const last = hedges.at(-1);
    // Half of those that are hedged are hedged wholly.
    if (closes && last !== undefined) last.base -= open;
    return { trade: { side, makerAmount, takerAmount, ...DECIMALS }, time: START, hedges, ...others };
  });

/** What a fill came to, by what was given and got, and nothing else. */
function plainNet({ trade, hedges, last, dollars }: FillFacts): Rational | null {
  const sign = trade.side === 'bids' ? 1n : -1n;
  const [size, paid] =
    trade.side === 'bids' ? [trade.takerAmount, trade.makerAmount] : [trade.makerAmount, trade.takerAmount];
  let [inBase, inQuote] = [sign * size, -sign * paid];
  let costs = ZERO;
  for (const hedge of hedges) {
    if (hedge.quote === null || hedge.gas === null) return null;
    inBase += hedge.base;
    inQuote += hedge.quote;
    costs = add(costs, add(hedge.gas, hedge.fees));
  }
  if (dollars === null || (inBase !== 0n && last === null)) return null;
  const held = last === null ? ZERO : mul({ n: inBase, d: WETH }, parseDecimal(last.mid));
  return sub(mul(add({ n: inQuote, d: 10n ** 6n }, held), dollars), costs);
}

describe('what one fill came to', () => {
  const runs = { numRuns: howOften(300, 5_000) };

  test('is what was given and got, its hedges, and what is open at the newest price, less gas and fees', () => {
    fc.assert(
      fc.property(facts, (given) => {
        const { net, unpriced } = fillResult(given, LATER);
        const plain = plainNet(given);
        expect(net === null).toBe(plain === null);
        expect(unpriced === null).toBe(plain !== null);
        if (net !== null && plain !== null) expect(compare(net, plain)).toBe(0);
      }),
      runs,
    );
  });

  test('is the sum of its parts to the last digit, whichever references are missing and whichever marks are too early', () => {
    const age = fc.constantFrom(-1, 0, 9_999, 10_000, 60_000, 299_999, 300_000, 3_600_000);
    fc.assert(
      fc.property(facts, age, (given, after) => {
        const { net, parts } = fillResult(given, START + after);
        if (net === null) return;
        const sum = PART_NAMES.reduce((total, name) => {
          const part = parts[name];
          return part === null || part === 'not_yet' ? total : add(total, part);
        }, ZERO);
        expect(compare(sum, net)).toBe(0);
        for (const name of MARK_NAMES) if (given.mids[name] === null) expect([null, 'not_yet']).toContain(parts[name]);
      }),
      runs,
    );
  });

  test('does not depend on references in between: they only say when it was gained', () => {
    fc.assert(
      fc.property(facts, fc.record(byMark(() => fc.option(price))), (given, mids) => {
        const [one, other] = [fillResult(given, LATER).net, fillResult({ ...given, mids }, LATER).net];
        expect(one === null || other === null ? one === other : compare(one, other) === 0).toBe(true);
      }),
      runs,
    );
  });

  test('of sums in any order and any parts is the same', () => {
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 8 }), fc.nat(), (given, cut) => {
        const sums = given.map((one) => sumsOf(fillResult(one, LATER)));
        const whole = sums.reduce(addResults, noResults());
        const at = cut % (sums.length + 1);
        const [first, second] = [sums.slice(at), sums.slice(0, at)].map((part) => part.reduce(addResults, noResults()));
        const again = addResults(first ?? noResults(), second ?? noResults());
        expect(compare(again.net, whole.net)).toBe(0);
        for (const name of PART_NAMES) expect(compare(again.parts[name].sum, whole.parts[name].sum)).toBe(0);
        expect([again.fills, again.unpriced, again.open]).toEqual([whole.fills, whole.unpriced, whole.open]);
      }),
      runs,
    );
  });

  test('has no figure where a price is missing, and says which', () => {
    const trade = { side: 'asks' as const, makerAmount: WETH, takerAmount: 3_412_000_000n, ...DECIMALS };
    const given: FillFacts = {
      trade,
      time: START,
      mids: byMark(() => '3410'),
      dollars: { n: 1n, d: 1n },
      hedges: [],
      last: null,
    };
    expect(fillResult(given, LATER)).toMatchObject({ net: null, unpriced: 'no_reference', parts: { inventory: null } });
    expect(fillResult(given, LATER).parts.edge).not.toBeNull();
    const last = { mid: '3400', time: LATER };
    expect(fillResult({ ...given, last, dollars: null }, LATER)).toMatchObject({ net: null, unpriced: 'no_dollars' });
    const hedge = { base: WETH, quote: null, gas: ZERO, fees: ZERO, mid: '3400' };
    expect(fillResult({ ...given, last, hedges: [hedge] }, LATER)).toMatchObject({ unpriced: 'other_token' });
    const unknownGas = { ...hedge, quote: -3_400_000_000n, gas: null };
    expect(fillResult({ ...given, last, hedges: [unknownGas] }, LATER)).toMatchObject({ unpriced: 'no_gas' });
  });
});

test('what a hedge cost is shared out to the last digit, also where it moved nothing', () => {
  fc.assert(
    fc.property(
      cost,
      fc.array(fc.oneof(signedBase, fc.constant(0n)), { minLength: 1, maxLength: 9 }),
      (whole, bases) => {
        const shares = shareCost(whole, bases);
        expect(shares.reduce((sum, { n }) => sum + n, 0n)).toBe(whole.n);
        expect(shares.every(({ n }) => n >= 0n)).toBe(true);
      },
    ),
  );
  expect(shareCost({ n: 9n, d: 10n }, [0n, 0n, 0n]).map(({ n }) => n)).toEqual([3n, 3n, 3n]);
});

/** One WETH sold at 3,412 to user 1 and one bought at 3,408 from user 2, for whom another counterparty asked. */
function traded() {
  const journal = openDirectly();
  const assets = { makerAsset: addressOf('USDC'), takerAsset: addressOf('WETH') };
  const sold = { makerAmount: `${WETH}`, takerAmount: '3412000000' };
  const bought = { ...assets, makerAmount: '3408000000', takerAmount: `${WETH}` };
  const rows = journal.write(
    configured(),
    quote(1, sold),
    quote(2, { ...bought, side: 'bids', counterparty: 'solver' }),
    fill(1, 10, sold),
    fill(2, 11, bought),
  );
  saveSamples(journal.db, [
    [START, '3410'],
    [START + 19_000, '3409'],
    [START + 69_000, '3408'],
    [START + 310_000, '3400'],
    [LATER - 1_000, '3405'],
  ]);
  const [first = 0, second = 0] = rows.slice(3).map(Number);
  return { ...journal, first, second };
}

describe('the result of a time', () => {
  test('tells edge, each mark since the one before, and what open parts are worth now', () => {
    const journal = traded();
    const { rows, all } = resultOf(journal, { by: 'user' });
    // Sold at 3,412: 2 against 3,410, then 1, 1, 8 as it falls, and back 5 as it rises to 3,405.
    expect(rows[addressOf('user 1')]).toMatchObject({
      fills: 1,
      volume: '3412',
      parts: { edge: '2', after10s: '1', after1m: '1', after5m: '8', inventory: '-5', hedge: '0', gas: '0', fees: '0' },
      markout: '10',
      net: '7',
      // 7 of 3,412 dollars is 20.51 bps.
      netBps: 205,
      open: 1,
    });
    expect(rows[addressOf('user 2')]).toMatchObject({ parts: { edge: '2', after5m: '-8', inventory: '5' }, net: '-3' });
    expect(all).toMatchObject({ fills: 2, volume: '6820', net: '4', open: 2, valuedAt: LATER - 1_000 });
  });

  test('by pair, user and counterparty adds up to the same, and a filter leaves the fills behind one figure', () => {
    const journal = traded();
    const all = (['pair', 'user', 'counterparty'] as const).map((by) => resultOf(journal, { by }).all);
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
    const { rows } = resultOf(journal, { by: 'counterparty' });
    expect(Object.keys(rows).sort()).toEqual(['practice', 'solver']);
    for (const counterparty of ['practice', 'solver']) {
      const own = resultOf(journal, { by: 'pair', counterparty });
      expect(own.all).toEqual(rows[counterparty]);
      const behind = journal.queries.resultFills({
        since: 0,
        until: LATER,
        counterparty,
        before: null,
        limit: 9,
        now: LATER,
      });
      expect(behind.map((one) => one.counterparty)).toEqual([counterparty]);
      expect(behind[0]?.net).toBe(rows[counterparty]?.net);
      expect(journal.queries.markedFills({ since: 0, until: LATER, counterparty, limit: 9, now: LATER })).toHaveLength(
        1,
      );
    }
  });

  test('is one net of one moment, of which pairs, users and counterparties are each told', async () => {
    const { queries } = traded();
    const worked = new Set<ResultBy>();
    const read = {
      resultsPart: async (...asked: Parameters<typeof queries.resultsPart>) => {
        const step = queries.resultsPart(...asked);
        for (const { by } of step.parts) worked.add(by);
        return step;
      },
      firstFill: async (...asked: Parameters<typeof queries.firstFill>) => queries.firstFill(...asked),
      costsOfNoFill: async (...asked: Parameters<typeof queries.costsOfNoFill>) => queries.costsOfNoFill(...asked),
    };
    const sums = async (by?: ResultBy) => {
      worked.clear();
      for await (const { result } of sumResults(read, { since: 0, until: LATER, by }, LATER, undefined)) {
        if (result !== null) return result;
      }
      throw new Error('the sums never came');
    };
    const told = await sums();
    expect([...worked]).toEqual(['pair', 'user', 'counterparty']);
    expect(told.all).toEqual(resultOf({ queries }).all);
    for (const by of ['pair', 'user', 'counterparty'] as const) {
      const { rows, all, now } = resultsBy(told, by);
      const alone = await sums(by);
      expect(alone, 'one of them alone has its rows where older versions look for them').toEqual(resultsBy(told, by));
      expect(resultsBy(alone, by)).toEqual(alone);
      expect([...worked], 'and nothing else is worked out, but the pairs that the whole is made of').toEqual(
        by === 'pair' ? ['pair'] : ['pair', by],
      );
      expect([now, all.net]).toEqual([LATER, '4']);
      expect(Object.fromEntries(rows.map((row) => [row[by], row.net]))).toEqual(
        Object.fromEntries(Object.entries(resultOf({ queries }, { by }).rows).map(([name, { net }]) => [name, net])),
      );
    }
  });

  test('counts a fill as one that cannot be read where who asked for it cannot be read: under nobody, and for whoever may have been it', () => {
    const journal = traded();
    const whole = resultOf(journal).all;
    // As a body reads whose archive is gone: of the quote that "practice" asked for.
    journal.db.exec(`UPDATE main.journal SET body = 'The archive x is missing.' WHERE seq = ${journal.first - 2}`);
    expect(resultOf(journal).all, 'its pair and its user are known').toEqual(whole);
    const { rows } = resultOf(journal, { by: 'counterparty' });
    expect(rows.null).toMatchObject({ fills: 1, unreadable: 1, net: null });
    expect(rows.solver).toMatchObject({ fills: 1, unreadable: 0, net: '-3' });
    for (const by of ['pair', 'counterparty'] as const) {
      expect(resultOf(journal, { by, counterparty: 'practice' }).all).toMatchObject({ fills: 1, unreadable: 1 });
      expect(resultOf(journal, { by, counterparty: 'solver' }).all).toMatchObject({
        fills: 2,
        unreadable: 1,
        net: '-3',
      });
    }
    const asked = { since: 0, until: LATER, counterparty: 'practice', before: null, limit: 9, now: LATER };
    expect(journal.queries.resultFills(asked)).toMatchObject([
      { seq: journal.first, net: null, unreadable: expect.stringContaining('nobody knows whose it was') },
    ]);
  });

  test('counts a hedge at its own price, its gas shared by what each fill moved, and the fill’s net is that of its hedge', () => {
    const journal = traded();
    const [hedge = 0] = journal.write(opened([journal.first], { amount: `${WETH}`, referenceMid: '3404' })).map(Number);
    const done = [built, simulated, signed('a'), mined('a', '3405000000', `${WETH}`), ended()];
    journal.write(...done.map((one) => step(hedge, one)));
    const { rows } = resultOf(journal, { by: 'user' });
    // Bought back at 3,405 with the reference at 3,404 when it was placed: 1 dearer; 0.001 of a token of 3,000 dollars for gas.
    expect(rows[addressOf('user 1')]).toMatchObject({
      parts: { edge: '2', after5m: '8', inventory: '-4', hedge: '-1', gas: '-3', fees: '0' },
      costs: '-4',
      net: '4',
      open: 0,
      valuedAt: null,
    });
    expect(journal.queries.hedgedFills({ limit: 9, now: LATER }).at(-1)?.resultUsd).toBe('4');
    expect(journal.queries.hedgeNets([hedge])).toEqual(['4']);
  });

  test('shares the gas of a hedge that moved nothing, and takes none of it twice', () => {
    const journal = traded();
    const [hedge = 0] = journal.write(opened([journal.first, journal.second])).map(Number);
    const failed = { ...mined('a', '0', '0'), succeeded: false };
    journal.write(...[built, simulated, signed('a'), failed, ended('failed')].map((one) => step(hedge, one)));
    expect(resultOf(journal).all).toMatchObject({ parts: { gas: '-3' }, net: '1' });
  });

  test('forgets no fill for a hedge into another token that moved nothing of it: given up, refunded, or all of it for older fills', () => {
    const far = { chainId: 1, address: addressOf('USDC far'), symbol: 'USDC', decimals: 6 };
    const weth = { chainId: CHAIN, address: addressOf('WETH'), symbol: 'WETH', decimals: 18 };
    const order: HedgeStep[] = [
      { ...orderBuilt, least: '1', most: `${WETH}` },
      orderSigned,
      { step: 'order_submitted', orderId: 'x', status: 'PENDING' },
    ];
    const refunded: HedgeStep = {
      step: 'order_status',
      status: 'REFUNDED',
      spent: '0',
      received: '0',
      transactions: [],
    };
    const givenUp: HedgeStep = { step: 'ended', outcome: 'cancelled', sentence: 'It was given up.' };
    for (const steps of [[givenUp], [...order, refunded, ended('failed')]]) {
      const journal = traded();
      const crossing = { src: weth, dest: far, side: 'SELL' as const, amount: `${WETH}`, way: { mode: 'intent' } };
      const [nothing = 0] = journal.write(opened([journal.first, journal.second], crossing)).map(Number);
      expect(journal.write(...steps.map((one) => step(nothing, one)))).not.toContain('journal_row_refused');
      expect(resultOf(journal).all).toMatchObject({ net: '4', unpriced: 0, open: 2 });
      const [hedge = 0] = journal.write(opened([journal.first], { amount: `${WETH}` })).map(Number);
      const done = [built, simulated, signed('a'), mined('a', '3405000000', `${WETH}`), ended()];
      journal.write(...done.map((one) => step(hedge, one)));
      expect(resultOf(journal, { by: 'user' }).rows[addressOf('user 1')]).toMatchObject({ net: '4', open: 0 });
      expect(journal.queries.hedgeNets([hedge])).toEqual(['4']);
    }
    // Of both fills only the older one was sold for another token.
    const journal = openDirectly();
    const bought = { makerAsset: addressOf('USDC'), takerAsset: addressOf('WETH'), makerAmount: '3408000000' };
    const body = { ...bought, takerAmount: `${WETH}` };
    const bids = { ...body, side: 'bids' as const };
    const rows = journal.write(configured(), quote(1, bids), quote(2, bids), fill(1, 10, body), fill(2, 11, body));
    saveSamples(journal.db, [[START, '3410']]);
    const terms = { src: weth, dest: far, side: 'SELL' as const, amount: `${2n * WETH}`, way: { mode: 'intent' } };
    const [hedge = 0] = journal.write(opened(rows.slice(3).map(Number), terms)).map(Number);
    const half: HedgeStep = { ...refunded, status: 'CANCELLED', spent: `${WETH}`, received: '3409000000' };
    journal.write(...[...order, half, ended('failed')].map((one) => step(hedge, one)));
    const { rows: users } = resultOf(journal, { by: 'user' });
    expect(users[addressOf('user 1')]).toMatchObject({ net: null, unpriced: 1 });
    expect(users[addressOf('user 2')]).toMatchObject({ net: '2', unpriced: 0 });
    expect(verifyDirectly(journal.db)).toEqual({ firstBad: null, fault: null });
  });

  test('counts the gas of a hedge whose worth the service never said at what the coin was worth then, of a fill and of no fill alike', () => {
    const approval = [signed('a', 'approval'), { ...mined('a', '0', '0'), purpose: 'approval' }] as HedgeStep[];
    const order: HedgeStep[] = [
      { ...orderBuilt, least: `${WETH}`, most: '3405000000' },
      orderSigned,
      { step: 'order_submitted', orderId: 'x', status: 'PENDING' },
      { step: 'order_status', status: 'COMPLETED', spent: '3405000000', received: `${WETH}`, transactions: [] },
      ended(),
    ];
    for (const [end, net] of [
      // 3,412 less 3,405; or sold at 3,412 and worth 3,405 now. Both less 0.001 of a token of 3,410 dollars.
      [order, '3.59'],
      [[ended('failed')], '3.59'],
    ] as const) {
      const journal = traded();
      const terms = { amount: `${WETH}`, way: { mode: 'intent' } };
      const [hedge = 0] = journal.write(opened([journal.first], terms)).map(Number);
      journal.write(...[...approval, ...end].map((one) => step(hedge, one)));
      const { rows } = resultOf(journal, { by: 'user' });
      expect(rows[addressOf('user 1')]).toMatchObject({ net, unpriced: 0, parts: { gas: '-3.41' } });
      expect(journal.queries.hedgeNets([hedge])).toEqual([end === order ? net : null]);
      const noFill = () => shownNoFill(journal.queries.costsOfNoFill({ since: 0, until: LATER, chainId: null }));
      expect(noFill()).toMatchObject({ count: 0 });
      journal.write(reverted(journal.first, 1));
      expect(noFill(), 'the same gas, once the fill is taken back').toMatchObject({ count: 1, gas: '-3.41' });
    }
  });

  test('counts gas at what the coin was worth when its hedge was placed, whatever the service and the node reckoned it at', () => {
    for (const lie of ['0.000001', '6822222222.222222', null]) {
      const journal = traded();
      const terms = { amount: `${WETH}`, nativeUsd: '3410' };
      const [hedge = 0] = journal.write(opened([journal.first], terms)).map(Number);
      const done = [{ ...built, nativeUsd: lie }, simulated, signed('a'), mined('a', '3405000000', `${WETH}`), ended()];
      journal.write(...(done as HedgeStep[]).map((one) => step(hedge, one)));
      expect(resultOf(journal).all).toMatchObject({ parts: { gas: '-3.41' } });
      expect(journal.queries.hedgeNets([hedge])).toEqual(['3.59']);
      const before = tableContents(journal.db);
      rebuildProjections(journal.db, SLICES);
      expect(tableContents(journal.db)).toEqual(before);
    }
  });

  test('counts what was entered by hand from when it was done, with its fee', () => {
    const journal = traded();
    const way = { mode: 'by-hand', other: '3407', where: 'an exchange' };
    const [hedge = 0] = journal.write(opened([journal.first], { amount: `${WETH}`, way })).map(Number);
    const entered = {
      step: 'entered' as const,
      spent: '3407000000',
      received: `${WETH}`,
      feeUsd: '0.25',
      where: 'an exchange',
      at: START + 70_000,
      note: '',
    };
    journal.write(step(hedge, entered));
    expect(resultOf(journal, { by: 'user' }).rows[addressOf('user 1')]).toMatchObject({
      // Bought back at 3,407 when the reference was 3,408.
      parts: { hedge: '1', gas: '0', fees: '-0.25' },
      net: '4.75',
    });
  });

  test('has beside it what was paid for no fill: the desk’s own transactions and hedges for none, at what the coin was worth then', () => {
    const journal = traded();
    const own = (outcome: 'sent' | 'confirmed', name: string, feeWei?: string): NewEvent => {
      const call = { chainId: CHAIN, purpose: 'cancel 2 orders', to: addressOf('settlement'), data: '0x12' };
      return {
        time: START,
        actor: 'ops',
        kind: 'transaction',
        body: { ...call, transactionHash: hashOf(name), outcome, feeWei },
      };
    };
    // Sent and mined is one; of the other no receipt came.
    journal.write(own('sent', 'x'), own('confirmed', 'x', '2000000000000000'), own('sent', 'y'));
    const [hedge = 0] = journal.write(opened([])).map(Number);
    journal.write(...[built, simulated, signed('a'), mined('a', '10', '4000'), ended()].map((one) => step(hedge, one)));
    const costs = journal.queries.costsOfNoFill({ since: 0, until: LATER, chainId: null });
    // 0.002 of 3,410 dollars, and 0.001 of the 3,000 that the service reckoned for the hedge.
    expect(shownNoFill(costs)).toEqual({ count: 3, unpriced: 1, gas: '-9.82', fees: '0', costs: '-9.82' });
    expect(journal.queries.costsOfNoFill({ since: START + 1, until: LATER, chainId: null })).toEqual([]);
    expect(journal.queries.costsOfNoFill({ since: 0, until: LATER, chainId: CHAIN + 1 })).toEqual([]);
    expect(resultOf(journal).all.net, 'no fill pays for it').toBe(resultOf(traded()).all.net);
    expect(verifyDirectly(journal.db)).toEqual({ firstBad: null, fault: null });
  });

  test('leaves no gas out: a hedge’s share of a fill that was taken back is paid for no fill', () => {
    const journal = traded();
    const [hedge = 0] = journal.write(opened([journal.first, journal.second])).map(Number);
    const failed = { ...mined('a', '0', '0'), succeeded: false };
    journal.write(...[built, simulated, signed('a'), failed, ended('failed')].map((one) => step(hedge, one)));
    const noFill = () => shownNoFill(journal.queries.costsOfNoFill({ since: 0, until: LATER, chainId: null }));
    expect([resultOf(journal).all.parts.gas, noFill().count]).toEqual(['-3', 0]);
    journal.write(reverted(journal.second, 2));
    expect([resultOf(journal).all.parts.gas, noFill().gas]).toEqual(['-1.5', '-1.5']);
  });

  test('forgets a fill that was taken back, and knows nothing of orders that are of no pair', () => {
    const journal = traded();
    journal.write(reverted(journal.second, 2), fill(99, 20));
    expect(resultOf(journal).all).toMatchObject({ fills: 1, net: '7' });
  });

  test('of a day are the same after the pair that says what a token was worth is retired, removed, or left out of an import', () => {
    const journal = openDirectly();
    const token = (symbol: string, decimals: number) => {
      return { symbol, name: symbol, address: addressOf(symbol), decimals, type: 'ERC20' };
    };
    const tokens = { WETH: token('WETH', 18), USDC: token('USDC', 6), DAI: token('DAI', 18), LINK: token('LINK', 18) };
    const others = {
      'WETH/DAI': { base: 'WETH', quote: 'DAI', liquidityUSD: 1000 },
      'LINK/WETH': { base: 'LINK', quote: 'WETH', liquidityUSD: 1000 },
    };
    const pairs = { 'WETH/USDC': { base: 'WETH', quote: 'USDC', liquidityUSD: 1000 }, ...others };
    journal.write(configured({ tokens, pairs, prices: {} }));
    const amounts = { makerAmount: `${1_000n * WETH}`, takerAmount: `${5n * WETH}` };
    const sold = { ...amounts, makerAsset: addressOf('LINK'), takerAsset: addressOf('WETH') };
    journal.write(quote(1, { ...sold, pair: 'LINK/WETH' }), fill(1, 10, sold));
    for (const time of [START, START + 10_000, LATER]) {
      saveSamples(journal.db, [[time, '3410']]);
      saveSamples(journal.db, [[time, '3500']], 'WETH/DAI');
      saveSamples(journal.db, [[time, '0.0049']], 'LINK/WETH');
    }
    const before = resultOf(journal);
    expect(before.all, '0.1 WETH of 3,410 dollars').toMatchObject({ net: '341', unpriced: 0 });
    const pair = { chainId: CHAIN, pair: 'WETH/USDC' };
    const event = { time: LATER, actor: 'ops' };
    journal.write({ ...event, kind: 'pair_retired', body: { ...pair, until: LATER + 1_000 } });
    expect(resultOf(journal)).toEqual(before);
    journal.write({ ...event, kind: 'pair_removed', body: pair });
    expect(resultOf(journal)).toEqual(before);
    journal.write(configured({ tokens, pairs: others, prices: {} }, LATER));
    expect(resultOf(journal)).toEqual(before);
  });

  test('says "not yet" before a mark’s time, and what still moves', () => {
    const { all } = resultOf(traded(), { now: START + 30_000 });
    expect(all).toMatchObject({
      parts: { edge: '4', after10s: '0', after1m: 'not_yet', after5m: 'not_yet', inventory: '0' },
      young: { fills: 2, net: '4' },
      net: '4',
    });
  });

  test('tells fills without a price apart, and never as zero', () => {
    const journal = openDirectly();
    journal.write(configured(), quote(1), fill(1, 10));
    const { all } = resultOf(journal);
    expect(all).toMatchObject({ fills: 1, unpriced: 1, net: null, netBps: null });
    saveSamples(journal.db, [[LATER - 1_000, '3410']]);
    expect(resultOf(journal).all).toMatchObject({
      unpriced: 0,
      parts: { edge: null, after10s: null },
      missing: { edge: 1 },
    });
  });

  test('is written as comma-separated values, a line for each and one for all', () => {
    const { rows, all } = resultOf(traded(), { by: 'counterparty' });
    const row = { chainId: null, pair: null, user: null, counterparty: '=1+1', curve: [] };
    const given = rows.solver === undefined ? [] : [{ ...row, ...rows.solver }];
    const sums = { rows: given, all, more: 0, noFill: null, netOfTime: all.net };
    const names = namesOf([{ of: 'counterparty', id: '=1+1', name: '-Desk' }]);
    const [head = '', first = '', last = ''] = resultsCsv(sums, names).split('\r\n');
    expect(head.split(',')).toHaveLength(first.split(',').length);
    expect(first).toMatch(/^,,,'=1\+1,1,0,0,3408,2,-1,-1,-8,5,0,0,0,-3,/);
    expect(first.endsWith(",,'-Desk,,")).toBe(true);
    expect(last).toMatch(/^,,,,2,0,0,6820,/);
  });

  test('is written with what the screen says beside it: rows that were left out, what was paid for no fill, and the net with that', () => {
    const { rows, all } = resultOf(traded(), { by: 'user' });
    const row = { chainId: null, pair: null, user: addressOf('user 1'), counterparty: null, curve: [] };
    const given = [{ ...row, ...(rows[addressOf('user 1')] ?? all) }];
    const noFill = { count: 3, unpriced: 1, gas: '-9.82', fees: '-0.5', costs: '-10.32' };
    const text = resultsCsv({ rows: given, all, more: 1, noFill, netOfTime: '-6.32' }, namesOf([]));
    const [head = '', ...lines] = text.trimEnd().split('\r\n');
    const columns = head.split(',');
    const told = lines.map((line) => {
      const fields = line.split(',');
      expect(fields).toHaveLength(columns.length);
      return Object.fromEntries(columns.map((name, index) => [name, fields[index]]));
    });
    expect(told).toMatchObject([
      { user: addressOf('user 1'), fills: '1', netUsd: '7', line: '', netOfTimeUsd: '' },
      { user: '', fills: '1', unpriced: '0', netUsd: '', line: 'and 1 more', netOfTimeUsd: '' },
      {
        user: '',
        fills: '',
        unpriced: '1',
        gasUsd: '-9.82',
        feesUsd: '-0.5',
        netUsd: '-10.32',
        line: 'paid for no fill',
      },
      { user: '', fills: '2', netUsd: '4', line: 'all', netOfTimeUsd: '-6.32' },
    ]);
  });
});
