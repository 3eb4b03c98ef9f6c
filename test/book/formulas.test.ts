import { describe, expect, it } from 'vitest';
import type { BookPair, ChainBook } from '../../electron/book/chain-book.ts';
import { parseDesk } from '../../electron/book/parse-desk.ts';
import { anchorText, ReferenceFence } from '../../electron/book/reference-fence.ts';
import type { Formula } from '../../electron/contract/formula.ts';
import type { FormulaInputs } from '../../electron/contract/formula-prices.ts';
import { sentenceText } from '../../electron/contract/journal.ts';
import { CHAIN, chain, configuredBook, deskFile, folder, NOON, type OpenBook, openBook, refusal } from './fixture.ts';

const PAIR = 'WETH/USDC';
const OTHER = 'DAI/USDC';
const FORMULA: Formula = {
  spreadBps: '4',
  tick: '0.1',
  bids: { size: '1', levels: 2, stepBps: '1' },
  asks: { size: '1', levels: 2, stepBps: '1' },
  inventory: { target: '0', limit: '10', bpsPerUnit: '0.1' },
};
const ANA = { actor: 'ana' };

function desk(changes: Record<string, unknown> = {}) {
  return { ...deskFile(), chains: [chain({ referenceUrl: 'http://127.0.0.1:1/reference', ...changes })] };
}

const ladderOf = ({ book }: Pick<OpenBook, 'book'>, pair = PAIR) => book.chain(CHAIN)?.pairs.get(pair)?.ladder;
const config = ({ book }: Pick<OpenBook, 'book'>) => book.chain(CHAIN)?.config;
const set = ({ book }: Pick<OpenBook, 'book'>, formula: Formula | null, seen: Formula | null = null) =>
  book.setFormula({ chainId: CHAIN, pair: PAIR, formula, seen, ...ANA });

/** The reference says this a second later, and the desk is long so much. */
async function hear({ book, clock }: Pick<OpenBook, 'book' | 'clock'>, mid: string, position = '0', pair = PAIR) {
  clock.now += 1_000;
  const inputs: FormulaInputs = { mid, ageMs: 0, position, volatilityBps: null };
  return (await book.follow(CHAIN, new Map([[pair, mid]]), () => inputs)).get(pair);
}

const rows = async ({ journal }: OpenBook) => (await journal.read.revisions(CHAIN, PAIR, 20)).map(({ actor }) => actor);

