import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  combineSources,
  type ReferenceRule,
  referenceLine,
  ruleOf,
  type Voice,
} from '../../../electron/book/combine-sources.ts';
import { HeardSource } from '../../../electron/book/sources/heard-source.ts';
import { howOften } from '../../how-often.ts';

/** Prices in the properties are whole ten-thousandths, so that the oracle needs nothing but whole numbers. */
const UNIT = 10_000n;
const SECOND = 1_000;
const NAMES = ['a', 'b', 'c', 'd'];
const PAIR = 'WETH/USDC';

const rule = (changes: Partial<ReferenceRule> = {}): ReferenceRule => ({
  sources: NAMES.slice(0, 3),
  rule: 'median',
  atLeast: 2,
  upToSeconds: 5,
  apartBps: 0,
  whenApart: 'closes',
  ...changes,
});
const voice = (name: string, bid: string, ask: string, time = 0): Voice => ({ name, price: { bid, ask, time } });
const mid = (name: string, price: string, time = 0) => voice(name, price, price, time);

it('the median of two is half-way between them, of three the middle one, of four half-way between the middle two', () => {
  const of = (...prices: string[]) => {
    const voices = prices.map((price, index) => mid(NAMES[index] ?? '', price));
    return combineSources(rule({ sources: NAMES }), voices, 0)?.mid;
  };
  expect(of('3411', '3410')).toBe('3410.5');
  expect(of('3411', '3400', '3412')).toBe('3411');
  expect(of('3411', '3400', '9999', '3412')).toBe('3411.5');
});

it('the first that is fresh is the price, and the next one once it is too old', () => {
  const first = rule({ rule: 'first', atLeast: 1 });
  const voices = [mid('a', '10', 0), mid('b', '11', 2 * SECOND)];
  expect(combineSources(first, voices, 5 * SECOND)?.mid).toBe('10');
  expect(combineSources(first, voices, 5 * SECOND + 1)).toMatchObject({ mid: '11', unsure: null });
  expect(combineSources(first, voices, 7 * SECOND + 1)?.unsure).toEqual({
    why: 'few',
    sentence: 'one source is needed that is up to 5 s old, and none is',
  });
});

it('the price is as old as the oldest word that it is made of, however new the words are that it is not', () => {
  const voices = [voice('a', '10', '12', 1_000), voice('b', '11', '13', 3_000), voice('c', '9', '10', 2_000)];
  const of = (changes: Partial<ReferenceRule>, now = 4_000) => combineSources(rule(changes), voices, now);
  expect(of({ rule: 'first', atLeast: 1 })).toMatchObject({ mid: '11', time: 3_000, midTime: 1_000 });
  expect(of({ rule: 'median' })).toMatchObject({ mid: '11', time: 2_000, midTime: 1_000 });
  expect(of({ rule: 'widest' })).toMatchObject({ mid: '11', time: 2_000, midTime: 2_000 });
  expect(of({ rule: 'median', sources: NAMES.slice(1, 3) })).toMatchObject({ midTime: 1_000 });
  expect(of({ rule: 'first' }, 60_000)).toMatchObject({ mid: '12', midTime: 3_000, unsure: { why: 'few' } });
});

it('the widest is half-way between the lowest bid and the highest ask, whoever says them', () => {
  const voices = [voice('a', '3410', '3412'), voice('b', '3409', '3410'), voice('c', '3411', '3415')];
  expect(combineSources(rule({ rule: 'widest' }), voices, 0)?.mid).toBe('3412');
});

it('sources further apart than their limit are not relied on, and the sentence says which two and what they say; not one tick before', () => {
  const voices = (high: string) => [mid('a', '10000', 1), mid('b', high, 2), mid('c', '10001', 3)];
  expect(combineSources(rule({ apartBps: 15 }), voices('10015'), 5)).toMatchObject({ time: 2, unsure: null });
  expect(combineSources(rule({ apartBps: 15 }), voices('10015.00000001'), 5)?.unsure).toEqual({
    why: 'apart',
    sentence: 'its sources are more than 15 bps apart: a says 10000, b 10015.00000001',
  });
});

