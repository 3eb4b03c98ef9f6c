import { expect, test } from 'vitest';
import { madePassphrase, strengthOf } from '../../renderer/pages/first-start/passphrase-strength.ts';

test.each(['', 'aaaaaaaaaaaaaaaaaaaa', '123456789012', 'abcdefghijklmnop', 'password'])(
  '“%s” is weak',
  (passphrase) => {
    expect(strengthOf(passphrase).word).toBe('Weak');
  },
);

test('longer and more mixed is stronger, and the meter never passes its end', () => {
  expect(strengthOf('horse stable').word).toBe('Fair');
  expect(strengthOf('correct horse battery staple').word).toBe('Strong');
  expect(strengthOf('x7Q-'.repeat(200)).meter).toBeLessThanOrEqual(100);
});

test('one that is made is strong, never the same, and in groups that can be written down', () => {
  const made = Array.from({ length: 50 }, madePassphrase);
  expect(new Set(made).size).toBe(50);
  for (const passphrase of made) {
    expect(passphrase).toMatch(/^([a-km-np-z2-9]{4}-){5}[a-km-np-z2-9]{4}$/);
    expect(strengthOf(passphrase).word).toBe('Strong');
  }
});