describe('a pair with a formula', () => {
  it('is priced by it from the next price on, as revisions under the name formula, of which the journal keeps two prices each', async () => {
    const at = folder();
    const opened = await configuredBook(desk(), at);
    await set(opened, FORMULA);
    expect(await hear(opened, '3411')).toEqual({ kind: 'follows' });
    expect(ladderOf(opened)).toMatchObject({ revision: 2, actor: 'formula' });
    expect(ladderOf(opened)?.ladder).toEqual({
      bids: [
        ['3410.3', '1'],
        ['3409.9', '1'],
      ],
      asks: [
        ['3411.7', '1'],
        ['3412.1', '1'],
      ],
    });
    const moves: unknown[] = [];
    opened.journal.onAppended((events) => moves.push(...events.map(({ kind, body }) => [kind, JSON.stringify(body)])));
    await hear(opened, '3412');
    await hear(opened, '3412.5', '2.5');
    expect(moves).toEqual([
      ['ladders_moved', `{"chainId":${CHAIN},"moves":[["WETH/USDC",3,"3411.3","3412.7"]]}`],
      ['ladders_moved', `{"chainId":${CHAIN},"moves":[["WETH/USDC",4,"3411.7","3413.1"]]}`],
    ]);
    expect(opened.book.servedBy(CHAIN, PAIR)).toMatchObject({ revision: 4, price: { inputs: { position: '2.5' } } });
    const live = ladderOf(opened);
    expect((await opened.journal.read.revisions(CHAIN, PAIR, 1))[0]).toEqual(live);
    await opened.close();
    const again = await openBook(at, { now: NOON + 60_000 });
    expect(ladderOf(again)).toEqual(live);
    expect(again.book.servedBy(CHAIN, PAIR), 'nothing is known of what it was made of').toBeNull();
    await hear(again, '3420');
    expect(ladderOf(again)).toMatchObject({ revision: 5, actor: 'formula' });
    expect(ladderOf(again)?.ladder.bids[0]?.[0]).toBe('3419.3');
  });

  it('moves at most once a second, and stands still where nothing changes', async () => {
    const opened = await configuredBook(desk({ formulas: { [PAIR]: FORMULA } }));
    await hear(opened, '3411');
    opened.clock.now += 300;
    const inputs: FormulaInputs = { mid: '3420', ageMs: 0, position: '0', volatilityBps: null };
    const soon = await opened.book.follow(CHAIN, new Map([[PAIR, '3420']]), () => inputs);
    expect(soon.get(PAIR)).toEqual({ kind: 'later' });
    expect(await hear(opened, '3411')).toEqual({ kind: 'follows' });
    expect(ladderOf(opened)?.revision).toBe(2);
  });

  it('closes the side that would take it over its limit, opens it again, and closes the pair where neither is left', async () => {
    const opened = await configuredBook(desk({ formulas: { [PAIR]: { ...FORMULA, closesAboveSpreadBps: '4' } } }));
    await hear(opened, '3411', '9.999');
    expect(ladderOf(opened)?.ladder.bids).toHaveLength(2);
    await hear(opened, '3411', '10');
    expect(ladderOf(opened)?.ladder).toEqual({
      bids: [],
      asks: [
        ['3411.4', '1'],
        ['3411.8', '1'],
      ],
    });
    await hear(opened, '3420', '12');
    expect(ladderOf(opened)?.ladder).toMatchObject({ bids: [] });
    await hear(opened, '3420', '-10');
    expect(ladderOf(opened)?.ladder).toMatchObject({ asks: [] });
    await hear(opened, '3420', '3');
    const { bids = [], asks = [] } = ladderOf(opened)?.ladder ?? {};
    expect([bids.length, asks.length]).toEqual([2, 2]);
    expect(await opened.journal.read.revisions(CHAIN, PAIR, 1)).toEqual([ladderOf(opened)]);
    opened.clock.now += 1_000;
    await set(opened, { ...FORMULA, closesAboveSpreadBps: '3' }, { ...FORMULA, closesAboveSpreadBps: '4' });
    const sentence = 'its asked spread is 4.0 bps, limit 3 bps';
    expect(await hear(opened, '3420', '3')).toEqual({ kind: 'held', sentence });
    expect(ladderOf(opened)?.ladder.bids, 'the guard closes it; its ladder stays').toHaveLength(2);
  });

  it('is held back where its ladder could not be listed, and takes no other pair with it', async () => {
    const opened = await configuredBook(desk({ formulas: { [PAIR]: FORMULA }, follow: [OTHER] }));
    const huge: FormulaInputs = { mid: `1${'0'.repeat(71)}`, ageMs: 0, position: '0', volatilityBps: null };
    opened.clock.now += 1_000;
    const mids = new Map([
      [PAIR, huge.mid],
      [OTHER, '1.01'],
    ]);
    const outcomes = await opened.book.follow(CHAIN, mids, () => huge);
    expect(outcomes.get(PAIR)).toMatchObject({ kind: 'held', sentence: expect.stringContaining('2^256') });
    expect(outcomes.get(OTHER)).toEqual({ kind: 'follows' });
    expect(ladderOf(opened)?.revision).toBe(1);
  });
});

describe('the reference of a pair with a formula', () => {
  /** The most that the reference came to in so many hours of 9 % more each, and why it was not believed at last. */
  async function drifted(opened: OpenBook, fence: ReferenceFence, hours: number) {
    const chainOf = () => opened.book.chain(CHAIN) as ChainBook;
    const pairOf = () => chainOf().pairs.get(PAIR) as BookPair;
    if (!fence.knows(CHAIN, PAIR)) fence.begin(CHAIN, pairOf(), null, opened.clock.now);
    let said = 3_412.75;
    for (let minute = 0; minute < hours * 60; minute += 5) {
      opened.clock.now += 5 * 60_000;
      const mid = (said * 1.09 ** (1 / 12)).toFixed(2);
      const why = fence.judge(chainOf(), pairOf(), mid, opened.clock.now);
      if (why !== null) return { said, why };
      said = Number(mid);
      await hear(opened, mid, minute % 45 === 0 ? '11' : '0');
    }
    return { said, why: null };
  }

  it('is held to what a person published last, however many ladders the formula wrote and whichever side it closed', async () => {
    const at = folder();
    const opened = await configuredBook(desk({ formulas: { [PAIR]: FORMULA } }), at);
    const { said, why } = await drifted(opened, new ReferenceFence(), 24);
    expect(why).toContain('more than 2500 bps from 3412.75, around which a person published last');
    expect(said).toBeGreaterThan(4_200);
    const live = ladderOf(opened);
    expect(live).toMatchObject({ actor: 'formula', anchor: '3412.75' });
    expect((await opened.journal.read.revisions(CHAIN, PAIR, 1))[0]).toEqual(live);
    await opened.close();
    const again = await openBook(at, { now: opened.clock.now });
    expect(ladderOf(again), 'and after a restart as well').toEqual(live);
  });

  it('is held to the next that a person publishes, or says it stands well around', async () => {
    const opened = await configuredBook(desk({ formulas: { [PAIR]: FORMULA } }));
    await hear(opened, '3800');
    await hear(opened, '4100');
    const heard = { mid: '4400', time: opened.clock.now, heldBack: 'too far', fenced: true };
    opened.book.references.record(CHAIN, new Map([[PAIR, heard]]));
    await opened.book.acceptReference({ chainId: CHAIN, pair: PAIR, mid: '4400' }, 'ana');
    for (const mid of ['4500', '4700', '5100']) {
      await hear(opened, mid);
      const live = ladderOf(opened);
      expect([live?.actor, live && anchorText({ ladder: live })]).toEqual(['formula', '4400']);
    }
  });

  it('is held to the best price that a person published where that has one side', async () => {
    const opened = await configuredBook(
      desk({ prices: { [PAIR]: { bids: [], asks: [['3413', '1']] } }, formulas: { [PAIR]: FORMULA } }),
    );
    for (const mid of ['3500', '3501', '3900']) await hear(opened, mid, '11');
    expect(ladderOf(opened)).toMatchObject({ ladder: { bids: [] }, anchor: '3413' });
    const asks = [
      ['3600.0', '1'],
      ['3600.4', '1'],
    ];
    const moved = { ladder: { bids: [], asks }, followed: { mid: '3600', bids: '0', asks: '187.0' } };
    expect(anchorText({ ladder: moved as never })).toBe('3413');
  });
});

