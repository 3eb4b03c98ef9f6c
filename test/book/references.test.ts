import fc from 'fast-check';
import { expect, test } from 'vitest';
import { References } from '../../electron/book/references.ts';
import { CHAIN } from './fixture.ts';

const PAIR = 'WETH/USDC';
const SECOND = 1_000;
const MAX_AGE = 20 * SECOND;

/** A reference, our clock, and the time that really passes, which nobody sets back. */
class World {
  now = 1_700_000_000_000;
  passed = 0;
  readonly #heard = new Map<string, number>();
  readonly references = new References(() => this.now);
  readonly chain = {
    chainId: CHAIN,
    config: { referenceUrl: 'http://127.0.0.1:1/reference', referenceMaxAgeSeconds: MAX_AGE / SECOND },
  } as unknown as Parameters<References['freshUntil']>[0];

  pass(ms: number): void {
    this.now += ms;
    this.passed += ms;
  }

  hear(mid: string, heldBack: string | null = null): void {
    this.#heard.set(mid, this.passed);
    this.references.record(CHAIN, new Map([[PAIR, { mid, time: this.now, heldBack }]]));
  }

  isQuoted(): boolean {
    return this.now <= (this.references.freshUntil(this.chain, PAIR) ?? 0);
  }

  /** How old what it is quoted by really is. */
  age(): number {
    return this.passed - (this.#heard.get(this.references.of(CHAIN, PAIR)?.mid ?? '') ?? Number.NaN);
  }
}

test('after our clock was set back the next word takes the place of what was heard before, and that is not fresh', () => {
  const world = new World();
  world.hear('100');
  world.now -= 3_600 * SECOND;
  expect(world.isQuoted()).toBe(false);
  expect(world.references.chainFreshUntil(world.chain)).toBeLessThan(world.now);
  world.pass(SECOND);
  world.hear('50');
  expect(world.references.of(CHAIN, PAIR)?.mid).toBe('50');
  expect(world.isQuoted()).toBe(true);
  world.hear('51', 'its sources are apart');
  expect(world.isQuoted()).toBe(false);
});

test('what was heard before our clock was set back is not fresh again once the clock has come to its time', () => {
  const world = new World();
  world.hear('100');
  world.now -= 60 * SECOND;
  expect(world.isQuoted()).toBe(false);
  world.pass(61 * SECOND);
  expect(world.isQuoted()).toBe(false);
});

const aStep = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 30 * SECOND }) }),
  fc.record({ kind: fc.constant('set' as const), by: fc.integer({ min: -7_200 * SECOND, max: 7_200 * SECOND }) }),
  fc.constant({ kind: 'hear' as const }),
);

test('however our clock is set, a pair that was looked at in between is quoted by no word that is older than it may be', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 60 }), (steps) => {
      const world = new World();
      for (const [index, step] of steps.entries()) {
        if (step.kind === 'pass') world.pass(step.ms);
        else if (step.kind === 'set') world.now += step.by;
        else {
          world.hear(String(100 + index));
          expect(world.references.of(CHAIN, PAIR)?.mid).toBe(String(100 + index));
        }
        // A desk looks many times a second.
        if (world.isQuoted()) expect(world.age()).toBeLessThanOrEqual(MAX_AGE);
      }
    }),
  );
});
