import * as fc from 'fast-check';
import { type Formula, formulaOf } from '../../electron/contract/formula.ts';
import { CHAIN, DAI, USDC, USER, WETH } from '../book/fixture.ts';
import { DOLLAR, ETHER, firm, type OpenDesk, openDesk, person, request, seen, TAKER } from './open-desk.ts';

export const PAIR = 'WETH/USDC';
const OTHER = `0x${'7'.repeat(40)}`;
export const LADDER = {
  bids: [
    ['3412.50', '1'],
    ['3412.00', '2.5'],
  ],
  asks: [
    ['3413.00', '1.25'],
    ['3414.40', '3'],
  ],
};

export const FORMULA: Formula = {
  spreadBps: '4',
  tick: '0.01',
  bids: { size: '1', levels: 3, stepBps: '1' },
  asks: { size: '1', levels: 2, stepBps: '1.5', sizeFactor: '2' },
  inventory: { target: '0', limit: '5', bpsPerUnit: '0.25' },
};

/** What happens at a desk: callers ask, people change something and wait for it or do not, time passes, balances move. */
export type Step =
  | { do: 'ask'; maker: 'WETH' | 'USDC' | 'DAI'; given: 'makerAmount' | 'takerAmount'; share: number; other: boolean }
  | { do: 'price'; cents: number; wait: boolean }
  | { do: 'follow'; cents: number; wait: boolean }
  | { do: 'formula'; cents: number; position: number; stays: boolean; wait: boolean }
  | { do: 'limits'; maxQuote: number; outstanding: number; perMinute: number; wait: boolean }
  | { do: 'switch'; scope: 'desk' | 'chain' | 'pair' | 'asks'; on: boolean; wait: boolean }
  | { do: 'blacklist'; on: boolean; onlyHere: boolean; wait: boolean }
  | { do: 'taker'; taken: boolean; wait: boolean }
  | { do: 'pass'; milliseconds: number }
  | { do: 'balance'; ethers: number };

const wait = fc.boolean();
const ask = fc.record({
  do: fc.constant('ask' as const),
  maker: fc.constantFrom('WETH', 'WETH', 'USDC', 'USDC', 'DAI'),
  given: fc.constantFrom('makerAmount', 'takerAmount'),
  /** Of a million of what the ladder has, or so. */
  share: fc.oneof(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 1, max: 3_000_000 })),
  other: fc.boolean(),
});
const cents = fc.integer({ min: -500, max: 500 });
const change = fc.oneof(
  fc.record({ do: fc.constant('price' as const), cents, wait }),
  fc.record({ do: fc.constant('follow' as const), cents, wait }),
  fc.record({
    do: fc.constant('formula' as const),
    cents,
    position: fc.integer({ min: -6, max: 6 }),
    stays: fc.constantFrom(true, true, false),
    wait,
  }),
  fc.record({
    do: fc.constant('limits' as const),
    maxQuote: fc.constantFrom(0, 1, 2),
    outstanding: fc.constantFrom(0, 0, 3),
    perMinute: fc.constantFrom(0, 0, 2),
    wait,
  }),
  fc.record({
    do: fc.constant('switch' as const),
    scope: fc.constantFrom('desk', 'chain', 'pair', 'asks'),
    on: fc.constantFrom(false, true, true, true),
    wait,
  }),
  fc.record({ do: fc.constant('blacklist' as const), on: fc.boolean(), onlyHere: fc.boolean(), wait }),
  fc.record({ do: fc.constant('taker' as const), taken: fc.boolean(), wait }),
  fc.record({ do: fc.constant('pass' as const), milliseconds: fc.constantFrom(1, 250, 1_500, 20_000, 61_000) }),
  fc.record({ do: fc.constant('balance' as const), ethers: fc.constantFrom(1, 2, 3, 1_000) }),
);

/** A short day at a desk, with more asking than changing. */
export const session: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 3, arbitrary: ask }, { weight: 2, arbitrary: change }),
  { minLength: 10, maxLength: 40, size: 'max' },
);

