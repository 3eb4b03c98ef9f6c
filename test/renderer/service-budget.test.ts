import { afterEach, expect, test } from 'vitest';
import { askedText } from '../../renderer/pages/service/sources-panel.tsx';
import { setNumberForm } from '../../renderer/state/number-form.ts';

afterEach(() => setNumberForm('point'));

test('what is left of a service’s day is written in the number form of whoever reads it', () => {
  const asked = { today: 1_004, perDay: 13_000, reserve: 1_300 };
  expect(askedText(asked)).toContain(
    '1,004 times today: 11,996 of 13,000 left until 00:00 UTC, the last 1,300 of them',
  );
  setNumberForm('comma');
  expect(askedText(asked)).toContain(
    '1.004 times today: 11.996 of 13.000 left until 00:00 UTC, the last 1.300 of them',
  );
});
