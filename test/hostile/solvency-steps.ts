import * as fc from 'fast-check';
import { expect } from 'vitest';
import { ETHER } from '../quoting/open-desk.ts';
import { type Lie, SolvencyWorld } from './solvency-world.ts';

type Step = { (world: SolvencyWorld): void | Promise<void>; [fc.toStringMethod]: () => string };
const named = (name: string, run: (world: SolvencyWorld) => void | Promise<void>): Step =>
  Object.assign((world: SolvencyWorld) => run(world), { [fc.toStringMethod]: () => name });

const picks = fc.array(fc.record({ which: fc.nat(), part: fc.nat({ max: 3 }), cancel: fc.boolean() }), {
  maxLength: 3,
});
const sign = fc
  .integer({ min: 1, max: 60 })
  .map((tenths) => named(`sign ${tenths / 10} WETH`, (world) => world.sign((BigInt(tenths) * ETHER) / 10n)));
const mine = fc
  .tuple(fc.constantFrom(1, 1, 2, 5, 40, 90), picks)
  .map(([blocks, chosen]) => named(`mine ${blocks} ${JSON.stringify(chosen)}`, (world) => world.mine(blocks, chosen)));
const look = fc.constant(named('look', (world) => world.look()));
const lie = fc
  .oneof(
    fc.constantFrom<Lie>({ kind: 'silent' }, { kind: 'another' }, { kind: 'swept' }),
    fc.record({ kind: fc.constantFrom('branch' as const, 'behind' as const), depth: fc.integer({ min: 1, max: 120 }) }),
    fc.record({ kind: fc.constant('time' as const), seconds: fc.constantFrom(-3_600, -50, 200, 3_600) }),
  )
  .map((told) =>
    named(`the node lies: ${JSON.stringify(told)}`, async (world) => {
      // With our own clock wrong in the same direction both would say the same, and that is believed.
      if (told.kind === 'time' && told.seconds > 0 && !world.clockIsRight) return;
      world.lie(told);
      await world.look();
    }),
  );
const honest = fc.constant(named('the node is honest', (world) => world.lie({ kind: 'none' })));
const setClock = fc.constantFrom(-3_600, -100, 0, 0, 100, 3_600).map((skew) =>
  named(`our clock is ${skew} s ahead`, (world) => {
    world.lie({ kind: 'none' });
    world.setClock(skew);
  }),
);
const restart = fc
  .constantFrom('closed' as const, 'killed' as const)
  .map((how) => named(`${how} and started again`, (world) => world.restart(how)));
const keep = fc.constant(named('the folder is copied', (world) => world.keep()));
const damage = fc
  .record({
    what: fc.oneof(fc.constantFrom('nothing' as const, 'folder', 'folder', 'journal'), fc.integer({ min: 1, max: 8 })),
    without: fc.subarray(['journal.head' as const, 'witness' as const]),
  })
  .map((done) => named(`put back or damaged: ${JSON.stringify(done)}`, (world) => world.damage(done)));
const resume = fc.constant(named('resume', (world) => world.resume()));

const step = fc.oneof(
  { weight: 8, arbitrary: sign },
  { weight: 4, arbitrary: mine },
  { weight: 6, arbitrary: look },
  { weight: 2, arbitrary: lie },
  { weight: 3, arbitrary: honest },
  { weight: 1, arbitrary: setClock },
  { weight: 1, arbitrary: restart },
  { weight: 1, arbitrary: keep },
  { weight: 1, arbitrary: damage },
  { weight: 2, arbitrary: resume },
);

/** Runs so many random sequences; after each step the maker can pay for everything that can really be filled. */
export async function expectSolvent(runs: number): Promise<void> {
  let signed = 0;
  const solvent = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50, size: 'max' }), async (steps) => {
    const world = await SolvencyWorld.begin();
    try {
      for (const act of steps) {
        await act(world);
        expect(world.leftAtWorst()).toBeGreaterThan(0n);
      }
      signed += world.orders.length;
    } finally {
      await world.end();
    }
  });
  await fc.assert(solvent, { numRuns: runs, endOnFailure: true });
  // A desk that signs nothing is solvent as well.
  expect(signed).toBeGreaterThan(runs);
}