const EVEN = { do: 'ask', given: 'makerAmount', share: 100_000, other: false } as const;
const USUAL = { do: 'limits', maxQuote: 0, outstanding: 0, perMinute: 0, wait: true } as const;
const resumed = (scope: 'desk' | 'chain' | 'pair' | 'asks') => ({ do: 'switch', scope, on: true, wait: true }) as const;

/** Quotes, and refusals of the common kinds. */
export const EVERY_KIND: readonly Step[] = [
  ...(['asks', 'pair', 'chain', 'desk'] as const).map(resumed),
  { do: 'balance', ethers: 1_000 },
  { do: 'blacklist', on: false, onlyHere: false, wait: true },
  { do: 'taker', taken: true, wait: true },
  USUAL,
  { do: 'pass', milliseconds: 61_000 },
  { do: 'follow', cents: 0, wait: true },
  ...Array.from({ length: 8 }, (_, n): Step => ({ ...EVEN, maker: n % 2 === 0 ? 'WETH' : 'USDC' })),
  { ...EVEN, maker: 'DAI' },
  { ...EVEN, maker: 'WETH', share: 90_000_000 },
  { do: 'price', cents: 400, wait: true },
  { ...EVEN, maker: 'WETH' },
  { ...USUAL, maxQuote: 1 },
  { ...EVEN, maker: 'WETH', share: 1_100_000 },
  { ...USUAL, perMinute: 2 },
  { do: 'pass', milliseconds: 61_000 },
  ...Array.from({ length: 3 }, (): Step => ({ ...EVEN, maker: 'WETH' })),
  USUAL,
  { do: 'taker', taken: false, wait: true },
  { ...EVEN, maker: 'WETH' },
  { do: 'taker', taken: true, wait: true },
  { do: 'switch', scope: 'asks', on: false, wait: true },
  { ...EVEN, maker: 'WETH' },
  { ...EVEN, maker: 'USDC' },
  resumed('asks'),
  { do: 'switch', scope: 'desk', on: false, wait: true },
  { ...EVEN, maker: 'WETH' },
  resumed('desk'),
  { do: 'blacklist', on: true, onlyHere: false, wait: true },
  { ...EVEN, maker: 'WETH' },
  { do: 'blacklist', on: false, onlyHere: false, wait: true },
  { do: 'balance', ethers: 1 },
  { ...EVEN, maker: 'WETH', share: 1_100_000 },
  { do: 'balance', ethers: 1_000 },
  ...Array.from(
    { length: 12 },
    (_, n): Step => ({ ...EVEN, maker: n % 2 === 0 ? 'WETH' : 'USDC', share: 1_000 * n + 7 }),
  ),
];

/** A desk at which any of it may happen. */
export async function openForSession(changes: Parameters<typeof openDesk>[0] = {}): Promise<OpenDesk> {
  const desk = await openDesk({
    ...changes,
    chain: {
      referenceUrl: 'http://127.0.0.1:1/reference',
      referenceMaxAgeSeconds: 3_600,
      balanceMaxAgeSeconds: 600,
      offReferenceCloses: 'none',
      prices: { [PAIR]: LADDER, 'DAI/USDC': { bids: [['0.9999', '1000']], asks: [['1.0001', '1000']] } },
      takers: [TAKER, OTHER],
      ...changes.chain,
    },
  });
  says(desk, '3412.75');
  return desk;
}

/** Opens a desk and has all of it happen there, one step after another. */
export async function play(steps: readonly Step[], changes: Parameters<typeof openDesk>[0] = {}): Promise<OpenDesk> {
  const desk = await openForSession(changes);
  const under: Promise<unknown>[] = [];
  for (const [index, step] of steps.entries()) {
    // The disk does not know this clock: what it is writing is no longer on its way once time jumps.
    if (step.do === 'pass') await Promise.all(under);
    const done = happen(desk, step, index).catch(() => {}); // what the desk refuses changes nothing
    if ('wait' in step && !step.wait) under.push(done);
    else await done;
  }
  await Promise.all(under);
  return desk;
}