it('a word of before our clock was set back tells nobody the age of the price while another is fresh', () => {
  const voices = [mid('a', '10', 9_000), mid('b', '11', 90_000)];
  expect(combineSources(rule({ rule: 'first', atLeast: 1 }), voices, 10_000)).toMatchObject({ mid: '10', time: 9_000 });
});

it('what was heard before our clock was set back is not fresh, and the next word counts though it is older', () => {
  let now = 60 * SECOND;
  const heard = new HeardSource({ chainId: 1, name: 'a', kind: 'http', url: null }, { now: () => now });
  const say = (price: string) => heard.heard(new Map([[PAIR, { bid: price, ask: price, time: now }]]));
  const one = rule({ rule: 'first', sources: ['a'], atLeast: 1 });
  const combined = () => combineSources(one, [{ name: 'a', price: heard.of(PAIR) }], now);
  say('10');
  now = 50 * SECOND;
  expect(combined()?.unsure?.why).toBe('few');
  say('11');
  expect(combined()).toMatchObject({ mid: '11', unsure: null });
});

it('nothing is said of a pair before as many sources as are needed have spoken, and the line says who has not', () => {
  expect(combineSources(rule(), [mid('a', '10'), { name: 'b', price: undefined }], 0)).toBeNull();
  const config = { referenceUrl: null, referenceMaxAgeSeconds: 20, references: { [PAIR]: rule() } };
  const line = referenceLine({ chainId: 1, config }, PAIR, (name) => ({ name, price: undefined }), 0);
  expect(line).toMatchObject({ mid: null, why: 'a and b and c have said nothing yet, and 2 sources are needed' });
});

it('the line of a pair tells of each source what it is in the price, and how far it stands from it', () => {
  const config = { referenceUrl: null, referenceMaxAgeSeconds: 20, references: { [PAIR]: rule({ sources: NAMES }) } };
  const said = new Map(
    [mid('a', '10000', 9_000), mid('b', '10010', 9_000), mid('c', '9999', 9_500), mid('d', '10005', 0)].map((one) => [
      one.name,
      one,
    ]),
  );
  const line = referenceLine({ chainId: 1, config }, PAIR, (name) => said.get(name) as Voice, 10_000);
  expect(line).toMatchObject({ mid: '10000', apartTenthBps: 111, why: null });
  expect(line?.sources.map(({ name, use, offTenthBps }) => [name, use, offTenthBps])).toEqual([
    ['a', 'mid', 0],
    ['b', 'counted', 100],
    ['c', 'counted', -10],
    ['d', 'old', 50],
  ]);
});

it('what a rule leaves out is one source for the first, two for the others, and half the age that a reference may have', () => {
  const of = (named: object) =>
    ruleOf(
      {
        referenceUrl: null,
        referenceMaxAgeSeconds: 21,
        references: { [PAIR]: { ...rule(), atLeast: undefined, upToSeconds: undefined, ...named } },
      },
      PAIR,
    );
  expect(of({ rule: 'first' })).toMatchObject({ atLeast: 1, upToSeconds: 11 });
  expect(of({ rule: 'median' })).toMatchObject({ atLeast: 2 });
  expect(of({ rule: 'widest', sources: ['a'] })).toMatchObject({ atLeast: 1 });
  expect(ruleOf({ referenceUrl: 'http://a', referenceMaxAgeSeconds: 20, references: {} }, 'constructor')).toBeNull();
});

const aRule = fc.record({
  rule: fc.constantFrom('first' as const, 'median' as const, 'widest' as const),
  sources: fc.integer({ min: 1, max: 4 }).map((count) => NAMES.slice(0, count)),
  atLeast: fc.integer({ min: 1, max: 4 }),
  apartBps: fc.constantFrom(0, 1, 15, 500, 10_000),
  upToSeconds: fc.integer({ min: 1, max: 6 }),
});
const aStep = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      of: fc.constantFrom(...NAMES),
      bid: fc.integer({ min: 1, max: 400_000 }),
      width: fc.integer({ min: 0, max: 2_000 }),
      age: fc.integer({ min: 0, max: 4_000 }),
    }),
  },
  fc.record({ pass: fc.integer({ min: 0, max: 3_000 }) }),
);

