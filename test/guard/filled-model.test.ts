import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { address, CHAIN } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { filling } from '../quoting/fills.ts';
import { ETHER, firm, happens, type OpenDesk, openDesk, person, request, seen } from '../quoting/open-desk.ts';

const WINDOWS = { count: 20_000, taken: 30_000, drift: 10_000, oneWay: 15_000 };
type Rule = keyof typeof WINDOWS;
const RULES = Object.keys(WINDOWS) as Rule[];
const FREEZES: Record<Rule, number | null> = { count: 15_000, taken: null, drift: 5_000, oneWay: 5_000 };
/** Four fills of the pair, 0.25 WETH of a user, 0.2 WETH more or less by the desk, 0.6 WETH signed either way for a counterparty. */
const LIMITS: Record<Rule, bigint> = { count: 4n, taken: ETHER / 4n, drift: ETHER / 5n, oneWay: (ETHER * 3n) / 5n };

const common = { chains: [CHAIN] };
const PROTECTIONS = [
  { ...common, name: 'count', counts: 'filled', per: 'pair', windowSeconds: 20, limit: '4', freezeSeconds: 15 },
  {
    ...common,
    name: 'taken',
    counts: 'filled',
    per: 'user',
    token: 'WETH',
    windowSeconds: 30,
    limit: '0.25',
    freezeSeconds: 0,
  },
  {
    ...common,
    name: 'drift',
    counts: 'filled',
    net: true,
    per: 'desk',
    token: 'WETH',
    windowSeconds: 10,
    limit: '0.2',
    freezeSeconds: 5,
  },
  {
    ...common,
    name: 'oneWay',
    counts: 'signed',
    net: true,
    per: 'counterparty',
    token: 'WETH',
    windowSeconds: 15,
    limit: '0.6',
    freezeSeconds: 5,
  },
];

