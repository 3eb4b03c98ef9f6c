import { expect, test } from 'vitest';
import type { ProtectionRow } from '../../electron/contract/protections.ts';
import {
  amountWords,
  nearestOf,
  shareOf,
  subjectWords,
  thenWords,
  windowWords,
} from '../../renderer/pages/protections/rule-words.ts';

const USER = `0x${'7c'.repeat(20)}`;

function row(name: string, used: string | null, limit = '100000000'): ProtectionRow {
  const rule = { name, counts: 'signed', per: 'user', token: 'USDC', windowSeconds: 600, freezeSeconds: 300 } as const;
  const now = used === null ? null : { chainId: null, who: USER, used, at: 0 };
  return {
    rule: { ...rule, limit: '100' },
    decimals: 6,
    limit,
    filling: false,
    unpriced: false,
    now,
    peak: null,
    standing: [],
    last: null,
  };
}

test('a rule is said in the words of its table, its amounts as tables show them and its share rounded down', () => {
  const full = row('flow', '99999999');
  expect(windowWords(full.rule)).toBe('USDC signed per user, any 10 min');
  expect(amountWords(full, '99999999')).toBe('99.99 USDC');
  expect([shareOf(full, '99999999'), shareOf(full, '100000000'), shareOf(full, undefined)]).toEqual([99, 100, 0]);
  expect([thenWords(full.rule), thenWords({ ...full.rule, per: 'desk', freezeSeconds: 0 })]).toEqual([
    'freezes 5 min',
    'halts until reset',
  ]);
  expect(subjectWords(full.rule, { chainId: null, who: USER })).toBe('user 0x7c7c…7c7c');
});

test('the rule nearest to its limit is the one whose fullest window is, and none where nothing is counted', () => {
  expect(nearestOf([row('a', '5'), row('b', '50000000'), row('c', null)])).toMatchObject({
    row: { rule: { name: 'b' } },
    percent: 50,
  });
  expect(nearestOf([row('c', null)])).toBeNull();
});
