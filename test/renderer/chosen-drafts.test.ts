import { expect, test } from 'vitest';
import type { DraftSummary } from '../../electron/contract/ladder-preview.ts';
import type { Check } from '../../renderer/pages/prices/checks-of.ts';
import { tickedOf, toAnswer, versionKey } from '../../renderer/pages/prices/chosen-drafts.ts';

const draft = (pair: string, version = 1, faults = 0): DraftSummary => ({
  chainId: 1,
  pair,
  version,
  faults,
  cells: 1,
  editors: ['jon'],
  bestBid: '1',
  bestAsk: '2',
  liveBid: '1',
  liveAsk: '2',
});
const DEAR: Check = { level: 'look', title: 'Bid 1 is 90 bps through the reference', detail: '', sure: true };
const checked = (said: Record<string, readonly Check[]>) =>
  new Map(Object.entries(said).map(([pair, checks]) => [`1:${pair}`, checks]));

test('what waited when it was asked is ticked; what somebody begins or mends since, or begins again, is not', () => {
  const first = tickedOf(null, [draft('A'), draft('B'), draft('FAULTY', 1, 2)]);
  expect([...first]).toEqual(['1:A', '1:B']);
  const later = tickedOf(first, [draft('A', 2), draft('FAULTY'), draft('NEW')]);
  expect([...later]).toEqual(['1:A']);
  expect([...tickedOf(later, [draft('A', 2), draft('B', 3)])]).toEqual(['1:A']);
});

test('a chosen draft whose checks are on their way stands between it and publishing', () => {
  const chosen = [draft('A'), draft('B')];
  expect(toAnswer(chosen, checked({ A: [] }), new Set()).unchecked.map(({ pair }) => pair)).toEqual(['B']);
  expect(toAnswer(chosen, checked({ A: [], B: [] }), new Set())).toEqual({ unchecked: [], dear: [], isSure: true });
});

test('who is sure of one draft as it stands is not of another, nor of what it becomes', () => {
  const sure = new Set([draft('A')].map(versionKey));
  const isSure = (chosen: DraftSummary[], checks: Record<string, readonly Check[]>) =>
    toAnswer(chosen, checked(checks), sure).isSure;
  expect(isSure([draft('A'), draft('B')], { A: [DEAR], B: [] })).toBe(true);
  expect(isSure([draft('A'), draft('B')], { A: [DEAR], B: [DEAR] })).toBe(false);
  expect(isSure([draft('A', 2), draft('B')], { A: [DEAR], B: [] })).toBe(false);
});