const USERS = [address('7'), address('8')];
const PARTIES = ['practice', 'another'];

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      user: fc.nat(1),
      party: fc.nat(1),
      sells: fc.boolean(),
      size: fc.constantFrom(5, 5, 10, 15),
    }),
  },
  {
    weight: 6,
    // Of one of the last quotes, some part.
    arbitrary: fc.record({ do: fc.constant('fill' as const), which: fc.nat(3), tenths: fc.constantFrom(2, 5, 10) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take back' as const), which: fc.nat(3) }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 4_999, 5_000, 9_999, 20_000) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const), rule: fc.constantFrom(...RULES) }) },
);

/** `weth` is what the maker has more by it. */
type Moved = { order: number; at: number; user: string; party: string; weth: bigint; isGone: boolean };

const size = (amount: bigint) => (amount < 0n ? -amount : amount);

/** The rules said once more, as slowly as can be: every quote and every fill there ever was is looked at for every answer. */
class Model {
  readonly signed: Moved[] = [];
  readonly filled: Moved[] = [];
  trips: { rule: Rule; who: string; used: bigint; asked: bigint; until: number | null; reset: boolean }[] = [];
  /** Before which quote and which fill nothing counts, by rule and subject. */
  readonly #from = new Map<string, { signed: number; filled: number }>();

  used(rule: Rule, who: string, at: number): { fills: bigint; bought: bigint; sold: bigint } {
    const from = this.#from.get(`${rule} ${who}`);
    const all = rule === 'oneWay' ? this.signed.slice(from?.signed ?? 0) : this.filled.slice(from?.filled ?? 0);
    const of = all.filter((one) => {
      const isOfWho = rule === 'taken' ? one.user === who : rule === 'oneWay' ? one.party === who : true;
      return !one.isGone && isOfWho && at - one.at < WINDOWS[rule];
    });
    const sum = (which: Moved[]) => which.reduce((total, { weth }) => total + size(weth), 0n);
    return {
      fills: BigInt(of.length),
      bought: sum(of.filter(({ weth }) => weth > 0n)),
      sold: sum(of.filter(({ weth }) => weth < 0n)),
    };
  }

  full(rule: Rule, who: string, at: number): bigint | null {
    const { fills, bought, sold } = this.used(rule, who, at);
    const used = rule === 'count' ? fills : rule === 'taken' ? bought + sold : size(bought - sold);
    return used >= LIMITS[rule] ? used : null;
  }

  /** Trips what is full and does not stand; true where anything is. */
  judge(of: Partial<Record<Rule, string>>, at: number): boolean {
    let isAny = false;
    for (const rule of RULES) {
      const who = of[rule];
      if (who === undefined || rule === 'oneWay') continue;
      const used = this.full(rule, who, at);
      if (used === null) continue;
      isAny = true;
      if (this.#standing(rule, at).every((trip) => trip.who !== who)) this.#trip(rule, { who, used, asked: 0n }, at);
    }
    return isAny;
  }

  ask(at: number, { user, party, weth }: Pick<Moved, 'user' | 'party' | 'weth'>): string {
    const of: Record<Rule, string> = { count: 'WETH/USDC', taken: user, drift: '', oneWay: party };
    if (RULES.some((rule) => this.#standing(rule, at).some(({ who }) => who === of[rule]))) return 'protection_tripped';
    if (this.judge(of, at)) return 'protection_tripped';
    const { bought, sold } = this.used('oneWay', party, at);
    const used = weth > 0n ? bought : sold;
    if (used + size(weth) > LIMITS.oneWay) {
      this.#trip('oneWay', { who: party, used, asked: size(weth) }, at);
      return 'protection_tripped';
    }
    this.signed.push({ order: this.signed.length, at, user, party, weth, isGone: false });
    return 'order';
  }

  reset(rule: Rule, at: number): boolean {
    const standing = this.#standing(rule, at);
    for (const trip of standing) {
      trip.reset = true;
      this.#from.set(`${rule} ${trip.who}`, { signed: this.signed.length, filled: this.filled.length });
    }
    return standing.length > 0;
  }

  #trip(rule: Rule, trip: { who: string; used: bigint; asked: bigint }, at: number): void {
    const freeze = FREEZES[rule];
    this.trips.push({ rule, ...trip, until: freeze === null ? null : at + freeze, reset: false });
  }

  #standing(rule: Rule, at: number) {
    return this.trips.filter((trip) => trip.rule === rule && !trip.reset && (trip.until === null || trip.until > at));
  }
}

/** The journal's reader answers one after the other: what was told before is taken up. */
async function takenUp(desk: OpenDesk): Promise<void> {
  for (let asked = 0; asked < 3; asked += 1) await desk.guard.protections.rows();
}

test('over any sequence of asking, fills, fills taken back, waiting, resetting and starting again a desk answers as its rules say', async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 50, size: 'max' }), async (steps) => {
    const model = new Model();
    const open = (more: object = {}) => openDesk({ desk: { protections: PROTECTIONS }, ...more });
    let desk: OpenDesk = await open();
    const orders: { row: number; weth: bigint; leftTenths: number }[] = [];
    const seqs: number[] = [];
    const places: number[] = [];
    try {
      for (const [index, one] of steps.entries()) {
        const at = desk.now();
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
          expect(isReset, `step ${index}`).toBe(model.reset(one.rule, at));
        } else if (one.do === 'fill') {
          const order = orders.at(-1 - one.which);
          // The contract fills no more than was signed.
          if (order !== undefined && order.leftTenths >= one.tenths) {
            const { weth } = order;
            order.leftTenths -= one.tenths;
            const event = await filling(desk, order.row, { tenths: one.tenths, place: places.length });
            places.push(places.length);
            seqs.push(await happens(desk, event));
            await takenUp(desk);
            const of = model.signed[orders.indexOf(order)];
            if (of === undefined) throw new Error('No such quote.');
            model.filled.push({ ...of, at, weth: (weth * BigInt(one.tenths)) / 10n });
            model.judge({ count: 'WETH/USDC', taken: of.user, drift: '' }, at);
          }
        } else if (one.do === 'take back') {
          const place = model.filled.length - 1 - one.which;
          const [gone, eventSeq] = [model.filled[place], seqs[place]];
          if (gone !== undefined && eventSeq !== undefined && !gone.isGone) {
            const body = { chainId: CHAIN, eventSeq, orderHash: '' };
            await happens(desk, { time: at, actor: 'chain', kind: 'reverted', body });
            await takenUp(desk);
            gone.isGone = true;
            model.judge({ count: 'WETH/USDC', taken: gone.user, drift: '' }, at);
          }
        } else {
          const [user = USERS[0], party = ''] = [USERS[one.user], PARTIES[one.party]];
          const weth = (BigInt(one.size) * ETHER) / 100n;
          const { makerAsset, takerAsset } = request();
          // The maker sells WETH, or is asked for what it pays for so much of it.
          const asked = one.sells
            ? { makerAmount: `${weth}` }
            : { makerAsset: takerAsset, takerAsset: makerAsset, makerAmount: undefined, takerAmount: `${weth}` };
          const answer = await firm(desk, request({ userAddress: user, ...asked }), party);
          const moved = { user: `${user}`, party, weth: one.sells ? -weth : weth };
          const expected = model.ask(at, moved);
          expect(answer.code ?? 'order', `step ${index}`).toBe(expected);
          if (expected === 'order') orders.push({ row: orders.length, weth: moved.weth, leftTenths: 10 });
        }
        desk.chain.view = seen(desk.now());
        desk.guard.tick();
        model.judge({ count: 'WETH/USDC', drift: '' }, desk.now());
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
  await fc.assert(property, { numRuns: howOften(4, 40) });
});
