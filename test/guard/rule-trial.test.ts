import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Protection, Trip } from '../../electron/contract/protections.ts';
import { RuleTrial, WARM_UP_MS } from '../../electron/guard/rule-trial.ts';
import { journalFile, openForReading } from '../../electron/journal/open-database.ts';
import { readFlow } from '../../electron/journal/protections/flow.ts';
import { PROTECTIONS } from '../../electron/journal/protections/slice.ts';
import { address, CHAIN } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { filling } from '../quoting/fills.ts';
import { ETHER, firm, happens, type OpenDesk, openDesk, person, request, seen } from '../quoting/open-desk.ts';

const RULES: Protection[] = [
  { name: 'flow', counts: 'signed', per: 'pair', windowSeconds: 10, limit: '6', freezeSeconds: 4 },
  { name: 'taken', counts: 'signed', per: 'user', token: 'WETH', windowSeconds: 30, limit: '0.4', freezeSeconds: 0 },
  {
    name: 'volume',
    counts: 'signed',
    per: 'counterparty',
    usd: true,
    windowSeconds: 20,
    limit: '2000',
    freezeSeconds: 5,
  },
  {
    name: 'oneWay',
    counts: 'signed',
    per: 'user',
    token: 'WETH',
    net: true,
    windowSeconds: 15,
    limit: '0.3',
    freezeSeconds: 3,
  },
  { name: 'count', counts: 'filled', per: 'pair', windowSeconds: 20, limit: '4', freezeSeconds: 6 },
  { name: 'worth', counts: 'filled', per: 'user', usd: true, windowSeconds: 20, limit: '900', freezeSeconds: 7 },
  {
    name: 'drift',
    counts: 'filled',
    per: 'desk',
    token: 'WETH',
    net: true,
    windowSeconds: 11,
    limit: '0.2',
    freezeSeconds: 5,
  },
  { name: 'lost', counts: 'lost', per: 'pair', usd: true, windowSeconds: 30, limit: '6', freezeSeconds: 8 },
];
const NAMES = RULES.map(({ name }) => name);
const USERS = [address('7'), address('8')];
const PARTIES = ['practice', 'another'];

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      user: fc.nat(1),
      party: fc.nat(1),
      sells: fc.boolean(),
      size: fc.constantFrom(2, 5, 5, 10, 15),
      /** So many at once. */
      times: fc.constantFrom(1, 1, 1, 3),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('fill' as const), which: fc.nat(4), tenths: fc.constantFrom(2, 5, 10) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('take back' as const), which: fc.nat(3) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('wait' as const), seconds: fc.constantFrom(1, 3, 5, 10, 12) }) },
  {
    weight: 3,
    arbitrary: fc.record(
      {
        do: fc.constant('say' as const),
        mid: fc.constantFrom('3370', '3412', '3460'),
        /** How old it is when it is heard, and may be, seconds. */
        age: fc.constantFrom(0, 3, 8),
        mostAge: fc.constantFrom(5, 20, 40),
      },
      { requiredKeys: ['do', 'mid'] },
    ),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('doubt' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reset' as const), rule: fc.constantFrom(...NAMES) }) },
);

/** A flow in which rules of what is signed, filled and lost trip, whatever random flows may lack. */
const KNOWN: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[] = [
  { do: 'say', mid: '3460' },
  { do: 'ask', user: 0, party: 0, sells: true, size: 10, times: 3 },
  { do: 'ask', user: 0, party: 0, sells: true, size: 10, times: 1 },
  { do: 'fill', which: 0, tenths: 10 },
  { do: 'fill', which: 1, tenths: 10 },
  { do: 'wait', seconds: 12 },
  { do: 'fill', which: 2, tenths: 10 },
  { do: 'reset', rule: 'oneWay' },
  { do: 'ask', user: 0, party: 1, sells: true, size: 5, times: 3 },
  { do: 'wait', seconds: 12 },
];

/** One in which no reference says what a fill came to, and then says that it lost. */
const SILENT: typeof KNOWN = [
  { do: 'say', mid: '3370' },
  { do: 'ask', user: 0, party: 0, sells: true, size: 10, times: 1 },
  { do: 'ask', user: 1, party: 1, sells: true, size: 10, times: 1 },
  { do: 'fill', which: 0, tenths: 10 },
  { do: 'fill', which: 1, tenths: 10 },
  { do: 'wait', seconds: 12 },
  { do: 'wait', seconds: 5 },
  { do: 'ask', user: 0, party: 0, sells: true, size: 2, times: 1 },
  { do: 'say', mid: '3460' },
  { do: 'wait', seconds: 5 },
];

/** One with a reference that speaks seldom, is believed for long, and says of the time of a mark only after that was read. */
const SELDOM: typeof KNOWN = [
  { do: 'say', mid: '3370', mostAge: 40 },
  { do: 'wait', seconds: 12 },
  { do: 'ask', user: 0, party: 0, sells: true, size: 10, times: 3 },
  { do: 'fill', which: 0, tenths: 10 },
  { do: 'wait', seconds: 5 },
  { do: 'fill', which: 1, tenths: 10 },
  { do: 'wait', seconds: 5 },
  { do: 'wait', seconds: 3 },
  { do: 'say', mid: '3460', age: 8, mostAge: 40 },
  { do: 'wait', seconds: 12 },
  { do: 'fill', which: 2, tenths: 10 },
  { do: 'ask', user: 1, party: 0, sells: true, size: 2, times: 1 },
  { do: 'wait', seconds: 12 },
];

/** One in which a reference that could be believed for long is not, until it says that a fill lost. */
const DOUBTED: typeof KNOWN = [
  { do: 'say', mid: '3370', mostAge: 40 },
  { do: 'ask', user: 0, party: 0, sells: true, size: 10, times: 3 },
  { do: 'fill', which: 0, tenths: 10 },
  { do: 'fill', which: 1, tenths: 10 },
  { do: 'wait', seconds: 5 },
  { do: 'doubt' },
  { do: 'wait', seconds: 12 },
  { do: 'ask', user: 0, party: 0, sells: true, size: 2, times: 1 },
  { do: 'say', mid: '3460', age: 3, mostAge: 40 },
  { do: 'wait', seconds: 5 },
];

/** One in which several fills get their marks at one moment, and of one of them another mark was due before. */
const TOGETHER: typeof KNOWN = [
  { do: 'ask', user: 0, party: 0, sells: true, size: 5, times: 1 },
  { do: 'fill', which: 0, tenths: 10 },
  { do: 'wait', seconds: 10 },
  { do: 'fill', which: 0, tenths: 5 },
  { do: 'say', mid: '3460' },
  { do: 'fill', which: 0, tenths: 2 },
  { do: 'fill', which: 0, tenths: 10 },
  { do: 'fill', which: 0, tenths: 2 },
  { do: 'wait', seconds: 3 },
];

/** The journal's reader answers one after the other: what was told before is taken up. */
async function takenUp(desk: OpenDesk): Promise<void> {
  for (let asked = 0; asked < 3; asked += 1) await desk.guard.protections.rows();
}

const told = ({ rule, chainId, who, used, asked, at, until }: Trip) => ({
  rule: rule.name,
  chainId,
  who,
  used,
  asked,
  at,
  until,
});

/** Closes a desk and runs rules over its journal, which also says what tripped `live`; `each` hears of every request. */
async function tried(
  desk: OpenDesk,
  rules: Protection[],
  each: (seq: number, was: boolean, is: boolean) => void = () => {},
) {
  await desk.close();
  const db = openForReading(journalFile(desk.folder));
  try {
    const trial = new RuleTrial(rules, desk.book.chains(), 0);
    for (const event of readFlow(db)(desk.now() - WARM_UP_MS, desk.now())) {
      const code = trial.take(event);
      if (event.kind === 'asked') each(event.seq, event.wasSigned, code === null);
    }
    return { ...trial.result(desk.now()), live: PROTECTIONS.queries(db).trips(200).reverse() };
  } finally {
    db.close();
  }
}

async function fill(desk: OpenDesk, order: number, place: number, tenths = 10): Promise<number> {
  const seq = await happens(desk, await filling(desk, order, { tenths, place }));
  await takenUp(desk);
  return seq;
}

async function seconds(desk: OpenDesk, count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    desk.clock.ahead += 1_000;
    desk.chain.view = seen(desk.now());
    desk.guard.tick();
    await takenUp(desk);
  }
}

