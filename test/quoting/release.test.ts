import { describe, expect, it } from 'vitest';
import { address, CHAIN, USER } from '../book/fixture.ts';
import { HeldJournal } from './held-journal.ts';
import { type Answered, DOLLAR, ETHER, firm, type OpenDesk, openDesk, person, quotes, request } from './open-desk.ts';

async function deskWithHeldJournal(changes: Parameters<typeof openDesk>[0] = {}) {
  const held = new HeldJournal();
  const desk = await openDesk({ ...changes, journal: held.around });
  return { held, desk };
}

const live = (desk: OpenDesk) => desk.guard.orders.rows().find(({ tokenId }) => tokenId === 'WETH')?.live;
const states = async (desk: OpenDesk) => (await quotes(desk)).map(({ state, code }) => [state, code]);

describe('an order', () => {
  it('is not handed over before its row is durable', async () => {
    const { held, desk } = await deskWithHeldJournal();
    held.hold('quote');
    let answer: Answered | undefined;
    const asked = firm(desk).then((given) => {
      answer = given;
    });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(held.held).toHaveLength(1);
    expect(answer).toBe(undefined);
    expect(desk.released).toEqual([]);
    held.letGo();
    await asked;
    expect(answer?.order).toBeDefined();
    expect(desk.released).toHaveLength(1);
    expect(await states(desk)).toEqual([['live', null]]);
  });

  it('is not handed over before its signature was recovered, and is judged again then', async () => {
    const verdicts: ((isOwn: boolean) => void)[] = [];
    const isOwn = () => new Promise<boolean>((resolve) => verdicts.push(resolve));
    const desk = await openDesk({ quoter: { checks: { isOwn } } });
    const asked = [firm(desk), firm(desk), firm(desk)];
    await expect.poll(() => states(desk)).toEqual([0, 1, 2].map(() => ['live', null]));
    expect(desk.released).toEqual([]);
    verdicts[0]?.(true);
    expect((await asked[0])?.order).toBeDefined();
    expect(desk.released).toHaveLength(1);
    const stopped = desk.guard.trading.halt({}, person);
    verdicts[1]?.(true);
    expect(await asked[1]).toMatchObject({ status: 503, code: 'halted', order: undefined });
    verdicts[2]?.(false);
    expect(await asked[2]).toMatchObject({ status: 503, code: 'internal', order: undefined });
    await stopped;
    expect(desk.released).toHaveLength(1);
    await expect
      .poll(() => states(desk))
      .toEqual([
        ['live', null],
        ['withheld', 'halted'],
        ['withheld', 'internal'],
      ]);
  });

  it('whose signature is not recovered by its deadline is withheld, and the caller is told at the deadline', async () => {
    let recovered = (_isOwn: boolean) => {};
    const isOwn = () =>
      new Promise<boolean>((resolve) => {
        recovered = resolve;
      });
    const desk = await openDesk({ desk: { deadlineMs: 100 }, quoter: { checks: { isOwn } } });
    const asked = firm(desk);
    desk.clock.ahead += 100;
    expect(await asked).toMatchObject({ status: 503, code: 'deadline' });
    recovered(true);
    await expect.poll(() => states(desk)).toEqual([['withheld', 'deadline']]);
    expect(desk.released).toEqual([]);
  });

  it.each<[string, (desk: OpenDesk) => unknown, number, string]>([
    ['a halt of the desk', (desk) => desk.guard.trading.halt({}, person), 503, 'halted'],
    ['a halt of its chain', (desk) => desk.guard.trading.halt({ chainId: CHAIN }, person), 503, 'halted'],
    [
      'its pair being switched off',
      (desk) => desk.guard.trading.halt({ chainId: CHAIN, pair: 'WETH/USDC' }, person),
      409,
      'pair_disabled',
    ],
    [
      'its side being switched off',
      (desk) => desk.guard.trading.halt({ chainId: CHAIN, pair: 'WETH/USDC', side: 'asks' }, person),
      409,
      'side_disabled',
    ],
    ['its pair retiring', (desk) => desk.book.retirePair(CHAIN, 'WETH/USDC', 'mara'), 409, 'pair_disabled'],
    [
      'its user being blacklisted',
      (desk) => desk.book.blacklistAdd({ address: USER, actor: 'mara' }),
      200,
      'blacklisted',
    ],
    [
      'its user being blacklisted by this desk alone',
      (desk) => desk.book.blacklistAdd({ address: USER, onlyHere: true, actor: 'mara' }),
      422,
      'user_barred',
    ],
    [
      'a lower limit for one quote',
      (desk) => desk.book.setLimits(CHAIN, limits({ maxQuote: { WETH: '0.05' } }), 'mara'),
      422,
      'quote_limit',
    ],
    [
      'a lower limit for all',
      (desk) => desk.book.setLimits(CHAIN, limits({ maxOutstanding: { WETH: '0.05' } }), 'mara'),
      422,
      'outstanding_limit',
    ],
  ])('that was committed but not handed over is withheld after %s', async (_, stop, status, code) => {
    const { held, desk } = await deskWithHeldJournal();
    held.hold('quote');
    const asked = firm(desk);
    const stopped = stop(desk);
    expect(live(desk)).toBe(`${ETHER / 10n}`);
    held.letGo();
    expect(await asked).toMatchObject({ status, order: undefined, ...(code === 'blacklisted' ? {} : { code }) });
    await stopped;
    await expect.poll(() => states(desk)).toEqual([['withheld', code]]);
    // Nobody has it, so it does not count against the balance any more.
    await expect.poll(() => live(desk)).toBe('0');
  });

  it.each<[string, (desk: OpenDesk) => unknown]>([
    ['another pair is switched off', (desk) => desk.guard.trading.halt({ chainId: CHAIN, pair: 'DAI/USDC' }, person)],
    [
      'the other side is switched off',
      (desk) => desk.guard.trading.halt({ chainId: CHAIN, pair: 'WETH/USDC', side: 'bids' }, person),
    ],
    ['another user is blacklisted', (desk) => desk.book.blacklistAdd({ address: address('9'), actor: 'mara' })],
    [
      'a limit is lowered that it keeps',
      (desk) => desk.book.setLimits(CHAIN, limits({ maxQuote: { WETH: '0.1' } }), 'mara'),
    ],
    ['the desk begins to drain', (desk) => desk.guard.trading.drain({}, 10, person)],
  ])('is handed over although %s meanwhile', async (_, stop) => {
    const { held, desk } = await deskWithHeldJournal();
    held.hold('quote');
    const asked = firm(desk);
    const stopped = stop(desk);
    held.letGo();
    expect((await asked).order).toBeDefined();
    await stopped;
  });

  it('accepted before a halt is withheld although the desk was resumed meanwhile', async () => {
    const { held, desk } = await deskWithHeldJournal();
    held.hold('quote');
    const asked = firm(desk);
    await desk.guard.trading.halt({}, person);
    await desk.guard.trading.resume({}, person);
    held.letGo();
    expect(await asked).toMatchObject({ status: 503, code: 'halted' });
    expect((await firm(desk)).order).toBeDefined();
    await expect
      .poll(() => states(desk))
      .toEqual([
        ['withheld', 'halted'],
        ['live', null],
      ]);
  });

  it('that becomes durable after its deadline is withheld; the caller was told at the deadline', async () => {
    const { held, desk } = await deskWithHeldJournal({ desk: { deadlineMs: 100 } });
    held.hold('quote');
    const asked = firm(desk);
    desk.clock.ahead += 100;
    expect(await asked).toMatchObject({ status: 503, code: 'deadline' });
    expect(desk.quoter.counts().inFlight).toBe(1);
    held.letGo();
    await expect.poll(() => states(desk)).toEqual([['withheld', 'deadline']]);
    await expect.poll(() => live(desk)).toBe('0');
    expect(desk.released).toEqual([]);
    expect(desk.quoter.counts().inFlight).toBe(0);
  });

  it('does not leave with less than two minutes to live', async () => {
    const { held, desk } = await deskWithHeldJournal({
      chain: { quoteLifetimeSeconds: 125 },
      desk: { deadlineMs: 10_000 },
    });
    held.hold('quote');
    const asked = firm(desk);
    desk.clock.ahead += 6_000; // both clocks: still before the deadline
    held.letGo();
    expect(await asked).toMatchObject({ status: 503, code: 'deadline' });
  });

  it('is one of 1,000 in flight at most: more are refused at once', async () => {
    const { held, desk } = await deskWithHeldJournal({
      chain: { prices: { 'WETH/USDC': { asks: [['3413', '1000']] } } },
      desk: { deadlineMs: 10_000 },
    });
    held.hold('quote');
    const small = request({ makerAmount: `${DOLLAR * DOLLAR}` });
    const asked = Array.from({ length: 1_003 }, () => firm(desk, small));
    expect((await Promise.all(asked.slice(1_000))).map(({ status, code }) => [status, code])).toEqual([
      [503, 'busy'],
      [503, 'busy'],
      [503, 'busy'],
    ]);
    held.letGo();
    const answers = await Promise.all(asked.slice(0, 1_000));
    expect(answers.every(({ order }) => order !== undefined)).toBe(true);
    expect((await firm(desk, small)).order).toBeDefined();
  });

  it('whose row alone is refused is never handed over and does not count', async () => {
    const { held, desk } = await deskWithHeldJournal();
    held.refuse('quote');
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'journal_failed' });
    expect(live(desk)).toBe('0');
    expect(desk.guard.status().state).toBe('LIVE');
  });

  it('whose row may or may not be on a broken disk is never handed over, counts on, and the desk halts', async () => {
    const { held, desk } = await deskWithHeldJournal();
    held.hold('quote');
    const asked = firm(desk);
    held.breakDown();
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
    expect(desk.guard.status()).toMatchObject({
      state: 'HALTED',
      reason: expect.stringContaining('The disk is full.'),
    });
    held.letGo();
    expect(await asked).toMatchObject({ status: 503, order: undefined });
    expect(live(desk)).toBe(`${ETHER / 10n}`);
  });

  it('counts as live after a restart when the desk died between commit and hand-over', async () => {
    const { held, desk } = await deskWithHeldJournal();
    held.hold('quote', 'quote_withheld');
    const asked = firm(desk);
    await desk.guard.trading.halt({}, person);
    held.letGoOnly();
    expect((await asked).order).toBe(undefined);
    await desk.close();
    const again = await openDesk({ folder: desk.folder });
    expect(await states(again)).toEqual([['live', null]]);
    expect(live(again)).toBe(`${ETHER / 10n}`);
    expect(again.guard.status().state).toBe('HALTED');
  });
});

function limits(changes: object) {
  return { maxQuote: {}, maxOutstanding: {}, quotesPerUserPerMinute: 0, ladderMaxAgeSeconds: 0, ...changes };
}
