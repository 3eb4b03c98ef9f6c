import { expect, test } from 'vitest';
import { type FillsMoment, momentAfter } from '../../renderer/pages/results/use-results.ts';

const moment = (now: number, choice = '1 h'): FillsMoment => ({ choice, since: now - 60, until: now + 1, now });

test('the fills behind a figure are those of its newest sums, until somebody reads on in them: then what they read stays', () => {
  const shown = moment(100);
  expect(momentAfter(shown, moment(100), false), 'nothing new').toBe(shown);
  expect(momentAfter(shown, moment(105), false)).toEqual(moment(105));
  expect(momentAfter(shown, moment(105), true)).toBe(shown);
});

test('what was read of one row, chain or time is not held for another one', () => {
  expect(momentAfter(moment(100), moment(100, 'today'), true)).toEqual(moment(100, 'today'));
});
