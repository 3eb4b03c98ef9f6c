import { describe, expect, it, onTestFinished } from 'vitest';
import type { Formula } from '../../electron/contract/formula.ts';
import { formulaRowSchema } from '../../electron/contract/formula-prices.ts';
import { FormulaInputSource } from '../../electron/desk/formula-inputs.ts';
import { formulaRows, triedFormula } from '../../electron/desk/formula-rows.ts';
import { NetPositions } from '../../electron/desk/net-positions.ts';
import { ReferencePolls } from '../../electron/desk/reference-polls.ts';
import { dollarsPer } from '../../electron/guard/rule-dollars.ts';
import { freshMid } from '../../electron/hedge/reference-distance.ts';
import { parseSigned } from '../../electron/protocol/decimal.ts';
import { CHAIN, configuredBook } from '../book/fixture.ts';
import {
  firm,
  happens,
  newFolder,
  noService,
  type OpenDesk,
  openDesk,
  quotes,
  request,
  TAKER,
} from '../quoting/open-desk.ts';
import { answering, json } from '../service/http-answers.ts';
import { alertsOf } from './alerts-of.ts';

const PAIR = 'WETH/USDC';
const silent = { info() {}, warn() {}, error() {} };
const FORMULA: Formula = {
  spreadBps: '4',
  tick: '0.01',
  bids: { size: '1', levels: 2, stepBps: '1' },
  asks: { size: '5', levels: 2, stepBps: '1' },
  inventory: { target: '0', limit: '2', bpsPerUnit: '0.5' },
};

/** A desk whose pair has a formula, and a reference over HTTP that says whatever a test lets it say. */
async function priced(
  formula: Formula = FORMULA,
  folder = newFolder(),
  ahead = 0,
  settings: Record<string, unknown> = {},
) {
  const said = { mid: '3400' };
  const http = await answering((asked, response) =>
    json({ prices: said.mid === '' ? {} : { [PAIR]: { mid: said.mid, time: desk.now() } } })(asked, response),
  );
  const chain = {
    referenceUrl: http.url,
    formulas: { [PAIR]: formula },
    referenceCoolDownSeconds: 0,
    headMaxAgeSeconds: 3_600,
    ...settings,
  };
  const desk: OpenDesk = await openDesk({ folder, ahead, chain });
  const polls = new ReferencePolls({ ...desk, log: silent as never, service: noService });
  polls.start();
  onTestFinished(() => polls.stop());
  const parts = { book: desk.book, now: desk.now, references: polls };
  const chainNow = () => {
    const found = desk.book.chain(CHAIN);
    if (found === undefined) throw new Error('no chain');
    return found;
  };
  return {
    desk,
    said,
    polls,
    ladder: () => chainNow().pairs.get(PAIR)?.ladder,
    best: () => {
      const { bids, asks } = chainNow().pairs.get(PAIR)?.ladder.ladder ?? { bids: [], asks: [] };
      return [bids[0]?.[0], asks[0]?.[0]];
    },
    row: () => formulaRows(parts, chainNow(), PAIR)[0],
    tried: (other: Formula) => {
      const pair = chainNow().pairs.get(PAIR);
      if (pair === undefined) throw new Error('no pair');
      return triedFormula(parts, chainNow(), pair, other);
    },
    titles: () => alertsOf(desk, { references: polls }).map(({ title }) => title),
    passes: (seconds: number) => {
      desk.clock.ahead += seconds * 1_000;
      desk.chain.view = { ...desk.chain.view, seenAt: desk.now() } as typeof desk.chain.view;
    },
  };
}

/** The chain says that an order was filled in which the maker gave so many WETH. */
async function filled(desk: OpenDesk, ether: number) {
  const amount = BigInt(ether * 1e6) * 10n ** 12n;
  expect((await firm(desk, request({ makerAmount: `${amount}` }))).status).toBe(200);
  const signed = (await quotes(desk)).at(-1);
  if (!signed?.orderHash || !signed.makerAsset || !signed.takerAsset || !signed.makerAmount || !signed.takerAmount) {
    throw new Error('nothing was signed');
  }
  const { orderHash, makerAsset, takerAsset, makerAmount, takerAmount } = signed;
  const block = desk.released.length + 1;
  const place = {
    chainId: CHAIN,
    orderHash,
    block,
    blockHash: `0x${'b'.repeat(64)}`,
    blockTime: desk.now(),
    transactionHash: `0x${block.toString(16).padStart(64, '0')}`,
    logIndex: 0,
  } as const;
  const body = { ...place, taker: TAKER, makerAsset, takerAsset, makerAmount, takerAmount };
  await happens(desk, { time: desk.now(), actor: 'chain', kind: 'fill', body });
}

