import { describe, expect, test } from 'vitest';
import type { ResumeOutlook } from '../../electron/contract/service-view.ts';
import { closedBy, closedGroups, namesText, outlookText, stayedClosedText } from '../../renderer/state/resume-text.ts';

const WRONG = 'DAI has 18 decimals on chain, but 6.';
const check = (part: Partial<ResumeOutlook['checks'][number]> = {}): ResumeOutlook['checks'][number] => ({
  chainId: 1,
  name: 'token DAI',
  scope: { kind: 'token', tokenId: 'DAI' },
  outcome: 'failed',
  sentence: WRONG,
  ...part,
});
const closed = (pair: string | null, sentence = WRONG, chainId = 1) => ({ chainId, pair, sentence });
const outlook = (part: Partial<ResumeOutlook>): ResumeOutlook => ({
  at: 0,
  starts: [],
  staysClosed: [],
  refused: null,
  checks: [],
  passed: 9,
  ...part,
});

describe('what a resume meets', () => {
  test('is nothing only where no check failed, waits or warns, and nothing stays closed', () => {
    expect(outlookText(outlook({}))).toBeNull();
    for (const outcome of ['failed', 'waiting', 'warning'] as const) {
      expect(outlookText(outlook({ checks: [check({ outcome })] }))).not.toBeNull();
    }
    expect(outlookText(outlook({ staysClosed: [closed('DAI/USDC')] }))).toBe('1 pair closed');
    expect(outlookText(outlook({ checks: [check()], staysClosed: [closed(null), closed('A/B'), closed('C/B')] }))).toBe(
      '1 check failed · 1 chain closed · 2 pairs closed',
    );
  });

  test('names for each failed check what it keeps closed on its own chain: pairs, or all of it', () => {
    const stays = [closed('DAI/USDC', `USDC is gone. ${WRONG}`), closed('WETH/USDC', 'USDC is gone.')];
    expect(closedBy(check(), [...stays, closed('DAI/X', WRONG, 10)])).toEqual(['DAI/USDC']);
    expect(closedBy(check({ name: 'token UNUSED', sentence: 'x' }), stays)).toEqual([]);
    expect(closedBy(check(), [closed(null)])).toBeNull();
  });

  test('says each reason once, and of many pairs the first and the number of the rest', () => {
    const pairs = Array.from({ length: 8 }, (_, index) => `P${index}/USDC`);
    expect(closedGroups(pairs.map((pair) => closed(pair)))).toMatchObject([{ pairs }]);
    expect(closedGroups([closed('A/B'), closed('A/B', WRONG, 10), closed('C/B', 'Other.')])).toHaveLength(3);
    expect(namesText(pairs)).toBe('P0/USDC, P1/USDC, P2/USDC, P3/USDC, P4/USDC, P5/USDC and 2 more');
  });
});

test('after a start the news of what stayed closed names it with its reason; of nothing there is none', () => {
  expect(stayedClosedText([])).toBeNull();
  expect(stayedClosedText([closed('DAI/USDC'), closed(null, 'The node is away.', 10)])).toEqual({
    title: 'Live, but DAI/USDC; Chain 10 stay closed',
    detail: `${WRONG} The node is away.`,
  });
});
