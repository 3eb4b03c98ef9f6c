import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CoolDown } from '../../electron/book/reference-cool-down.ts';
import { References } from '../../electron/book/references.ts';
import { howOften } from '../how-often.ts';
import { CHAIN } from './fixture.ts';

const PAIR = 'WETH/USDC';
const SECOND = 1_000;
const MAX_AGE = 20 * SECOND;
const COOL_DOWN = 10 * SECOND;
const BEGAN = 1_700_000_000_000;

/** A pair, its reference, and a clock that a test moves. */
class World {
  readonly references = new References(() => this.now);
  readonly chain = {
    chainId: CHAIN,
    config: {
      referenceUrl: 'http://127.0.0.1:1/reference',
      referenceMaxAgeSeconds: MAX_AGE / SECOND,
      referenceCoolDownSeconds: COOL_DOWN / SECOND,
    },
  } as unknown as Parameters<References['freshUntil']>[0];
  readonly #coolDown = new CoolDown();
  now = BEGAN;

  /** The reference says something that is so old, milliseconds. Answers until when the pair waits. */
  hear(age: number): number | null {
    const said = { mid: '3412.5', time: this.now - age };
    const until = this.#coolDown.waitsUntil(this.chain, PAIR, this.references.of(CHAIN, PAIR), said, this.now);
    this.references.record(CHAIN, new Map([[PAIR, { ...said, heldBack: until === null ? null : 'it waits' }]]));
    return until;
  }

  isQuoted(): boolean {
    return this.now <= (this.references.freshUntil(this.chain, PAIR) ?? 0);
  }
}

const aStep = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 30 * SECOND }) }),
  fc.record({ kind: fc.constant('hear' as const), age: fc.integer({ min: 0, max: 25 * SECOND }) }),
  fc.constant({ kind: 'hear' as const, age: 0 }),
);

test('a pair whose reference was too old is quoted again exactly when it has been fresh for the whole of the set time', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 60 }), (steps) => {
      const world = new World();
      let [last, freshSince, wasOff] = [Number.NaN, Number.NaN, false];
      for (const step of steps) {
        if (step.kind === 'pass') world.now += step.ms;
        else {
          world.hear(step.age);
          last = Math.max(Number.isNaN(last) ? 0 : last, world.now - step.age);
        }
        const isFresh = world.now <= last + MAX_AGE;
        if (!isFresh && !Number.isNaN(last)) wasOff = true;
        freshSince = isFresh ? (Number.isNaN(freshSince) ? world.now : freshSince) : Number.NaN;
        const mayBeQuoted = isFresh && (!wasOff || world.now - freshSince >= COOL_DOWN);
        if (world.isQuoted()) expect(mayBeQuoted).toBe(true);
        else if (step.kind === 'hear' && step.age === 0) expect(mayBeQuoted).toBe(false);
      }
    }),
    { numRuns: howOften(300, 10_000) },
  );
});

test('a reference that speaks once every now and then opens nothing', () => {
  const world = new World();
  world.hear(0);
  expect(world.isQuoted()).toBe(true);
  for (let round = 0; round < 5; round += 1) {
    world.now += MAX_AGE + 1;
    expect(world.isQuoted()).toBe(false);
    expect(world.hear(0)).toBe(world.now + COOL_DOWN);
    expect(world.isQuoted()).toBe(false);
  }
});

test('a clock that is set back makes no pair wait for longer than the set time', () => {
  const world = new World();
  world.hear(0);
  world.now += MAX_AGE + 1;
  world.hear(0);
  world.now -= 3_600 * SECOND;
  expect(world.hear(0)).toBe(world.now + COOL_DOWN);
});