describe('one pair has one driver', () => {
  it('a formula ends following, and following is refused while it prices', async () => {
    const opened = await configuredBook(desk({ follow: [PAIR] }));
    await set(opened, FORMULA);
    expect(config(opened)).toMatchObject({ follow: [], formulas: { [PAIR]: FORMULA } });
    const request = { chainId: CHAIN, pair: PAIR, on: true, ...ANA };
    expect(await refusal(opened.book.setFollow(request))).toMatchObject({ code: 'priced_by_formula' });
    await set(opened, null, FORMULA);
    await opened.book.setFollow(request);
    await hear(opened, '3500');
    expect(ladderOf(opened)?.actor).toBe('follow');
  });

  it('an engine’s prices are refused while a formula prices, and taken once it is removed', async () => {
    const opened = await configuredBook(desk());
    const push = (sequence: number, mid = '3412.8') =>
      opened.book.pushed.push('mm-1', CHAIN, { sequence, mids: { [PAIR]: mid } });
    expect((await push(1)).refused).toEqual({});
    await set(opened, FORMULA);
    expect((await push(2)).refused).toMatchObject({
      [PAIR]: { code: 'taken_over', error: `${PAIR} is priced by its formula until a person removes that.` },
    });
    await hear(opened, '3411');
    expect(ladderOf(opened)?.actor).toBe('formula');
    await hear(opened, '3413');
    await set(opened, null, FORMULA);
    const ladder = ladderOf(opened)?.ladder;
    const { revisions, refused } = await push(1, '3420');
    expect([revisions, refused]).toEqual([{ [PAIR]: ladderOf(opened)?.revision }, {}]);
    expect(ladderOf(opened)?.actor).toBe('prices:mm-1');
    expect(ladderOf(opened)?.ladder).not.toEqual(ladder);
    expect(await opened.journal.read.revisions(CHAIN, PAIR, 1)).toEqual([ladderOf(opened)]);
  });

  it('a person’s publish takes the pair over, and the formula goes on when it is given back', async () => {
    const at = folder();
    const opened = await configuredBook(desk({ formulas: { [PAIR]: FORMULA } }), at);
    await hear(opened, '3411');
    const edits = [{ kind: 'set', side: 'asks', level: 0, field: 'price', value: '3411.9' }] as const;
    const draft = await opened.book.edit(CHAIN, PAIR, [...edits], 'ana');
    await opened.book.publish(CHAIN, PAIR, draft.version, 'ana');
    expect(config(opened)).toMatchObject({ byHand: [PAIR], formulas: { [PAIR]: FORMULA } });
    expect(await hear(opened, '3500')).toBeUndefined();
    expect(ladderOf(opened)).toMatchObject({ actor: 'ana', revision: 3 });
    await opened.close();
    const again = await openBook(at, { now: NOON + 60_000 });
    expect(await hear(again, '3500')).toBeUndefined();
    await again.book.setHand({ chainId: CHAIN, pair: PAIR, on: false, ...ANA });
    await hear(again, '3500');
    expect(ladderOf(again)).toMatchObject({ actor: 'formula', revision: 4 });
    expect(await rows(again)).toEqual(['formula', 'ana', 'formula', 'mara']);
    await again.book.setHand({ chainId: CHAIN, pair: PAIR, on: true, ...ANA });
    expect(await hear(again, '3600')).toBeUndefined();
  });

  it('a person who says where the market is does not take it over', async () => {
    const opened = await configuredBook(desk({ formulas: { [PAIR]: FORMULA } }));
    await hear(opened, '3411');
    const heard = { mid: '3800', time: opened.clock.now, heldBack: 'too far', fenced: true };
    opened.book.references.record(CHAIN, new Map([[PAIR, heard]]));
    await opened.book.acceptReference({ chainId: CHAIN, pair: PAIR, mid: '3800' }, 'ana');
    expect(ladderOf(opened)?.actor).toBe('ana');
    await hear(opened, '3801');
    expect(ladderOf(opened)).toMatchObject({
      actor: 'formula',
      ladder: {
        bids: [
          ['3800.2', '1'],
          ['3799.8', '1'],
        ],
      },
    });
  });

  it('a pair that is retired has no formula when it comes back', async () => {
    const opened = await configuredBook(desk({ formulas: { [PAIR]: FORMULA } }));
    await opened.book.retirePair(CHAIN, PAIR, 'ana');
    expect(config(opened)?.formulas).toEqual({});
    expect(await refusal(set(opened, FORMULA))).toMatchObject({ code: 'pair_retired' });
    expect((await opened.book.deskFile()).chains[0]).not.toHaveProperty('formulas');
  });
});

