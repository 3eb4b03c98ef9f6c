import { expect, test } from 'vitest';
import type { DraftEdit } from '../../electron/contract/book.ts';
import { draftSummaries } from '../../electron/desk/draft-summaries.ts';
import { ladderPreview } from '../../electron/desk/ladder-preview.ts';
import { referencesOf } from '../../electron/desk/references-of.ts';
import { toRaw } from '../../electron/protocol/decimal.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { DOLLAR, ETHER, firm, type OpenDesk, openDesk, request, seen } from '../quoting/open-desk.ts';

const PAIR = 'WETH/USDC';
const set = (side: 'bids' | 'asks', level: number, field: 'price' | 'amount', value: string): DraftEdit => ({
  kind: 'set',
  side,
  level,
  field,
  value,
});
const noReference = () => null;
const reference = (mid: string) => () => ({ mid, time: 1, stale: false });
const preview = (desk: OpenDesk, referenceOf: Parameters<typeof ladderPreview>[1] = noReference) =>
  ladderPreview(desk, referenceOf, CHAIN, PAIR);

test('what a taker is shown is what they are then quoted, their part of the firm order', async () => {
  const desk = await openDesk();
  await desk.book.edit(CHAIN, PAIR, [set('bids', 0, 'price', '3412.2')], 'mara');
  const before = preview(desk).quotes.find(({ side }) => side === 'bids');
  expect(before).toBeDefined();
  if (before === undefined) return;
  const published = await desk.book.publish(CHAIN, PAIR, desk.book.draft(CHAIN, PAIR).version, 'mara');
  expect(published.revision).toBe(2);
  const takerAmount = BigInt(Math.round(Number(before.asked) * 1e9)) * 10n ** 9n;
  const { order } = await firm(
    desk,
    request({ makerAsset: USDC, takerAsset: WETH, makerAmount: undefined, takerAmount: `${takerAmount}` }),
  );
  const share = (BigInt(order?.makerAmount ?? 0) * 100n) / 101n;
  expect(before.draft?.gets).toBe(
    `${share / DOLLAR}.${(share % DOLLAR).toString().padStart(6, '0')}`.replace(/\.?0+$/, ''),
  );
  expect(preview(desk).quotes.find(({ side }) => side === 'bids')?.live.gets).toBe(before.draft?.gets);
});

test('a taker who names what they want is shown what they then pay, both ways', async () => {
  const desk = await openDesk();
  const out = preview(desk).quotes.filter(({ exact }) => exact === 'out');
  expect(new Set(out.map(({ side }) => side))).toEqual(new Set(['bids', 'asks']));
  for (const { side, amount, asked, live } of out) {
    const [maker, taker, decimals] = side === 'bids' ? [USDC, WETH, 6] : [WETH, USDC, 18];
    const makerAmount = toRaw(asked, decimals);
    expect(makerAmount).toBe((toRaw(amount, decimals) * 10_001n) / 10_000n);
    const { order } = await firm(
      desk,
      request({ makerAsset: maker, takerAsset: taker, makerAmount: `${makerAmount}` }),
    );
    const whole = BigInt(order?.takerAmount ?? 0);
    const share = (whole * toRaw(amount, decimals) + makerAmount - 1n) / makerAmount;
    expect(toRaw(live.pays ?? '0', side === 'bids' ? 18 : 6)).toBe(share);
    expect(live.gets).toBe(amount);
  }
});

test('a reference that is held back is told with why, and is not called stale', async () => {
  const desk = await openDesk({ chain: { referenceUrl: 'http://127.0.0.1:1/reference' } });
  const now = desk.now;
  const heldBack = 'It moved 900 bps at once; the limit is 500.';
  desk.book.references.record(CHAIN, new Map([[PAIR, { mid: '3412.5', time: now(), heldBack }]]));
  const told = preview(desk, referencesOf({ book: desk.book, now }));
  expect(told.reference).toMatchObject({ mid: '3412.5', stale: false, heldBack });
});

test('a size that cannot be signed is told with the code it would be refused with', async () => {
  const desk = await openDesk({ chain: { limits: { maxQuote: { USDC: '4000' } } } });
  const codes = preview(desk).quotes.map(({ side, draft }) => [side, draft?.refused]);
  expect(codes).toContainEqual(['bids', 'quote_limit']);
  desk.chain.view = seen(desk.now(), { [WETH]: ETHER / 2n });
  const poor = preview(desk);
  expect(poor.quotes.filter(({ side }) => side === 'asks').map(({ draft }) => draft?.refused)).toContain(
    'insufficient_balance',
  );
  const asks = poor.sides.find(({ side }) => side === 'asks');
  expect(asks).toMatchObject({
    token: 'WETH',
    needed: '1.02',
    overfillBps: 200,
    balance: '0.5',
    signable: '0.499999999999999999',
  });
});

test('a side through the reference is told with the worst that can come of it', async () => {
  const desk = await openDesk();
  const [bids, asks] = preview(desk, reference('3412.2')).sides;
  // 1 at 3412.5 loses 0.3; 2.5 at 3412 bring 0.5 again.
  expect(bids).toMatchObject({ side: 'bids', worst: '-0.3', result: '0.2' });
  expect(asks).toMatchObject({ side: 'asks', worst: '0', result: '0.8' });
  expect(preview(desk).sides[0]).toMatchObject({ worst: null, result: null });
});

test('a draft with a fault has no effect to show, and what is live is shown all the same', async () => {
  const desk = await openDesk();
  await desk.book.edit(CHAIN, PAIR, [set('bids', 0, 'price', '9999')], 'mara');
  const told = preview(desk);
  expect(told.sides).toEqual([]);
  expect(told.quotes.every(({ draft, live }) => draft === null && live.gets !== null)).toBe(true);
});

test('the taste of strict services is told: a side that is missing, a symbol that is not in the name', async () => {
  const desk = await openDesk();
  await desk.book.edit(CHAIN, PAIR, [{ kind: 'remove', side: 'asks', level: 0 }], 'mara');
  expect(preview(desk).strict).toEqual([expect.stringContaining('Without asks strict services use neither side')]);
});

test('drafts that wait are listed with whose they are and what keeps them back', async () => {
  const desk = await openDesk();
  expect(draftSummaries(desk)).toEqual([]);
  await desk.book.edit(CHAIN, PAIR, [set('bids', 0, 'price', '3411'), set('asks', 0, 'amount', '')], 'mara');
  await desk.book.edit(CHAIN, PAIR, [{ kind: 'remove', side: 'bids', level: 1 }], 'jon');
  expect(draftSummaries(desk)).toEqual([
    expect.objectContaining({
      pair: PAIR,
      cells: 4,
      editors: ['mara'],
      faults: 1,
      bestBid: '3411',
      liveBid: '3412.5',
      bestAsk: '3413',
      liveAsk: '3413',
    }),
  ]);
});