/** Has one step happen; `index` is of no other. What the desk refuses throws. */
export async function happen(desk: OpenDesk, step: Step, index: number): Promise<unknown> {
  const { book, guard } = desk;
  switch (step.do) {
    case 'ask': {
      const [makerAsset, takerAsset] = { WETH: [WETH, USDC], USDC: [USDC, WETH], DAI: [DAI, WETH] }[step.maker];
      const isEther = (step.given === 'makerAmount') === (step.maker === 'WETH');
      const whole = isEther ? ETHER : 3_400n * DOLLAR;
      const amount = `${(whole * BigInt(step.share)) / 1_000_000n + 1n}`;
      const [userAddress, takerAddress] = step.other ? [OTHER.replaceAll('7', '6'), OTHER] : [USER, TAKER];
      const body = { makerAsset, takerAsset, makerAmount: undefined, [step.given]: amount, userAddress, takerAddress };
      return firm(desk, request(body));
    }
    case 'price': {
      const edits = (['bids', 'asks'] as const).flatMap((side) =>
        LADDER[side].map(([price], level) => {
          const value = (Number(price) + step.cents / 1_000).toFixed(3);
          return { kind: 'set' as const, side, level, field: 'price' as const, value };
        }),
      );
      const { version } = await book.edit(CHAIN, PAIR, edits, 'mara');
      return book.publish(CHAIN, PAIR, version, 'mara');
    }
    case 'follow': {
      const mid = `${3_412.75 + step.cents / 100}`;
      says(desk, mid);
      await book.setFollow({ chainId: CHAIN, pair: PAIR, on: true, actor: 'mara' });
      return book.follow(CHAIN, new Map([[PAIR, mid]]));
    }
    case 'formula': {
      const mid = `${3_412.75 + step.cents / 100}`;
      says(desk, mid);
      const seen = formulaOf(book.chain(CHAIN)?.config ?? {}, PAIR);
      const at = { chainId: CHAIN, pair: PAIR, actor: 'mara' };
      await book.setHand({ ...at, on: false });
      await book.setFormula({ ...at, formula: step.stays ? FORMULA : null, seen });
      const inputs = { mid, ageMs: 0, position: `${step.position}`, volatilityBps: null };
      return book.follow(CHAIN, new Map([[PAIR, mid]]), () => inputs);
    }
    case 'limits': {
      const { maxQuote, outstanding, perMinute } = step;
      const amounts = (of: number): Record<string, string> =>
        of === 0 ? {} : { WETH: `${of}`, USDC: `${of * 3_000}` };
      const limits = { maxQuote: amounts(maxQuote), maxOutstanding: amounts(outstanding) };
      return book.setLimits(CHAIN, { ...limits, quotesPerUserPerMinute: perMinute, ladderMaxAgeSeconds: 0 }, 'mara');
    }
    case 'switch': {
      const scopes = { desk: {}, chain: { chainId: CHAIN }, pair: { chainId: CHAIN, pair: PAIR } };
      const scope = step.scope === 'asks' ? ({ ...scopes.pair, side: 'asks' } as const) : scopes[step.scope];
      return step.on ? guard.trading.resume(scope, person) : guard.trading.halt(scope, person);
    }
    case 'blacklist': {
      const { on, onlyHere } = step;
      const entry = { chainId: CHAIN, address: USER, actor: 'mara' };
      return on ? book.blacklistAdd({ ...entry, onlyHere, confirmed: true }) : book.blacklistRemove(entry);
    }
    case 'taker':
      return book.setTaker({ chainId: CHAIN, address: TAKER, taken: step.taken, actor: 'mara' });
    case 'pass':
      desk.clock.ahead += step.milliseconds;
      desk.chain.view = seen(desk.now(), {}, index + 2);
      says(desk, '3412.75');
      return desk.quoter.tick();
    case 'balance':
      desk.chain.view = seen(desk.now(), { [WETH]: BigInt(step.ethers) * ETHER }, index + 2);
      return desk.quoter.tick();
  }
}

function says({ book, now }: OpenDesk, mid: string): void {
  const said = (mid: string) => ({ mid, time: now(), heldBack: null });
  book.references.record(
    CHAIN,
    new Map([
      [PAIR, said(mid)],
      ['DAI/USDC', said('1')],
    ]),
  );
}
