import { expect, test } from 'vitest';
import type { ProtectionRow, StandingRow } from '../../electron/contract/protections.ts';
import {
  amountWords,
  limitsWords,
  nearestOf,
  shareOf,
  subjectWords,
  switchShareOf,
  thenWords,
  trippedIn,
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

function switched(used: number | null, limit: number | null, state: StandingRow['state'] = 'fine'): StandingRow {
  return {
    kind: 'reference',
    chainId: 1,
    name: 'Dead-man',
    limits: 'age of the reference, Practice',
    unit: 's',
    where: 'WETH/USDC',
    used,
    soft: null,
    limit,
    peak: null,
    state,
    does: 'closes the pair',
    todo: '',
  };
}

test('what is nearest to its limit is a rule by its fullest window or a switch, and nothing where nothing is counted', () => {
  const rules = [row('a', '5'), row('b', '50000000'), row('c', null)];
  expect(nearestOf(rules, [])).toMatchObject({ name: 'b', percent: 50 });
  expect(nearestOf(rules, [switched(9, 20)])).toMatchObject({ name: 'b', percent: 50 });
  expect(nearestOf(rules, [switched(25, 20), switched(1, 20)])).toEqual({
    name: 'Dead-man',
    percent: 125,
    says: 'age of the reference, Practice: WETH/USDC',
  });
  expect(nearestOf([row('c', null)], [switched(null, 20), switched(5, null)])).toBeNull();
  expect([switchShareOf({ limit: 3 }, 2), switchShareOf({ limit: 3 }, null), switchShareOf({ limit: 0 }, 1)]).toEqual([
    66, 0, 0,
  ]);
});

test('what has tripped now is each subject of a rule and each switch', () => {
  const { rule, decimals } = row('flow', null);
  const of = { rule, decimals, chainId: null, used: '1', asked: '1', until: null, at: 0, reset: null };
  const frozen = { ...row('flow', null), standing: [USER, `0x${'7d'.repeat(20)}`].map((who) => ({ ...of, who })) };
  const switches = [switched(25, 20, 'tripped'), switched(1, 20), switched(null, null, 'off'), switched(1, 2, 'near')];
  expect(trippedIn([frozen, row('b', null)], switches)).toBe(3);
  expect(trippedIn([row('b', null)], switches.slice(1))).toBe(0);
  expect(limitsWords({ limits: 'no sign of a person', where: '' })).toBe('no sign of a person');
});
