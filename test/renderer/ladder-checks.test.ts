import { expect, test } from 'vitest';
import type { Draft } from '../../electron/contract/book.ts';
import type { LadderPreview } from '../../electron/contract/ladder-preview.ts';
import { checksOf, previewOfSeen } from '../../renderer/pages/prices/checks-of.ts';
import type { SeenDraft } from '../../renderer/pages/prices/draft-line.ts';

const cell = (value: string) => ({ value, editor: null, baseRevision: 1, fault: null });
const draft: Draft = {
  chainId: 1,
  pair: 'WETH/USDC',
  version: 1,
  baseRevision: 1,
  faults: [],
  bids: [{ price: cell('101'), amount: cell('1') }],
  asks: [],
};
const bids = { side: 'bids', levels: 1, base: '1', quote: '101', result: '0', token: 'USDC', needed: '101' } as const;
const rest = { signable: '1000', balance: '1000', allowance: '1000', maxQuote: null, live: '0', quotes: 0 } as const;
const preview = (worst: string | null): LadderPreview => ({
  chainId: 1,
  pair: 'WETH/USDC',
  version: 1,
  revision: 1,
  reference: { mid: '100', time: 1, stale: false },
  quotes: [],
  sides: [{ ...bids, ...rest, worst, zeroAt: null, fence: null, closed: null }],
  strict: [],
});

test('prices through the reference say what they cost at worst, and nothing of it while a preview from before them knows no loss', () => {
  const said = (worst: string | null) =>
    checksOf(draft, { bids: [], asks: [] }, preview(worst), { base: 'WETH', quote: 'USDC', followNote: null }).find(
      ({ sure }) => sure === true,
    )?.detail;
  expect(said('-1')).toBe('1 level pays more than 100. At worst that costs 1 USDC.');
  for (const unknown of ['0', '0.00', null]) expect(said(unknown)).toBe('1 level pays more than 100.');
});

test('what a side needs is told with what a request may go over it', () => {
  const { sides, ...rest } = preview(null);
  const said = (part: Partial<LadderPreview['sides'][number]>) =>
    checksOf(
      draft,
      { bids: [], asks: [] },
      { ...rest, sides: sides.map((side) => ({ ...side, needed: '33.66', ...part })) },
      { base: 'WETH', quote: 'USDC', followNote: null },
    ).map(({ title, detail }) => title + detail);
  expect(said({ overfillBps: 200 })).toContain('Bids covered: 33.66 with the 2 % on top, of 1,000 USDC');
  expect(said({ overfillBps: 0 })).toContain('Bids covered: 33.66 of 1,000 USDC');
  expect(said({ overfillBps: 25, signable: '20' }).join()).toContain(
    'Bids need 33.66 USDC with the 0.25 % on top, 20 can be signed.',
  );
});

test('a ladder far from what is live is asked about while no fresh reference, or no preview at all, says where the market is', () => {
  const live = { bids: [['100', '1']] as [string, string][], asks: [] };
  const asked = (best: string, known: LadderPreview | undefined) =>
    checksOf({ ...draft, bids: [{ price: cell(best), amount: cell('1') }] }, live, known, {
      base: 'WETH',
      quote: 'USDC',
      followNote: null,
    }).flatMap(({ sure, title }) => (sure === true ? [title] : []));
  const without = [
    undefined,
    { ...preview(null), reference: null },
    { ...preview(null), reference: { mid: '1000', time: 1, stale: true } },
  ];
  for (const known of without) {
    expect(asked('1000', known)).toContain('Bid 1 is 90000.0 bps from what is live');
    expect(asked('10', known)).toContain('Bid 1 is 9000.0 bps from what is live');
    expect(asked('103', known)).toEqual([]);
    expect(asked('97', known)).toEqual([]);
  }
  expect(asked('99', preview(null)), 'the reference judges').toEqual([]);
});

test('a draft is judged by what the desk says of it, not of an earlier one: that is asked for', async () => {
  let asked = 0;
  const later = Object.assign(preview(null), { version: 2 });
  const judged = (version: number, onTheWay: SeenDraft['onTheWay'], known: LadderPreview | undefined) =>
    previewOfSeen({ version, onTheWay, moved: 0 }, known, async () => {
      asked += 1;
      return later;
    });
  const known = preview(null);
  expect(await judged(1, [], known)).toBe(known);
  expect(asked).toBe(0);
  const typed = { edits: [], seen: 1, isEmpty: false, refusal: null };
  for (const stale of [judged(2, [], known), judged(1, [typed], known), judged(1, [], undefined)]) {
    expect(await stale).toBe(later);
  }
  expect(asked).toBe(3);
});

test('why a reference is held back is a sentence of its own', () => {
  const reference = { mid: '100', time: 1, stale: false, heldBack: 'its sources are apart' };
  const said = checksOf(
    draft,
    { bids: [], asks: [] },
    { ...preview(null), reference },
    {
      base: 'WETH',
      quote: 'USDC',
      followNote: null,
    },
  );
  expect(said.find(({ title }) => title === 'The reference is held back.')?.detail).toBe('Its sources are apart.');
});
