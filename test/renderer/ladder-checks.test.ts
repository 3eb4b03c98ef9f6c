import { expect, test } from 'vitest';
import type { Draft } from '../../electron/contract/book.ts';
import type { LadderPreview } from '../../electron/contract/ladder-preview.ts';
import { checksOf } from '../../renderer/pages/prices/checks-of.ts';

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
