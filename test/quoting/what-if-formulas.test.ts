import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { volatilityOf } from '../../electron/book/volatility.ts';
import type { Formula } from '../../electron/contract/formula.ts';
import type { WhatIfSettings } from '../../electron/contract/what-if.ts';
import { journalFile, openForReading } from '../../electron/journal/open-database.ts';
import { fromRaw, parseDecimal } from '../../electron/protocol/decimal.ts';
import { type DecidedThen, whatIf } from '../../electron/quoting/what-if.ts';
import { CHAIN, USDC, WETH } from '../book/fixture.ts';
import { howOften } from '../how-often.ts';
import { filling } from './fills.ts';
import { ETHER, firm, happens, type OpenDesk, quotes, request, seen } from './open-desk.ts';
import { FORMULA, openForSession, PAIR } from './session.ts';

const { inventory: _, ...PLAIN } = FORMULA;
const asking = (formula: Formula): WhatIfSettings => ({ formulas: { [CHAIN]: { [PAIR]: formula } } });

async function asked(desk: OpenDesk, settings: WhatIfSettings) {
  await desk.close();
  const db = openForReading(journalFile(desk.folder));
  const each: DecidedThen[] = [];
  try {
    const run = whatIf(db, {}, settings, (decided) => each.push(decided));
    for (let step = run.next(); ; step = run.next()) if (step.done) return { ...step.value, each };
  } finally {
    db.close();
  }
}

/** Time goes on by whole seconds, and the chain is seen anew. */
function passes(desk: OpenDesk, seconds: number, block: number): void {
  desk.clock.ahead += seconds * 1_000;
  desk.chain.view = seen(desk.now(), {}, block);
  desk.quoter.tick();
}

const secondOf = (desk: OpenDesk) => Math.floor(desk.now() / 1_000) * 1_000;
/** The desk hears in this second what its reference had at `time`. */
const says = (desk: OpenDesk, time: number, mid: string) =>
  desk.journal.put({ table: 'reference_samples', chainId: CHAIN, pair: PAIR, time, heard: secondOf(desk), mid });
const buysWeth = (amount: bigint) =>
  request({ makerAsset: USDC, takerAsset: WETH, makerAmount: undefined, takerAmount: `${amount}` });
const sellsWeth = (amount: bigint) => request({ makerAmount: `${amount}` });

const figure = (least: number, most: number, of: number) =>
  fc.integer({ min: least, max: most }).map((units) => `${units / of}`);
const side = fc.record({
  size: fc.constantFrom('1', '0.7', '2.5'),
  levels: fc.integer({ min: 1, max: 5 }),
  stepBps: figure(0, 30, 10),
  sizeFactor: fc.constantFrom('1', '1.5', '2'),
});
const formula: fc.Arbitrary<Formula> = fc.record({
  spreadBps: figure(1, 200, 10),
  tick: fc.constantFrom('0.01', '0.1', '0.005'),
  bids: side,
  asks: side,
  inventory: fc.constant({ target: '0', limit: '50', bpsPerUnit: '0.25' }),
  volatility: fc.record({
    windowSeconds: fc.constantFrom(5, 60),
    calmBps: figure(0, 20, 10),
    times: figure(0, 15, 10),
  }),
  age: fc.constant({ freeSeconds: '1', bpsPerSecond: '0.5' }),
});
const steps = fc.array(
  fc.record({
    seconds: fc.integer({ min: 1, max: 40 }),
    cents: fc.integer({ min: -900, max: 900 }),
    /** How old the mid is by the second in which is asked. */
    ageMs: fc.constantFrom(0, 0, 400, 2_500),
    sells: fc.boolean(),
    share: fc.integer({ min: 1, max: 999_999 }),
    fills: fc.boolean(),
  }),
  { minLength: 3, maxLength: 12 },
);

test('each quote is what a desk signs that has the formula, out of the mid, the movement and the position of then', async () => {
  await fc.assert(
    fc.asyncProperty(formula, steps, async (other, all) => {
      const [was, live] = [await openForSession(), await openForSession()];
      const at = { chainId: CHAIN, pair: PAIR, actor: 'mara' };
      await live.book.setFormula({ ...at, formula: other, seen: null });
      const mids = [{ time: secondOf(was) - 900_000, mid: '3412.75' }];
      await says(was, secondOf(was) - 900_000, '3412.75');
      let position = 0n;
      let orders = 0;
      const signed: (string | null)[] = [];
      for (const [index, { seconds, cents, ageMs, sells, share, fills }] of all.entries()) {
        for (const desk of [was, live]) passes(desk, seconds, index + 2);
        const now = secondOf(was);
        const newest = mids.at(-1)?.time ?? 0;
        if (now - ageMs > newest) {
          const mid = `${3_412.75 + cents / 100}`;
          mids.push({ time: now - ageMs, mid });
          await says(was, now - ageMs, mid);
        }
        const said = mids.at(-1) ?? { time: 0, mid: '' };
        const moved = volatilityOf(
          mids.map(({ time, mid }) => ({ time, mid: parseDecimal(mid) })),
          other.volatility?.windowSeconds ?? 0,
          now,
        );
        const inputs = {
          mid: said.mid,
          ageMs: now - said.time,
          position: fromRaw(position, 18),
          volatilityBps: 'bps' in moved ? moved.bps : null,
        };
        await live.book.follow(CHAIN, new Map([[PAIR, said.mid]]), () => inputs);
        const amount = (ETHER * BigInt(share)) / 1_000_000n + 1n;
        const asks = sells ? sellsWeth(amount) : buysWeth(amount);
        const order = (await firm(live, asks)).order;
        signed.push(order === undefined ? null : `${order.makerAmount} ${order.takerAmount}`);
        const before = (await quotes(was)).filter(({ orderHash }) => orderHash !== null).length;
        await firm(was, asks);
        const after = (await quotes(was)).filter(({ orderHash }) => orderHash !== null).length;
        if (after === before) continue;
        if (fills) {
          await happens(was, await filling(was, orders, { place: index + 1 }));
          position += sells ? -amount : amount;
        }
        orders += 1;
      }
      const { each } = await asked(was, asking(other));
      expect(each).toHaveLength(all.length);
      for (const [index, { code, ask, kept }] of each.entries()) {
        if (kept !== null) continue;
        const would = code === null ? `${ask?.makerAmount} ${ask?.takerAmount}` : null;
        expect(would, `request ${index}`).toBe(signed[index]);
      }
      expect(each.filter(({ kept }) => kept === null).length).toBeGreaterThan(0);
    }),
    { numRuns: howOften(2, 20) },
  );
});

