import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserRate } from '../../electron/guard/user-rate.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { address } from '../book/fixture.ts';

describe('quotes per user and minute', () => {
  it('are those of the last 60 seconds, whatever is forgotten in between', () => {
    const user = fc.constantFrom<Address>(address('1'), address('2'));
    const step = fc.record({ user, wait: fc.nat({ max: 30_000 }), forget: fc.boolean(), add: fc.boolean() });
    const same = fc.property(fc.array(step, { size: 'max', maxLength: 100 }), (steps) => {
      const rate = new UserRate();
      const all: { user: Address; time: number }[] = [];
      let now = 1_000_000;
      for (const { user, wait, forget, add } of steps) {
        now += wait;
        if (forget) rate.forget(now);
        expect(rate.count({ user }, now)).toBe(
          all.filter((one) => one.user === user && now - one.time < 60_000).length,
        );
        if (!add) continue;
        rate.add({ user }, now);
        all.push({ user, time: now });
      }
    });
    return fc.assert(same);
  });
});
