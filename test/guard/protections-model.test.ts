import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { address, CHAIN } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { ETHER, firm, type OpenDesk, openDesk, person, request, seen, signer } from '../quoting/open-desk.ts';

const WINDOWS = { flow: 10_000, taken: 30_000, volume: 20_000 };
type Rule = keyof typeof WINDOWS;
const FREEZES: Record<Rule, number | null> = { flow: 15_000, taken: null, volume: 5_000 };
/** Three quotes of the pair, 0.25 WETH of a user, 682.6 USDC of a counterparty, which is 0.2 WETH. */
const LIMITS: Record<Rule, bigint> = { flow: 3n, taken: ETHER / 4n, volume: 682_600_000n };

const common = { counts: 'signed', chains: [CHAIN] };
const PROTECTIONS = [
  { ...common, name: 'flow', per: 'pair', windowSeconds: 10, limit: '3', freezeSeconds: 15 },
  { ...common, name: 'taken', per: 'user', token: 'WETH', windowSeconds: 30, limit: '0.25', freezeSeconds: 0 },
  {
    ...common,
    name: 'volume',
    per: 'counterparty',
    token: 'USDC',
    windowSeconds: 20,
    limit: '682.6',
    freezeSeconds: 5,
  },
];

const USERS = [address('7'), address('8')];
const PARTIES = ['practice', 'another'];

const ask = fc.record({
  do: fc.constantFrom('ask', 'ask', 'ask', 'ask', 'ask', 'fail to sign') as fc.Arbitrary<'ask' | 'fail to sign'>,
  user: fc.nat(1),
  party: fc.nat(1),
  /** Hundredths of a WETH, and raw units more or less. */
  size: fc.constantFrom(1, 5, 5, 10, 15, 20, 25),
  more: fc.constantFrom(0, 0, 0, 0, 1),
});
const step = fc.oneof(
  { weight: 8, arbitrary: ask },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 4_999, 5_000, 9_999, 10_000, 20_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('reset' as const), rule: fc.constantFrom<Rule>('flow', 'taken', 'volume') }),
  },
);

type Signed = { at: number; user: string; party: string; weth: bigint; usdc: bigint };

/** The rules said once more, as slowly as can be: every quote that was ever signed is looked at for every answer. */
class Model {
  readonly signed: Signed[] = [];
  trips: { rule: Rule; who: string; used: bigint; asked: bigint; until: number | null; reset: boolean }[] = [];
  /** Before which quote nothing counts, by rule and subject. */
  readonly #from = new Map<string, number>();

  ask(at: number, user: string, party: string, weth: bigint, signs: boolean): string {
    const usdc = (weth * 3_413_000_000n + ETHER - 1n) / ETHER;
    const of: Record<Rule, { who: string; asked: bigint; amount: (quote: Signed) => bigint }> = {
      flow: { who: 'WETH/USDC', asked: 1n, amount: () => 1n },
      taken: { who: user, asked: weth, amount: (quote) => (quote.user === user ? quote.weth : 0n) },
      volume: { who: party, asked: usdc, amount: (quote) => (quote.party === party ? quote.usdc : 0n) },
    };
    const rules = Object.keys(of) as Rule[];
    if (rules.some((rule) => this.#standing(rule, at).some(({ who }) => who === of[rule].who)))
      return 'protection_tripped';
    if (rules.some((rule) => of[rule].asked > LIMITS[rule])) return 'protection_limit';
    const passed = rules.flatMap((rule) => {
      const { who, asked, amount } = of[rule];
      const counted = this.signed.slice(this.#from.get(`${rule} ${who}`) ?? 0);
      const used = counted.reduce((sum, quote) => (at - quote.at < WINDOWS[rule] ? sum + amount(quote) : sum), 0n);
      return used + asked > LIMITS[rule] ? [{ rule, who, used, asked }] : [];
    });
    for (const trip of passed) {
      const freeze = FREEZES[trip.rule];
      this.trips.push({ ...trip, until: freeze === null ? null : at + freeze, reset: false });
    }
    if (passed.length > 0) return 'protection_tripped';
    if (!signs) return 'internal';
    this.signed.push({ at, user, party, weth, usdc });
    return 'order';
  }

  /** False where nothing is frozen. */
  reset(rule: Rule, at: number): boolean {
    const standing = this.#standing(rule, at);
    for (const trip of standing) {
      trip.reset = true;
      this.#from.set(`${rule} ${trip.who}`, this.signed.length);
    }
    return standing.length > 0;
  }

  #standing(rule: Rule, at: number) {
    return this.trips.filter((trip) => trip.rule === rule && !trip.reset && (trip.until === null || trip.until > at));
  }
}

test('over any sequence of asking, failing, waiting, resetting and starting again a desk answers as its rules say', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }), async (steps) => {
    const model = new Model();
    let broken = false;
    const hand = {
      ...signer,
      sign: (hash: Parameters<typeof signer.sign>[0]) => {
        if (broken) throw new Error('no key');
        return signer.sign(hash);
      },
    };
    const open = (more: object = {}) =>
      openDesk({ desk: { protections: PROTECTIONS }, quoter: { signerFor: () => hand }, ...more });
    let desk: OpenDesk = await open();
    try {
      for (const [index, one] of steps.entries()) {
        if (one.do === 'wait') desk.clock.ahead += one.ms;
        else if (one.do === 'restart') {
          await desk.close();
          desk = await open({ folder: desk.folder, ahead: desk.now() - Date.now() });
        } else if (one.do === 'reset') {
          const done = desk.guard.protections.reset({ rule: one.rule }, person);
          const isReset = await done.then(
            () => true,
            () => false,
          );
          expect(isReset, `step ${index}`).toBe(model.reset(one.rule, desk.now()));
        } else {
          const [user = USERS[0], party = ''] = [USERS[one.user], PARTIES[one.party]];
          const weth = (BigInt(one.size) * ETHER) / 100n + BigInt(one.more);
          broken = one.do === 'fail to sign';
          const answer = await firm(desk, request({ userAddress: user, makerAmount: `${weth}` }), party);
          const expected = model.ask(desk.now(), `${user}`, party, weth, !broken);
          expect(answer.code ?? 'order', `step ${index}`).toBe(expected);
          if (expected === 'internal') await desk.guard.trading.resume({ chainId: CHAIN }, person);
        }
        desk.chain.view = seen(desk.now());
      }
      await desk.close();
      desk = await open({ folder: desk.folder, ahead: desk.now() - Date.now() });
      const told = (await desk.journal.read.trips(200)).map(({ rule, who, used, asked, until, reset }) => {
        return { rule: rule.name, who, used: BigInt(used), asked: BigInt(asked), until, reset: reset !== null };
      });
      expect(told.reverse()).toEqual(model.trips);
    } finally {
      await desk.close();
    }
  });
  await fc.assert(property, { numRuns: howOften(4, 50) });
});