describe('a formula on a desk that quotes', () => {
  it('prices by the reference, signs at its prices, and says what they are made of to the last digit', async () => {
    const { desk, said, best, row, passes, titles } = await priced();
    await expect.poll(best).toEqual(['3399.32', '3400.68']);
    await expect.poll(async () => (await firm(desk)).status).toBe(200);
    passes(1);
    said.mid = '3410';
    await expect.poll(best).toEqual(['3409.31', '3410.69']);
    await expect.poll(() => row()?.served?.price.inputs.mid).toBe('3410');
    const now = row();
    expect(formulaRowSchema.parse(now)).toEqual(now);
    expect(now).toMatchObject({
      pricedBy: 'formula',
      why: null,
      served: { revision: desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.revision },
    });
    expect(now?.now?.total).toMatchObject({ bid: { price: '3409.31' }, ask: { price: '3410.69' } });
    const asks = now?.served?.price.terms.map(({ ask }) => parseSigned(ask.price)) ?? [];
    const [n, d] = asks.reduce(([sum, of], part) => [sum * part.d + part.n * of, of * part.d], [0n, 1n]);
    expect(n * 100n).toBe(341_069n * d);
    expect(now?.closings.map(({ by }) => by).sort()).toEqual(['age', 'position', 'position']);
    expect(titles().filter((title) => title.includes(PAIR))).toEqual([]);
  });

  it('leans against what fills did, and closes the side that would take it over its limit', async () => {
    const { desk, best, row, passes, titles } = await priced();
    await expect.poll(best).toEqual(['3399.32', '3400.68']);
    await expect.poll(async () => (await firm(desk)).status).toBe(200);
    passes(1);
    await filled(desk, 1);
    await expect.poll(() => row()?.now?.inputs.position).toBe('-1');
    // Short of one: both prices are half a basis point, 0.17, higher.
    await expect.poll(best).toEqual(['3399.49', '3400.85']);
    passes(1);
    await filled(desk, 1.25);
    await expect.poll(best).toEqual(['3399.70', undefined]);
    await expect.poll(titles).toContain(`The formula of ${PAIR} closes its asks`);
    expect((await firm(desk)).order, 'of what it sells no more').toBeUndefined();
    expect(row()?.closings[0]).toMatchObject({
      by: 'position',
      closes: 'asks',
      nearPercent: 100,
      now: '-2.25',
      limit: '-2',
    });
  });

  it('is closed while its reference is too old, and opens on prices of the first new word', async () => {
    const { desk, said, best, row, passes } = await priced();
    await expect.poll(best).toEqual(['3399.32', '3400.68']);
    await expect.poll(async () => (await firm(desk)).status).toBe(200);
    said.mid = '';
    await expect.poll(() => row()?.now?.inputs.ageMs).toBe(0);
    passes(21);
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'reference_stale' });
    expect(row()?.why).toMatch(/^its reference is 2\d\.\d s old, limit 20 s$/);
    said.mid = '3420';
    await expect.poll(async () => (await firm(desk)).status).toBe(200);
    expect(best()).toEqual(['3419.31', '3420.69']);
  });

  it('widens by the age of the source that is its price while another goes on, and keeps that age with what was said', async () => {
    const { inventory: _, ...plain } = FORMULA;
    const aged: Formula = { ...plain, age: { freeSeconds: '2', bpsPerSecond: '10' } };
    const { desk, said, best, row, passes } = await priced(aged, newFolder(), 0, {
      sources: { engine: { kind: 'push', token: 'mm-1', pairs: [PAIR] } },
      references: { [PAIR]: { sources: ['reference', 'engine'], rule: 'first', upToSeconds: 60 } },
      referenceMaxAgeSeconds: 60,
    });
    await expect.poll(() => row()?.served?.price.inputs.mid).toBe('3400');
    said.mid = '';
    passes(30);
    const references = { [PAIR]: '3401' };
    await desk.book.pushed.push('mm-1', CHAIN, { sequence: 1, references });
    await expect.poll(() => row()?.served?.price.inputs.ageMs).toBeGreaterThanOrEqual(30_000);
    expect(row()?.now?.inputs.mid).toBe('3400');
    expect(Number(best()[1]) - Number(best()[0])).toBeGreaterThan(3_400 * 0.0004 + 3_400 * 0.05);
    const kept = async () => (await desk.journal.read.referenceSamples(CHAIN, PAIR, 0, desk.now())).at(-1);
    await expect.poll(async () => (await kept())?.time).toBeGreaterThan(desk.now() - 20_000);
    const last = await kept();
    expect((last?.time ?? 0) - (last?.midTime ?? 0)).toBeGreaterThanOrEqual(29_000);
  });

  it('waits until it knows how far the reference moved, widens by that, and is closed beyond its bound', async () => {
    const volatility = { windowSeconds: 10, calmBps: '1', times: '2', closesAboveBps: '50' };
    const { desk, said, best, row, passes, titles } = await priced({ ...FORMULA, volatility });
    await expect
      .poll(() => row()?.why)
      .toMatch(/^its reference is known for \d+ s less than the 10 s of its volatility$/);
    await expect.poll(titles).toContain(`${PAIR} is closed: its formula gives no prices`);
    expect((await firm(desk)).status).toBe(503);
    const chain = desk.book.chain(CHAIN);
    const base = chain?.pairs.get(PAIR)?.base;
    if (chain === undefined || base === undefined) throw new Error('no pair');
    const dollars = dollarsPer(chain, base, { references: desk.book.references, now: desk.now() });
    expect(dollars?.rate, 'its reference is as good as ever for rules in dollars').toBe('3400');
    expect(freshMid(desk, CHAIN, PAIR), 'and for hedges').toBe('3400');
    passes(11);
    await expect.poll(best).toEqual(['3399.32', '3400.68']);
    await expect.poll(async () => (await firm(desk)).status).toBe(200);
    passes(1);
    said.mid = '3403.4';
    // 10 bps in 10 s: 9 over what is calm, twice, on each side.
    await expect.poll(best).toEqual(['3396.59', '3410.21']);
    expect(row()?.now?.inputs.volatilityBps).toBe('10');
    passes(1);
    said.mid = '3420';
    await expect.poll(() => row()?.why).toBe('in the last 10 s the mid moved 58.9 bps, limit 50 bps');
    await expect.poll(async () => (await firm(desk)).code).toBe('reference_stale');
    expect(best(), 'the ladder of before is not served').toEqual(['3396.59', '3410.21']);
    passes(12);
    await expect.poll(async () => (await firm(desk)).status).toBe(200);
    expect(best()).toEqual(['3419.31', '3420.69']);
  });

  it('stands still in a person’s hand, goes on when it is given back, and after a restart as well', async () => {
    const folder = newFolder();
    const { desk, said, best, row, passes, polls, tried } = await priced(FORMULA, folder);
    await expect.poll(best).toEqual(['3399.32', '3400.68']);
    const hand = (on: boolean) => desk.book.setHand({ chainId: CHAIN, pair: PAIR, on, actor: 'mara' });
    await hand(true);
    passes(1);
    said.mid = '3400.5';
    await expect.poll(() => desk.book.references.of(CHAIN, PAIR)?.mid).toBe('3400.5');
    expect([best(), row()?.pricedBy]).toEqual([['3399.32', '3400.68'], 'hand']);
    const before = desk.journal.head().seq;
    expect(tried({ ...FORMULA, spreadBps: '40' }).now?.total.bid.price).toBe('3393.69');
    expect(desk.journal.head().seq, 'a try writes nothing').toBe(before);
    await hand(false);
    await expect.poll(best).toEqual(['3399.81', '3401.19']);
    await polls.stop();
    await desk.close();
    const again = await priced(FORMULA, folder, desk.clock.ahead + 2_000);
    expect(again.ladder()?.revision, 'as it was').toBe(desk.book.chain(CHAIN)?.pairs.get(PAIR)?.ladder.revision);
    said.mid = '3400';
    await expect.poll(again.best).toEqual(['3399.32', '3400.68']);
    expect(again.ladder()?.actor).toBe('formula');
    expect(again.row()).toMatchObject({ formula: FORMULA, pricedBy: 'formula' });
  });
});