type Known = { bid: bigint; ask: bigint; time: number };

/** By whole numbers alone: the price as a fraction, who is fresh, and whether two are apart. */
function oracle(named: ReferenceRule, known: ReadonlyMap<string, Known>, now: number) {
  const spoken = named.sources.flatMap((name) => known.get(name) ?? []);
  const time = spoken.map((one) => one.time).sort((a, b) => b - a)[named.atLeast - 1];
  if (time === undefined) return null;
  const fresh = spoken.filter((one) => one.time >= now - named.upToSeconds * SECOND);
  const doubled = fresh.map(({ bid, ask }) => bid + ask).sort((a, b) => (a < b ? -1 : 1));
  const [low, high] = [doubled[0] ?? 0n, doubled.at(-1) ?? 0n];
  const few = fresh.length < named.atLeast;
  const apart = !few && named.apartBps > 0 && (high - low) * 10_000n > BigInt(named.apartBps) * low;
  const half = doubled.length / 2;
  const numerators = {
    first: 2n * ((fresh[0]?.bid ?? 0n) + (fresh[0]?.ask ?? 0n)),
    median: (doubled[Math.ceil(half) - 1] ?? 0n) + (doubled[Math.floor(half)] ?? 0n),
    widest:
      2n *
      (fresh.map(({ bid }) => bid).reduce((a, b) => (a < b ? a : b), 10n ** 18n) +
        fresh.map(({ ask }) => ask).reduce((a, b) => (a > b ? a : b), 0n)),
  };
  return { why: few ? 'few' : apart ? 'apart' : null, time, mid: fresh.length === 0 ? null : numerators[named.rule] };
}

const text = (units: bigint) => `${units / UNIT}.${String(units % UNIT).padStart(4, '0')}`;

/** A decimal with at most so many places, times four units. */
function quadrupled(price: string): bigint {
  const [whole = '', fraction = ''] = price.split('.');
  return (BigInt(whole + fraction.padEnd(8, '0')) * 4n * UNIT) / 10n ** 8n;
}

it('whatever sources say in whatever order, what they come to is what an oracle of whole numbers says, and its time never runs back', () => {
  fc.assert(
    fc.property(aRule, fc.array(aStep, { maxLength: 40 }), (named, steps) => {
      const of = rule({ ...named, atLeast: Math.min(named.atLeast, named.sources.length) });
      let now = 1_000_000;
      let last = 0;
      const heard = new Map(
        NAMES.map((name) => [name, new HeardSource({ chainId: 1, name, kind: 'http', url: null }, { now: () => now })]),
      );
      const known = new Map<string, Known>();
      for (const step of steps) {
        if ('pass' in step) now += step.pass;
        else {
          const [bid, ask, time] = [BigInt(step.bid), BigInt(step.bid + step.width), now - step.age];
          heard.get(step.of)?.heard(new Map([[PAIR, { bid: text(bid), ask: text(ask), time }]]));
          if (time >= (known.get(step.of)?.time ?? 0)) known.set(step.of, { bid, ask, time });
        }
        const voices = of.sources.map((name) => ({ name, price: heard.get(name)?.of(PAIR) }));
        const combined = combineSources(of, voices, now);
        const expected = oracle(of, known, now);
        expect(combined?.unsure?.why ?? null).toBe(expected?.why ?? null);
        expect(combined?.time ?? null).toBe(expected?.time ?? null);
        if (expected?.mid != null) expect(quadrupled(combined?.mid ?? '0')).toBe(expected.mid);
        expect(combined?.time ?? last).toBeGreaterThanOrEqual(last);
        last = combined?.time ?? last;
      }
    }),
    { numRuns: howOften(1_000, 20_000) },
  );
});
