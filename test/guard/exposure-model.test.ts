import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChainWorld, RESERVE } from './chain-world.ts';

const picks = fc.array(fc.record({ which: fc.nat(), part: fc.nat({ max: 3 }), cancel: fc.boolean() }), {
  maxLength: 3,
});
const amount = fc.bigInt({ min: 1n, max: 400n });
const seconds = fc.nat({ max: 60 });
const deposit = fc.constantFrom(0n, 0n, 100n);

type Step = { (world: ChainWorld): void; [fc.toStringMethod]: () => string };
const named = (name: string, run: (world: ChainWorld) => void): Step =>
  Object.assign((world: ChainWorld) => run(world), { [fc.toStringMethod]: () => name });

const sign = amount.map((n) =>
  named(`sign ${n}`, (world) => {
    const { allowed, shouldBe } = world.sign(n);
    expect(allowed).toBe(shouldBe);
  }),
);
const settle = fc
  .tuple(fc.nat(), fc.nat({ max: 4 }))
  .map(([n, k]) => named(k === 0 ? `withhold ${n}` : `release ${n}`, (world) => world.settle(n, k === 0)));
const mine = fc
  .tuple(deposit, picks)
  .map(([n, chosen]) => named(`mine +${n} ${JSON.stringify(chosen)}`, (world) => world.mine(n, chosen)));
const look = fc.nat({ max: 2 }).map((n) => named(n > 0 ? 'look' : 'half a look', (world) => world.look(n > 0)));
const pass = seconds.map((n) => named(`${n} s pass`, (world) => world.pass(n)));
const reorganise = fc.nat({ max: 4 }).map((n) => named(`${n} blocks are gone`, (world) => world.reorganise(n)));

const step = fc.oneof(
  { weight: 6, arbitrary: sign },
  { weight: 5, arbitrary: settle },
  { weight: 5, arbitrary: mine },
  { weight: 5, arbitrary: look },
  { weight: 2, arbitrary: pass },
);

describe('exposure over random signing, filling, cancelling, expiring and looking', () => {
  it('leaves the maker more than the reserve, however and whenever takers fill', () => {
    const solvent = fc.property(fc.array(step, { maxLength: 200, size: 'max' }), (steps) => {
      const world = new ChainWorld();
      for (const act of steps) {
        act(world);
        expect(world.leftAtWorst()).toBeGreaterThan(RESERVE);
      }
    });
    return fc.assert(solvent, { numRuns: 500 });
  });

  it('agrees with a model that adds everything up from scratch, also over reorganisations', () => {
    const any = fc.oneof({ weight: 15, arbitrary: step }, { weight: 1, arbitrary: reorganise });
    const agrees = fc.property(fc.array(any, { maxLength: 200, size: 'max' }), (steps) => {
      const world = new ChainWorld();
      for (const act of steps) {
        act(world);
        expect(world.live).toBe(world.liveFromScratch());
      }
    });
    return fc.assert(agrees, { numRuns: 500 });
  });
});
