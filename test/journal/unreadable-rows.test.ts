import { describe, expect, test } from 'vitest';
import { hedgedFillSchema, positionSchema } from '../../electron/contract/hedge.ts';
import { MOST_TENTH_BPS } from '../../electron/contract/marks.ts';
import { markedFillSchema, quoteDetailSchema, quoteRowSchema } from '../../electron/contract/quote-log.ts';
import { type DirectJournal, openDirectly } from './fixture.ts';
import { saveSamples } from './reference-samples.ts';
import { resultOf } from './results-of.ts';
import { addressOf, CHAIN, configured, fill, quote, START } from './sample-events.ts';

const MOST = (2n ** 256n - 1n).toString();
const LATER = START + 3_600_000;
const EVER = { since: 0, until: Number.MAX_SAFE_INTEGER, limit: 100, now: LATER };

/** DAI has 18 decimals and USDC 6: one raw unit for one raw unit is a trade at 10^12 times the price. */
const DAI = { makerAsset: addressOf('DAI'), takerAsset: addressOf('USDC') };
const DUST = { ...DAI, pair: 'DAI/USDC', makerAmount: '1', takerAmount: '1' };

function market(mid = '1'): DirectJournal {
  const journal = openDirectly();
  journal.write(configured());
  saveSamples(journal.db, [[START, mid]], 'DAI/USDC');
  saveSamples(journal.db, [[START, '3412']]);
  return journal;
}

function logOf({ queries }: DirectJournal) {
  return queries.logPage({ filter: {}, limit: 100 }).rows;
}

describe('figures beyond what can be shown', () => {
  test('the edge of a dust order is told as the bound, and stands among the others', () => {
    const journal = market();
    journal.write(quote(1), quote(2, DUST), quote(3));
    const rows = logOf(journal);
    expect(rows.map((row) => quoteRowSchema.safeParse(row).success)).toEqual([true, true, true]);
    expect(rows[1]?.edgeTenthBps).toBe(MOST_TENTH_BPS);
    expect(rows.every(({ unreadable }) => unreadable === undefined)).toBe(true);
  });

  test('a filled dust order is listed, summed, drawn and hedged like any other', () => {
    const journal = market();
    journal.write(quote(1), quote(2, DUST), fill(1, 0), fill(2, 1, { ...DAI, makerAmount: '1', takerAmount: '1' }));
    const { queries } = journal;
    const fills = queries.markedFills(EVER);
    expect(fills.map((row) => markedFillSchema.safeParse(row).success)).toEqual([true, true]);
    expect(fills.find(({ pair }) => pair === 'DAI/USDC')).toMatchObject({ edge: MOST_TENTH_BPS });
    expect(queries.hedgedFills({ limit: 9, now: LATER }).map((row) => hedgedFillSchema.safeParse(row).success)).toEqual(
      [true, true],
    );
    expect(resultOf(journal).all).toMatchObject({ fills: 2, unreadable: 0 });
    const { fills: drawn } = queries.placedFills({ ...EVER, chainId: CHAIN, pair: 'DAI/USDC' });
    expect(drawn).toMatchObject([{ edge: MOST_TENTH_BPS }]);
  });

  test.each(['9'.repeat(60), `0.${'0'.repeat(57)}1`])('a reference of %s poisons no row', (mid) => {
    const journal = market(mid);
    journal.write(quote(1, { ...DAI, pair: 'DAI/USDC' }), fill(1, 0, DAI));
    expect(quoteRowSchema.safeParse(logOf(journal)[0]).success).toBe(true);
    expect(markedFillSchema.safeParse(journal.queries.markedFills(EVER)[0]).success).toBe(true);
  });

  test('two fills of all that a token can hold leave an order that is shown as filled to the bound', () => {
    const journal = market();
    const all = { makerAmount: MOST, takerAmount: MOST };
    journal.write(quote(1), fill(1, 0, all), fill(1, 1, all));
    const [row] = logOf(journal);
    expect(quoteRowSchema.safeParse(row).success).toBe(true);
    expect(row).toMatchObject({ state: 'filled', filledMakerAmount: MOST, filledTakerAmount: MOST });
    const positions = journal.queries.positions(null, LATER);
    expect(positions.map((position) => positionSchema.safeParse(position).success)).toEqual([true, true]);
    expect(resultOf(journal).all, 'nobody trades for so much').toMatchObject({ fills: 2, unreadable: 2, net: null });
  });
});

describe('a row that went bad on the disk', () => {
  /** Three quotes with a fill each; the body of the second of both is spoilt. */
  function spoilt(body: string): DirectJournal & { quoteSeq: number; fillSeq: number } {
    const journal = market();
    const [, quoteSeq] = journal.write(quote(1), quote(2), quote(3)).map(Number);
    const [, fillSeq] = journal.write(fill(1, 0), fill(2, 1), fill(3, 2)).map(Number);
    if (quoteSeq === undefined || fillSeq === undefined) throw new Error('nothing was written');
    const spoil = journal.db.prepare('UPDATE main.journal SET body = ? WHERE seq = ?');
    for (const seq of [quoteSeq, fillSeq]) spoil.run(body, seq);
    return { ...journal, quoteSeq, fillSeq };
  }

  test.each(['{"chainId":31337', '{}', '[]', '{"chainId":-1,"makerAmount":"x"}'])(
    'as %s is told in its place, and the rest of every page goes on',
    (body) => {
      const { queries, quoteSeq, fillSeq } = spoilt(body);
      const { rows } = queries.logPage({ filter: {}, limit: 100 });
      expect(rows.map(({ seq, unreadable }) => [seq === quoteSeq, unreadable !== undefined])).toEqual([
        [false, false],
        [true, true],
        [false, false],
      ]);
      expect(quoteDetailSchema.safeParse(queries.quote(quoteSeq)).success).toBe(true);
      const lists = [queries.markedFills(EVER), queries.fills(EVER)];
      for (const fills of lists) {
        expect(fills).toHaveLength(3);
        for (const { seq, unreadable } of fills) expect(unreadable !== undefined).toBe(seq === fillSeq);
      }
      const hedged = queries.hedgedFills({ limit: 9, now: LATER });
      for (const { seq, unreadable } of hedged) expect(unreadable !== undefined).toBe(seq === fillSeq);
      expect(resultOf({ queries }).all).toMatchObject({ fills: 3, unreadable: 1, unpriced: 0 });
      const results = queries.resultFills({ ...EVER, before: null });
      for (const { seq, unreadable } of results) expect(unreadable !== undefined).toBe(seq === fillSeq);
      expect(queries.fill(fillSeq)).toMatchObject({ unreadable: expect.any(String) });
    },
  );
});