test('nothing is otherwise where the formula is the one that the pair had, or a person had taken the pair over', async () => {
  const play = async (byHand: boolean) => {
    const desk = await openForSession();
    const at = { chainId: CHAIN, pair: PAIR, actor: 'mara' };
    await says(desk, secondOf(desk), '3500');
    await desk.book.setFormula({ ...at, formula: PLAIN, seen: null });
    if (byHand) await desk.book.setHand({ ...at, on: true });
    await firm(desk, sellsWeth(ETHER));
    return desk;
  };
  const same = await asked(await play(false), asking(PLAIN));
  expect(same.total).toMatchObject({ same: 1, better: 0, worse: 0 });
  const other: Formula = { ...PLAIN, spreadBps: '77' };
  expect((await asked(await play(false), asking(other))).total).toMatchObject({ same: 0 });
  expect((await asked(await play(true), asking(other))).total).toMatchObject({ same: 1 });
});

test('where the reference of then is not kept, or was too old, it is as it was and said so', async () => {
  const desk = await openForSession({ chain: { referenceMaxAgeSeconds: 20 } });
  await firm(desk, sellsWeth(ETHER));
  const { total, asTheyWere, each } = await asked(desk, asking(PLAIN));
  expect(total).toMatchObject({ same: 1 });
  expect(Object.keys(asTheyWere)).toEqual([expect.stringMatching(/^what the reference of the pair said then/)]);
  expect(each[0]?.kept).toMatch(/reference/);
});

test('what a source said late counts from when the desk heard it: no quote of before is made of it', async () => {
  const desk = await openForSession();
  await says(desk, secondOf(desk) - 2_000, '3400');
  await firm(desk, sellsWeth(ETHER));
  passes(desk, 1, 2);
  await says(desk, secondOf(desk) - 1_500, '3500');
  await firm(desk, sellsWeth(ETHER));
  const { each } = await asked(desk, asking({ ...PLAIN, spreadBps: '10' }));
  expect(each.map(({ ask }) => ask?.takerAmount)).toEqual([3_401_700_000n, 3_501_750_000n]);
});

test('a mid of several sources is as old as the words that it is made of, though another source went on', async () => {
  const desk = await openForSession();
  const time = secondOf(desk);
  const said = { table: 'reference_samples', chainId: CHAIN, pair: PAIR, time, heard: time, mid: '3400' } as const;
  await desk.journal.put({ ...said, midTime: time - 11_000 });
  await firm(desk, sellsWeth(ETHER));
  const aged: Formula = { ...PLAIN, spreadBps: '10', age: { freeSeconds: '1', bpsPerSecond: '1' } };
  const { each } = await asked(desk, asking(aged));
  // An ask of 3400 and 15 bps: 5 of the spread, and 10 of the ten seconds beyond the free one.
  expect(each[0]?.ask?.takerAmount).toBe(3_405_100_000n);
});

test('ladders are changed on top of what the formula makes, and a formula that closes the pair has no price', async () => {
  const play = async () => {
    const desk = await openForSession();
    await says(desk, secondOf(desk), '3400');
    await firm(desk, sellsWeth(ETHER));
    return desk;
  };
  const plain: Formula = { ...PLAIN, spreadBps: '10' };
  const quoted = async (settings: WhatIfSettings) => (await asked(await play(), settings)).each[0];
  expect((await quoted(asking(plain)))?.ask?.takerAmount).toBe(3_401_700_000n);
  const ladders: WhatIfSettings['ladders'] = [{ changes: [{ kind: 'shift', bps: '100' }] }];
  expect((await quoted({ ...asking(plain), ladders }))?.ask?.takerAmount).toBe(3_435_720_000n);
  expect(await quoted(asking({ ...plain, closesAboveSpreadBps: '5' }))).toMatchObject({ code: 'no_price' });
});

test('a formula of a chain or pair that the desk has not, or that cannot be, is refused by its name', async () => {
  const desk = await openForSession();
  await firm(desk, sellsWeth(ETHER));
  await desk.close();
  const db = openForReading(journalFile(desk.folder));
  const refused = (settings: WhatIfSettings) => expect(() => [...whatIf(db, {}, settings)]);
  refused({ formulas: { 77: {} } }).toThrow(/: 77 is no chain of this desk/);
  refused({ formulas: { [CHAIN]: { 'WETH/XYZ': FORMULA } } }).toThrow(/: WETH\/XYZ is no pair of this desk/);
  const far: Formula = { ...FORMULA, inventory: { target: '9', limit: '5', bpsPerUnit: '1' } };
  refused(asking(far)).toThrow(/the formula of \S+ on chain \d+: inventory\.target must be within the limit/);
  db.close();
});
