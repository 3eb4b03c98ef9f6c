import * as fc from 'fast-check';
import type { Lie, Pick } from './true-chain.ts';

/** Something that may happen in a model, with words for a sequence that fails. */
export type Step<World> = { (world: World): void | Promise<void>; [fc.toStringMethod]: () => string };

export function named<World>(name: string, run: (world: World) => void | Promise<void>): Step<World> {
  return Object.assign((world: World) => run(world), { [fc.toStringMethod]: () => name });
}

/** What takers do in a block. */
export const picks: fc.Arbitrary<Pick[]> = fc.array(
  fc.record({ which: fc.nat(), part: fc.nat({ max: 3 }), cancel: fc.boolean() }),
  { maxLength: 3 },
);

/** A desk that knows only a node, which may lie. */
export interface LiedTo {
  readonly clockIsRight: boolean;
  mine(blocks: number, picks: readonly Pick[]): void;
  look(): Promise<void>;
  lie(lie: Lie): void;
  setClock(skew: number): void;
  resume(): void | Promise<void>;
}

const lies = fc.oneof(
  fc.constantFrom<Lie>({ kind: 'silent' }, { kind: 'another' }, { kind: 'swept' }),
  fc.record({ kind: fc.constantFrom('branch' as const, 'behind' as const), depth: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ kind: fc.constant('time' as const), seconds: fc.constantFrom(-3_600, -50, 200, 3_600) }),
);

/** What happens to such a desk beside what it is asked to sign, and how often beside the others. */
export const happenings: { weight: number; arbitrary: fc.Arbitrary<Step<LiedTo>> }[] = [
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(1, 1, 2, 5, 40, 90), picks)
      .map(([blocks, chosen]) =>
        named(`mine ${blocks} ${JSON.stringify(chosen)}`, (world) => world.mine(blocks, chosen)),
      ),
  },
  { weight: 6, arbitrary: fc.constant(named('look', (world) => world.look())) },
  {
    weight: 2,
    arbitrary: lies.map((told) =>
      named(`the node lies: ${JSON.stringify(told)}`, async (world) => {
        // With our own clock wrong in the same direction both would say the same, and that is believed.
        if (told.kind === 'time' && told.seconds > 0 && !world.clockIsRight) return;
        world.lie(told);
        await world.look();
      }),
    ),
  },
  { weight: 3, arbitrary: fc.constant(named('the node is honest', (world) => world.lie({ kind: 'none' }))) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(-3_600, -100, 0, 0, 100, 3_600).map((skew) =>
      named(`our clock is ${skew} s ahead`, (world) => {
        world.lie({ kind: 'none' });
        world.setClock(skew);
      }),
    ),
  },
  { weight: 2, arbitrary: fc.constant(named('resume', (world) => world.resume())) },
];
