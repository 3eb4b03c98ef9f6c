import fc from 'fast-check';
import { expect, test } from 'vitest';
import { References } from '../../electron/book/references.ts';
import { CHAIN, folder, openBook } from './fixture.ts';

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

  /** Of one source, or of several. */
  hear(mid: string, heldBack: string | null = null, isCombined = false): void {
    this.#heard.set(mid, this.passed);
    this.references.record(CHAIN, new Map([[PAIR, { mid, time: this.now, heldBack }]]), () => isCombined);
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

test('what several sources come to now takes the place of what they came to before, also where it is of an older time', () => {
  const { references, now } = new World();
  const heard = (mid: string, time: number, heldBack: string | null = null) =>
    new Map([[PAIR, { mid, time, heldBack }]]);
  const midOf = () => references.of(CHAIN, PAIR);
  const isCombined = (pair: string) => pair === PAIR;
  references.record(CHAIN, heard('3000', now), isCombined);
  references.record(CHAIN, heard('2000', now - 1_500), () => false);
  expect(midOf(), 'an older word of one that takes nothing back').toMatchObject({ mid: '3000' });
  references.record(CHAIN, heard('2000', now - 1_500, 'more than 100 bps from 3000'), isCombined);
  expect(midOf()).toMatchObject({ mid: '2000', time: now - 1_500, heldBack: 'more than 100 bps from 3000' });
  references.record(CHAIN, heard('2001', now - 1_700), isCombined);
  expect(midOf()).toMatchObject({ mid: '2001', time: now - 1_700, heldBack: null });
});

test('the lowest and the highest of what was said before are told apart to the last digit', async () => {
  const { journal, clock } = await openBook(folder());
  const mids = ['3412.75', '3412.750000000000000001', '3412.749999999999999999', '3412.75'];
  for (const [index, mid] of mids.entries()) {
    const time = clock.now + index;
    await journal.put({ table: 'reference_samples', chainId: CHAIN, pair: PAIR, time, heard: time, mid });
  }
  expect(await journal.read.referenceSpan(CHAIN, PAIR, clock.now)).toEqual({
    low: '3412.749999999999999999',
    high: '3412.750000000000000001',
    last: '3412.75',
  });
});

test('where only what is to stand by a mid is held back it counts as where the market is, but the pair is not quoted by it', () => {
  const { references, chain, now } = new World();
  const said = { mid: '3000', time: now, heldBack: 'its draft cannot be read' };
  references.record(CHAIN, new Map([[PAIR, { ...said, isBelieved: true }]]));
  expect(references.freshUntil(chain, PAIR)).toBe(0);
  expect(references.midFreshUntil(chain, PAIR)).toBe(now + MAX_AGE);
  references.record(CHAIN, new Map([[PAIR, said]]));
  expect(references.midFreshUntil(chain, PAIR), 'what is not believed counts for nothing').toBe(0);
});

const aStep = fc.oneof(
  fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 30 * SECOND }) }),
  fc.record({ kind: fc.constant('set' as const), by: fc.integer({ min: -7_200 * SECOND, max: 7_200 * SECOND }) }),
  fc.record({ kind: fc.constant('hear' as const), isCombined: fc.boolean() }),
);

test('however our clock is set, a pair that was looked at in between is quoted by no word that is older than it may be', () => {
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 60 }), (steps) => {
      const world = new World();
      for (const [index, step] of steps.entries()) {
        if (step.kind === 'pass') world.pass(step.ms);
        else if (step.kind === 'set') world.now += step.by;
        else {
          world.hear(String(100 + index), null, step.isCombined);
          expect(world.references.of(CHAIN, PAIR)?.mid).toBe(String(100 + index));
        }
        // A desk looks many times a second.
        if (world.isQuoted()) expect(world.age()).toBeLessThanOrEqual(MAX_AGE);
      }
    }),
  );
});
