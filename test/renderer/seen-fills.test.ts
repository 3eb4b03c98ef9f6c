import { expect, test } from 'vitest';
import { type MarkedFill, markedFillSchema } from '../../electron/contract/quote-log.ts';
import { seenAfter, seenFurther } from '../../renderer/pages/fills/use-fills.ts';

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
