import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { named, picks } from '../chain-steps.ts';
import { howOften } from '../how-often.ts';
import { ChainWorld, RESERVE } from './chain-world.ts';

const amount = fc.bigInt({ min: 1n, max: 400n });
const seconds = fc.nat({ max: 60 });
const deposit = fc.constantFrom(0n, 0n, 100n);
const approved = fc.constantFrom(0n, 0n, 0n, 700n, 5_000n);
/** What the maker allows at first: less than it has, as much, or more. */
const allowances = fc.constantFrom(300n, 999n, 1_000n, 10_000n);

const sign = amount.map((n) =>
  named(`sign ${n}`, (world: ChainWorld) => {
    const { allowed, shouldBe } = world.sign(n);
    if (!world.restarted) expect(allowed).toBe(shouldBe);
  }),
);
const settle = fc
  .tuple(fc.nat(), fc.nat({ max: 4 }))
  .map(([n, k]) => named(k === 0 ? `withhold ${n}` : `release ${n}`, (world: ChainWorld) => world.settle(n, k === 0)));
const mine = fc
  .tuple(fc.record({ deposit, approved }), picks, fc.constantFrom(0, 0, 12, 50, 100))
  .map(([{ deposit: got, approved: allows }, chosen, lag]) =>
    named(`mine +${got}, allow ${allows}, ${JSON.stringify(chosen)} ${lag} s late`, (world: ChainWorld) =>
      world.mine({ deposit: got, approved: allows }, chosen, lag),
    ),
  );
const look = fc
  .nat({ max: 2 })
  .map((n) => named(n > 0 ? 'look' : 'half a look', (world: ChainWorld) => world.look(n > 0)));
const pass = seconds.map((n) => named(`${n} s pass`, (world: ChainWorld) => world.pass(n)));
const setClock = fc
  .constantFrom(-3_600, -100, -20, 0, 0, 20, 100, 200, 3_600)
  .map((skew) => named(`our clock is ${skew} s ahead`, (world: ChainWorld) => world.setClock(skew)));
/** Where our own clock is wrong as well, the node does not lie in the same direction: what both say is believed. */
const lie = fc
  .constantFrom(-3_600, -60, -1, 200, 1_000, 3_600)
  .map((by) =>
    named(`look at a head ${by} s off`, (world: ChainWorld) => world.look(true, by < 0 || world.clockIsRight ? by : 0)),
  );
const restart = fc.constant(named('restart', (world: ChainWorld) => world.restart()));
const reorganise = fc
  .nat({ max: 4 })
  .map((n) => named(`${n} blocks are gone`, (world: ChainWorld) => world.reorganise(n)));

const step = fc.oneof(
  { weight: 6, arbitrary: sign },
  { weight: 5, arbitrary: settle },
  { weight: 5, arbitrary: mine },
  { weight: 5, arbitrary: look },
  { weight: 2, arbitrary: pass },
);

const trouble = fc.oneof(
  { weight: 15, arbitrary: step },
  { weight: 2, arbitrary: lie },
  { weight: 1, arbitrary: setClock },
);

it('a block from the future ends nothing, also when our own clock is set to its time before the next look', () => {
  const world = new ChainWorld();
  world.sign(400n);
  world.settle(0, false);
  world.look(true, 3_600);
  world.setClock(3_600);
  expect(world.live).toBe(400n);
  world.setClock(0);
  world.look(true);
  expect(world.live).toBe(400n);
});

describe('exposure over random signing, filling, cancelling, expiring and looking', () => {
  it('leaves the maker more than the reserve, however and whenever takers fill', () => {
    const solvent = fc.property(allowances, fc.array(step, { maxLength: 200, size: 'max' }), (allowance, steps) => {
      const world = new ChainWorld(allowance);
      for (const act of steps) {
        act(world);
        expect(world.leftAtWorst()).toBeGreaterThan(RESERVE);
      }
    });
    return fc.assert(solvent, { numRuns: howOften(100, 2_000) });
  });

  it('leaves as much when the node lies about time, our clock is set and the desk restarts', () => {
    const any = fc.oneof({ weight: 15, arbitrary: trouble }, { weight: 1, arbitrary: restart });
    const solvent = fc.property(allowances, fc.array(any, { maxLength: 200, size: 'max' }), (allowance, steps) => {
      const world = new ChainWorld(allowance);
      for (const act of steps) {
        act(world);
        expect(world.leftAtWorst()).toBeGreaterThan(RESERVE);
      }
    });
    return fc.assert(solvent, { numRuns: howOften(150, 3_000) });
  });

  it('agrees with a model that adds everything up from scratch, also over reorganisations', () => {
    const any = fc.oneof({ weight: 15, arbitrary: trouble }, { weight: 1, arbitrary: reorganise });
    const agrees = fc.property(allowances, fc.array(any, { maxLength: 200, size: 'max' }), (allowance, steps) => {
      const world = new ChainWorld(allowance);
      for (const act of steps) {
        act(world);
        expect(world.live).toBe(world.liveFromScratch());
      }
    });
    return fc.assert(agrees, { numRuns: howOften(100, 2_000) });
  });
});