const ask = async (desk: OpenDesk, changes: Record<string, unknown> = {}) =>
  (await firm(desk, request(changes))).code ?? 'order';

describe('rules over a recorded flow', () => {
  it('trip as they did on the desk, trip by trip and request by request, over any flow with fills, resets and freezes', async () => {
    const tripped = new Set<string>();
    const property = fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
      const desk = await openDesk({ desk: { protections: RULES } });
      try {
        let orders = 0;
        let places = 0;
        let saidAt = 0;
        /** Fills that stand, by their rows. */
        const seqs: number[] = [];
        for (const one of steps) {
          if (one.do === 'wait') await seconds(desk, one.seconds);
          else if (one.do === 'say') {
            // What was decided in a millisecond is not told from what was said later in the same one.
            await seconds(desk, 1);
            const { mid, age = 0, mostAge = 5 } = one;
            const time = desk.now() - age * 1_000;
            if (time <= saidAt) continue; // no news
            saidAt = time;
            const sample = { chainId: CHAIN, pair: 'WETH/USDC', time, heard: desk.now(), mid };
            const believedUntil = time + mostAge * 1_000;
            await desk.journal.put({ table: 'reference_samples', ...sample, believedUntil });
          } else if (one.do === 'doubt') {
            await seconds(desk, 1);
            const at = desk.now();
            await desk.journal.put({ table: 'reference_ends', chainId: CHAIN, pair: 'WETH/USDC', at });
          } else if (one.do === 'reset') {
            await desk.guard.protections.reset({ rule: one.rule }, person).catch(() => {}); // nothing stands
          } else if (one.do === 'fill') {
            if (one.which >= orders) continue;
            places += 1;
            seqs.push(await fill(desk, orders - 1 - one.which, places, one.tenths));
          } else if (one.do === 'take back') {
            const [eventSeq] = seqs.splice(one.which, 1);
            if (eventSeq === undefined) continue;
            const body = { chainId: CHAIN, eventSeq, orderHash: '' };
            await happens(desk, { time: desk.now(), actor: 'chain', kind: 'reverted', body });
            await takenUp(desk);
          } else {
            const { makerAsset, takerAsset } = request();
            const weth = `${(BigInt(one.size) * ETHER) / 100n}`;
            const asked = one.sells
              ? { makerAmount: weth }
              : { makerAsset: takerAsset, takerAsset: makerAsset, makerAmount: undefined, takerAmount: weth };
            const body = request({ userAddress: USERS[one.user], ...asked });
            const answers = await Promise.all(
              Array.from({ length: one.times }, () => firm(desk, body, PARTIES[one.party])),
            );
            orders += answers.filter(({ order }) => order !== undefined).length;
          }
        }
        const past = await tried(desk, RULES, (seq, was, is) => expect(is, `request ${seq}`).toBe(was));
        for (const { rule } of past.live) tripped.add(rule.counts);
        expect(past.trips.map(told)).toEqual(past.live.map(told));
        expect(past.notSigned).toEqual({ quotes: 0, dollars: '0', fills: 0, gain: '0' });
        expect(past.signed).toBe(0);
      } finally {
        await desk.close();
      }
    });
    await fc.assert(property, {
      numRuns: howOften(5, 50),
      examples: [[KNOWN], [SILENT], [SELDOM], [DOUBTED], [TOGETHER]],
    });
    expect(tripped).toEqual(new Set(['signed', 'filled', 'lost']));
  });

  it('say what a rule that is not there yet would have done, and count no fill of what it would not have signed', async () => {
    const desk = await openDesk();
    expect([await ask(desk), await ask(desk), await ask(desk)]).toEqual(['order', 'order', 'order']);
    await seconds(desk, 1);
    await desk.journal.put({
      table: 'reference_samples',
      chainId: CHAIN,
      pair: 'WETH/USDC',
      time: desk.now(),
      heard: desk.now(),
      mid: '3433',
    });
    await fill(desk, 2, 1);
    const signed: Protection = {
      name: 'two',
      counts: 'signed',
      per: 'user',
      token: 'WETH',
      windowSeconds: 60,
      limit: '0.2',
      freezeSeconds: 60,
    };
    const filled: Protection = { ...signed, name: 'filled', counts: 'filled', limit: '0.1' };
    const past = await tried(desk, [signed, filled]);
    expect(past.rules).toMatchObject([
      { trips: 1, first: { used: `${ETHER / 5n}`, asked: `${ETHER / 10n}` }, peak: { used: `${ETHER / 5n}` } },
      { trips: 0, first: null, peak: null },
    ]);
    expect(past).toMatchObject({ requests: 3, notSigned: { quotes: 1, dollars: '341300000', fills: 1 }, signed: 0 });
    expect((await tried(desk, [{ ...signed, limit: '0.3' }])).trips, 'at its limit').toEqual([]);
  });

  it('say what the rules of then turned away, and that nobody knows what was turned away before its amounts were', async () => {
    const rule: Protection = {
      name: 'one',
      counts: 'signed',
      per: 'pair',
      windowSeconds: 60,
      limit: '1',
      freezeSeconds: 60,
    };
    const desk = await openDesk({ desk: { protections: [rule] } });
    expect([await ask(desk), await ask(desk), await ask(desk)]).toEqual([
      'order',
      'protection_tripped',
      'protection_tripped',
    ]);
    const past = await tried(desk, [{ ...rule, limit: '9' }]);
    expect(past).toMatchObject({ requests: 2, signed: 1, unknown: 1, notSigned: { quotes: 0 }, trips: [] });
  });

  it('count what was before the stretch, and tell only what is in it', async () => {
    const desk = await openDesk();
    expect([await ask(desk), await ask(desk)]).toEqual(['order', 'order']);
    await seconds(desk, 5);
    expect(await ask(desk)).toBe('order');
    const rule: Protection = {
      name: 'two',
      counts: 'signed',
      per: 'pair',
      windowSeconds: 60,
      limit: '2',
      freezeSeconds: 60,
    };
    await desk.close();
    const db = openForReading(journalFile(desk.folder));
    const trial = new RuleTrial([rule], desk.book.chains(), desk.now());
    for (const event of readFlow(db)(0, desk.now())) trial.take(event);
    db.close();
    expect(trial.result(desk.now())).toMatchObject({
      requests: 1,
      rules: [{ trips: 1, first: { used: '2', asked: '1' } }],
    });
  });
});