describe('what a formula works with', () => {
  const volatility = { windowSeconds: 10, calmBps: '1', times: '2' };

  it('counts every mid that was believed, also where the next one is of the same time', async () => {
    const { book, journal, clock } = await configuredBook();
    const pair = book.chain(CHAIN)?.pairs.get(PAIR);
    if (pair === undefined) throw new Error('no pair');
    const inputs = new FormulaInputSource(journal, { of: () => 0n }, () => clock.now);
    const formula: Formula = { ...FORMULA, volatility };
    await inputs.ready(CHAIN, PAIR, formula);
    const said = (mid: string) => inputs.note(CHAIN, PAIR, { mid, time: clock.now });
    said('3400');
    clock.now += 11_000;
    for (const mid of ['3400', '3434', '3400']) said(mid);
    const found = inputs.of(CHAIN, pair, formula, { mid: '3400', time: clock.now });
    expect(found).toMatchObject({ volatilityBps: '100' });
  });

  it('is not known, which is said, where the position cannot be read', async () => {
    const { book, journal, clock } = await configuredBook();
    const pair = book.chain(CHAIN)?.pairs.get(PAIR);
    if (pair === undefined) throw new Error('no pair');
    const inputs = new FormulaInputSource(journal, new NetPositions(journal, silent), () => clock.now);
    const now = () => inputs.of(CHAIN, pair, FORMULA, { mid: '3400', time: clock.now });
    expect(now()).toEqual({ kind: 'later' });
    await expect.poll(now).toMatchObject({ position: '0' });
    await journal.close();
    const broken = new FormulaInputSource(journal, new NetPositions(journal, silent), () => clock.now);
    await expect
      .poll(() => broken.of(CHAIN, pair, FORMULA, { mid: '3400', time: clock.now }))
      .toMatchObject({ kind: 'held', sentence: expect.stringMatching(/long or short of WETH .* cannot be read/) });
  });
});
