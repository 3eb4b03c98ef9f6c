import { expect, test } from 'vitest';
import { type MarkedFill, markedFillSchema } from '../../electron/contract/quote-log.ts';
import { othersOf, pagesToReread, seenAfter, seenAgain, seenFurther } from '../../renderer/pages/fills/use-fills.ts';

const PAGE = 500;
const WHICH = { others: 'all', since: 0 };

/** The fills `from` to `to`, one a second, newest first, as the desk lists them. */
function fills(from: number, to: number): MarkedFill[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const seq = to - index;
    return markedFillSchema.parse({
      seq,
      time: seq * 1_000,
      chainId: 1,
      pair: 'WETH/USDC',
      side: 'bids',
      quoteSeq: null,
      orderHash: `0x${'0a'.repeat(32)}`,
      userAddress: null,
      taker: `0x${'cd'.repeat(20)}`,
      makerAsset: `0x${'e1'.repeat(20)}`,
      takerAsset: `0x${'e2'.repeat(20)}`,
      makerAmount: '1',
      takerAmount: '1',
      transactionHash: `0x${'0b'.repeat(32)}`,
      block: 7,
      reverted: false,
      price: null,
      reference: null,
      edge: null,
      after10s: null,
      after1m: null,
      after5m: null,
      edgeQuote: null,
      edgeUsd: null,
    });
  });
}
const fill = (seq: number) => fills(seq, seq)[0] as MarkedFill;
const seqs = (seen: ReturnType<typeof seenFurther>) => seen?.rows.map(({ seq }) => seq);
const down = (from: number, to: number) => fills(from, to).map(({ seq }) => seq);

test('new fills stand above those that were seen, as long as the page reaches them', () => {
  const before = seenAfter(null, fills(1, 100), WHICH);
  expect(before).toMatchObject({ ended: true });
  expect(seqs(seenAfter(before, fills(1, 300), WHICH))).toEqual(down(1, 300));
  const reaching = seenAfter(before, fills(100, 99 + PAGE), WHICH);
  expect(seqs(reaching)).toEqual(down(1, 99 + PAGE));
  expect(reaching.ended, 'the oldest was seen').toBe(true);
});

test('where more fills came than a page has, the table has no hole: it begins anew, and is read down to the oldest', () => {
  for (const seen of [fills(1, 100), []]) {
    const before = seenAfter(null, seen, WHICH);
    let now: ReturnType<typeof seenFurther> = seenAfter(before, fills(801, 1_300), WHICH);
    expect(now).toMatchObject({ ended: false });
    expect(seqs(now)).toEqual(down(801, 1_300));
    while (now?.ended === false) {
      const last = now.rows.at(-1);
      if (last === undefined) throw new Error('nothing to read on from');
      now = seenFurther(now, fills(Math.max(1, last.seq - PAGE), last.seq - 1), { ...WHICH, last });
    }
    expect(seqs(now)).toEqual(down(1, 1_300));
  }
});

test('older fills that were asked for before the table began anew are left out: they do not follow on what it shows', () => {
  const before = seenAfter(null, fills(601, 1_100), WHICH);
  const last = before.rows.at(-1);
  if (last === undefined) throw new Error('nothing was read');
  const anew = seenAfter(before, fills(1_801, 2_300), WHICH);
  expect(seenFurther(anew, fills(101, 600), { ...WHICH, last })).toBe(anew);
  expect(seqs(seenFurther(before, fills(101, 600), { ...WHICH, last }))).toEqual(down(101, 1_100));
});

test('a fill further down whose mark was not due, or of which the desk told since, is read again with its page, and no other is', () => {
  const rows = fills(1, 1_300);
  expect(pagesToReread(rows, { all: false, times: [] })).toEqual([]);
  const young = rows.map((fill) => (fill.seq === 201 ? { ...fill, after5m: 'not_yet' as const } : fill));
  // The newest 500 are read by themselves, all the time.
  expect(pagesToReread(young, { all: false, times: [1_300_000] })).toEqual([
    { before: { time: 301_000, seq: 301 }, limit: 300 },
  ]);
  expect(pagesToReread(rows, { all: false, times: [700_500] })).toEqual([
    { before: { time: 801_000, seq: 801 }, limit: 500 },
  ]);
  expect(pagesToReread(rows, { all: true, times: [] }).map(({ before }) => before.seq)).toEqual([801, 301]);
});

test('what was read again stands as the desk lists it now: marks that came, fills that came late, and none that is gone', () => {
  const before = seenFurther(seenAfter(null, fills(501, 1_000), WHICH), fills(1, 500), {
    ...WHICH,
    last: fill(501),
  });
  const page = { before: { time: 501_000, seq: 501 }, limit: 500 };
  const late = { ...fill(2_000), time: 400_500 };
  const listed = [...fills(401, 500), late, ...fills(2, 400).map((one) => ({ ...one, reverted: one.seq === 7 }))];
  const after = seenAgain(before, listed, { ...WHICH, page });
  expect(seqs(after)).toEqual([...down(401, 1_000), 2_000, ...down(2, 400), 1]);
  expect(after?.rows.filter(({ reverted }) => reverted).map(({ seq }) => seq)).toEqual([7]);
  // The same desk with a backup from before those fills.
  const less = seenAgain(before, fills(1, 200), { ...WHICH, page });
  expect(less?.ended).toBe(true);
  expect(seqs(less)).toEqual([...down(501, 1_000), ...down(1, 200)]);
  expect(seqs(seenAfter(before, fills(1, 200), WHICH)), 'nor among the newest').toEqual(down(1, 200));
});

test('rows of a desk with another record are never shown with those of this one', () => {
  const which = { pair: 'WETH/USDC' };
  const [one, other] = [othersOf('one', which, null), othersOf('other', which, null)];
  const before = seenAfter(null, fills(1, 600), { since: 0, others: one });
  expect(seqs(seenAfter(before, fills(590, 1_089), { since: 0, others: other }))).toEqual(down(590, 1_089));
  const page = { before: { time: 101_000, seq: 101 }, limit: 100 };
  expect(seenAgain(before, [], { since: 0, others: other, page })).toBe(before);
});