describe('a formula is set', () => {
  it('where it still is the one that was seen, and removed the same way', async () => {
    const opened = await configuredBook(desk());
    const { seq: first } = await set(opened, FORMULA);
    const wider = { ...FORMULA, spreadBps: '9' };
    expect(await refusal(set(opened, wider))).toMatchObject({ code: 'changed_meanwhile' });
    expect(await refusal(set(opened, null, wider))).toMatchObject({ code: 'changed_meanwhile' });
    const { seq } = await set(opened, wider, FORMULA);
    expect(config(opened)?.formulas).toEqual({ [PAIR]: wider });
    expect(await said(opened, seq)).toBe('set its formula: spread 4 bps → 9 bps');
    expect(await said(opened, first)).toMatch(
      /^priced it by a formula: spread 4 bps, tick 0.1, bids 2 × 1, 1 bps apart/,
    );
    const { seq: last } = await set(opened, null, wider);
    expect(await said(opened, last)).toBe('removed its formula: it stands where it is');
  });

  it('only where it fits its pair, and each fault is named with its path', async () => {
    const opened = await configuredBook(desk());
    const faulty: Formula = {
      ...FORMULA,
      bids: { size: '0.0000000000000000001', levels: 1, stepBps: '1' },
      inventory: { target: '-10', limit: '10', bpsPerUnit: '1' },
    };
    const { code, faults } = await refusal(set(opened, faulty));
    expect(code).toBe('formula_refused');
    expect(faults).toEqual([
      'inventory.target: must be within the limit',
      'bids.size: leaves nothing of level 1: WETH has 18 decimals',
    ]);
    const alone = await configuredBook(deskFile());
    expect(await refusal(set(alone, FORMULA))).toMatchObject({ code: 'no_reference' });
  });

  it('in the desk file, which is exported as it was imported and names what is wrong', async () => {
    const file = desk({ formulas: { [PAIR]: FORMULA } });
    const opened = await configuredBook(file);
    const exported = await opened.book.deskFile();
    expect(exported.chains[0]?.formulas).toEqual({ [PAIR]: FORMULA });
    const wrong = desk({
      follow: [PAIR],
      formulas: { 'OLD/USDC': FORMULA, [PAIR]: { ...FORMULA, tick: '0', spreadBps: '1e3' } },
    });
    const faultsOf = (of: unknown) => {
      try {
        parseDesk(of);
      } catch (error) {
        return (error as { faults: { path: string; message: string }[] }).faults.map(({ path }) => path);
      }
      return [];
    };
    expect(faultsOf(wrong)).toEqual([
      'chains[0].formulas["WETH/USDC"].spreadBps',
      'chains[0].formulas["WETH/USDC"].tick',
    ]);
    expect(faultsOf(desk({ follow: [PAIR], formulas: { 'OLD/USDC': FORMULA, [PAIR]: FORMULA } }))).toEqual([
      'chains[0].formulas["OLD/USDC"]',
      'chains[0].formulas["WETH/USDC"]',
    ]);
    expect(faultsOf(desk({ referenceUrl: null, formulas: { [PAIR]: FORMULA } }))).toEqual([
      'chains[0].formulas["WETH/USDC"]',
    ]);
  });
});

/** What a row of the journal says to a person. */
async function said({ journal }: OpenBook, seq: number): Promise<string> {
  const event = await journal.read.eventAt(seq);
  return event === undefined ? '' : sentenceText(event.row);
}
