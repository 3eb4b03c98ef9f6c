import * as fc from 'fast-check';
import { expect } from 'vitest';
import { happenings, named, type Step } from '../chain-steps.ts';
import { ETHER } from '../quoting/open-desk.ts';
import { SolvencyWorld } from './solvency-world.ts';

const sign = fc
  .integer({ min: 1, max: 60 })
  .map((tenths) =>
    named(`sign ${tenths / 10} WETH`, (world: SolvencyWorld) => world.sign((BigInt(tenths) * ETHER) / 10n)),
  );
const restart = fc
  .constantFrom('closed' as const, 'killed' as const)
  .map((how) => named(`${how} and started again`, (world: SolvencyWorld) => world.restart(how)));
const keep = fc.constant(named('the folder is copied', (world: SolvencyWorld) => world.keep()));
const damage = fc
  .record({
    what: fc.oneof(fc.constantFrom('nothing' as const, 'folder', 'folder', 'journal'), fc.integer({ min: 1, max: 8 })),
    without: fc.subarray(['journal.head' as const, 'witness' as const]),
  })
  .map((done) => named(`put back or damaged: ${JSON.stringify(done)}`, (world: SolvencyWorld) => world.damage(done)));
const step = fc.oneof<fc.MaybeWeightedArbitrary<Step<SolvencyWorld>>[]>(
  ...happenings,
  { weight: 8, arbitrary: sign },
  { weight: 1, arbitrary: restart },
  { weight: 1, arbitrary: keep },
  { weight: 1, arbitrary: damage },
);

/**
 * Runs so many random sequences; after each step the maker can pay for everything that can really be filled. Half of the
 * desks have signed before the first step, since a desk that signs nothing is solvent as well.
 */
export async function expectSolvent(runs: number): Promise<void> {
  const sequence = fc.array(step, { minLength: 10, maxLength: 50, size: 'max' });
  const solvent = fc.asyncProperty(fc.boolean(), sequence, async (signsFirst, steps) => {
    const world = await SolvencyWorld.begin();
    try {
      if (signsFirst) {
        await world.sign(ETHER);
        expect(world.orders).toHaveLength(1);
      }
      for (const act of steps) {
        await act(world);
        expect(world.leftAtWorst()).toBeGreaterThan(0n);
      }
    } finally {
      await world.end();
    }
  });
  await fc.assert(solvent, { numRuns: runs, endOnFailure: true });
}
