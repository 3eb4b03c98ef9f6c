import { expect, it } from 'vitest';
import type { Protection, Tried, Trip } from '../../electron/contract/protections.ts';
import { trialWords } from '../../renderer/pages/protections/rule-trial.tsx';

const NOW = Date.UTC(2026, 4, 4, 12);
const rule: Protection = {
  name: 'flow',
  counts: 'signed',
  per: 'pair',
  windowSeconds: 60,
  limit: '9',
  freezeSeconds: 60,
};
const trip: Trip = {
  rule,
  chainId: 1,
  who: 'WETH/USDC',
  used: '9',
  asked: '1',
  decimals: 0,
  until: NOW,
  at: NOW - 60_000,
  reset: null,
};

function tried(of: Partial<Tried['rules'][number]>, changes: Partial<Tried> = {}): Tried {
  return {
    since: NOW - 86_400_000,
    until: NOW,
    requests: 120,
    rules: [{ rule, decimals: 0, limit: '9', trips: 0, first: null, largest: null, peak: null, ...of }],
    trips: [],
    notSigned: { quotes: 0, dollars: '0', fills: 0, gain: '0' },
    signed: 0,
    unknown: 0,
    unpriced: 0,
    unread: 0,
    ...changes,
  };
}

it('what a rule would have done in the last day is said in one breath', () => {
  expect(trialWords(tried({}), NOW)).toBe('In the last 24 h it would not have tripped: nothing was counted.');
  const peak = { chainId: 1, who: 'WETH/USDC', used: '7', at: NOW };
  expect(trialWords(tried({ peak }), NOW)).toBe(
    'In the last 24 h it would not have tripped: at most 7 of it was used.',
  );
  const refused = { quotes: 4, dollars: '0', fills: 1, gain: '0' };
  const words = trialWords(tried({ trips: 3, first: trip, largest: trip }, { notSigned: refused, unknown: 2 }), NOW);
  expect(words).toMatch(
    /^In the last 24 h it would have tripped 3 times, first at .+ for WETH\/USDC on chain 1; the largest was 10/,
  );
  expect(words).toContain('Of 120 requests it would have refused 4 quotes that the desk signed, with 1 fill.');
  expect(words).toContain('2 requests that rules refused before the amounts were known are not in it.');
});
