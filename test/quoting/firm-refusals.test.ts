import { describe, expect, it } from 'vitest';
import { REFUSALS } from '../../electron/contract/refusal.ts';
import { address, CHAIN, DAI, USDC, USER, WETH } from '../book/fixture.ts';
import { DOLLAR, ETHER, firm, type OpenDesk, openDesk, person, quotes, request, seen, TAKER } from './open-desk.ts';

const off = (desk: OpenDesk, scope: object) => desk.guard.trading.halt({ chainId: CHAIN, ...scope }, person);

describe('a firm request that is refused', () => {
  it.each<[string, unknown]>([
    ['not JSON', '{"makerAsset":'],
    ['no object', '[]'],
    ['both amounts', request({ takerAmount: '5' })],
    ['neither amount', request({ makerAmount: undefined })],
    ['a zero amount', request({ makerAmount: '0' })],
    ['the zero user', request({ userAddress: address('0') })],
    ['fields behind __proto__', `{"__proto__":${JSON.stringify(request())}}`],
  ])('for its form (%s) gets a sentence, and is counted but not journaled', async (_, body) => {
    const desk = await openDesk();
    expect(await firm(desk, body)).toMatchObject({
      status: 400,
      code: 'invalid_request',
      body: { error: expect.any(String) },
    });
    expect(await quotes(desk)).toEqual([]);
    expect(desk.quoter.counts()).toMatchObject({ unparsable: 1 });
  });

  it.each<[string, number, string, Record<string, unknown>, Record<string, unknown>]>([
    ['two tokens that are no pair', 404, 'unknown_pair', {}, { takerAsset: DAI }],
    ['a side without prices', 409, 'no_price', { prices: { 'WETH/USDC': { bids: [['3412', '1']] } } }, {}],
    ['more than the depth', 422, 'insufficient_depth', {}, { makerAmount: `${2n * ETHER}` }],
    [
      'less than a raw unit of the other token',
      422,
      'amount_too_small',
      {},
      { takerAmount: '1', makerAmount: undefined, makerAsset: USDC, takerAsset: WETH },
    ],
    ['a taker that is not on the list', 422, 'taker_not_allowed', { takers: [address('9')] }, {}],
    ['more than one quote may give', 422, 'quote_limit', { limits: { maxQuote: { WETH: '0.05' } } }, {}],
    ['more than one quote may bring in', 422, 'quote_limit', { limits: { maxQuote: { USDC: '300' } } }, {}],
    ['more than may be outstanding', 422, 'outstanding_limit', { limits: { maxOutstanding: { WETH: '0.05' } } }, {}],
    ['a ladder that is too old', 503, 'ladder_stale', { limits: { ladderMaxAgeSeconds: 1 } }, {}],
  ])('for %s gets %i %s and a row', async (_, status, code, chain, changes) => {
    const desk = await openDesk({ chain });
    if (code === 'ladder_stale') {
      desk.clock.ahead += 2_000;
      desk.chain.view = seen(desk.now());
    }
    const answer = await firm(desk, request(changes));
    expect(answer).toMatchObject({ status, code, order: undefined, body: { error: expect.any(String) } });
    await expect
      .poll(() => quotes(desk))
      .toMatchObject([{ state: 'refused', code, userAddress: USER, orderHash: null }]);
  });

  it('allows what a limit allows exactly, and treats zero as no limit', async () => {
    const limits = { maxQuote: { WETH: '0.1', USDC: '0' }, maxOutstanding: { WETH: '0.2' } };
    const desk = await openDesk({ chain: { limits, takers: [TAKER] } });
    expect((await firm(desk)).status).toBe(200);
    expect((await firm(desk)).status).toBe(200);
    expect((await firm(desk)).code).toBe('outstanding_limit');
    expect((await firm(desk, request({ makerAmount: `${ETHER / 10n + 1n}` }))).code).toBe('quote_limit');
  });

  it('counts quotes per user and minute', async () => {
    const desk = await openDesk({ chain: { limits: { quotesPerUserPerMinute: 2 } } });
    const codes = async () => (await firm(desk)).code ?? 'order';
    expect([await codes(), await codes(), await codes()]).toEqual(['order', 'order', 'user_rate']);
    expect((await firm(desk, request({ userAddress: address('7') }))).status).toBe(200);
    desk.clock.ahead += 60_000;
    desk.chain.view = seen(desk.now());
    expect(await codes()).toBe('order');
  });

  it('still counts them after a restart', async () => {
    const chain = { limits: { quotesPerUserPerMinute: 2 } };
    const before = await openDesk({ chain });
    await firm(before);
    await firm(before);
    await before.close();
    expect((await firm(await openDesk({ folder: before.folder }))).code).toBe('user_rate');
  });

  it('for its pair or side being off says which', async () => {
    const desk = await openDesk();
    await off(desk, { pair: 'WETH/USDC', side: 'bids' });
    expect((await firm(desk, request({ makerAsset: USDC, takerAsset: WETH, makerAmount: '1000000' }))).code).toBe(
      'side_disabled',
    );
    expect((await firm(desk)).status).toBe(200);
    await off(desk, { pair: 'WETH/USDC' });
    expect(await firm(desk)).toMatchObject({ status: 409, code: 'pair_disabled' });
  });

  it('gives a blacklisted user a success without an order, or 403 where the desk file asks for that', async () => {
    const omit = await openDesk({ chain: { blacklist: [USER] } });
    expect(await firm(omit)).toMatchObject({ status: 200, order: undefined, body: { message: expect.any(String) } });
    expect(Object.keys((await firm(omit)).body)).toEqual(['message']);
    await expect.poll(async () => (await quotes(omit))[0]?.code).toBe('blacklisted');
    const forbidden = await openDesk({ chain: { blacklist: [USER], blacklistedAnswer: 'forbidden' } });
    expect(await firm(forbidden)).toMatchObject({ status: 403, code: 'blacklisted' });
  });

  it('gives a user whom this desk alone blacklists 422 with a code of its own, also where the list is answered 403', async () => {
    const desk = await openDesk({
      chain: { blacklist: [{ address: USER, onlyHere: true }], blacklistedAnswer: 'forbidden' },
    });
    expect(await firm(desk)).toMatchObject({
      status: 422,
      code: 'user_barred',
      order: undefined,
      body: { error: REFUSALS.user_barred.sentence },
    });
    await expect.poll(() => quotes(desk)).toMatchObject([{ state: 'refused', code: 'user_barred' }]);
    expect(desk.quoter.served(CHAIN).blacklist).toEqual([]);
  });

  it('for want of balance or allowance is strict: as much as there is, is not enough', async () => {
    const desk = await openDesk({ chain: { reserve: { WETH: '0.5' } } });
    const amount = ETHER / 10n;
    const holds = (balance: bigint, allowance: bigint) => {
      const view = seen(desk.now());
      desk.chain.view = { ...view, balances: new Map([[WETH, { balance, allowance }]]) };
    };
    const needed = amount + ETHER / 2n;
    holds(needed, 10n * ETHER);
    expect(await firm(desk)).toMatchObject({ status: 422, code: 'insufficient_balance' });
    holds(10n * ETHER, needed);
    expect((await firm(desk)).code).toBe('insufficient_balance');
    holds(needed + 1n, needed + 1n);
    expect((await firm(desk)).status).toBe(200);
    expect((await firm(desk)).code).toBe('insufficient_balance');
  });

  it('sees the reservations of requests that are still on their way', async () => {
    const desk = await openDesk();
    desk.chain.view = seen(desk.now(), { [WETH]: ETHER });
    const answers = await Promise.all(Array.from({ length: 50 }, () => firm(desk)));
    expect(answers.filter(({ order }) => order !== undefined)).toHaveLength(9);
    expect(answers.filter(({ code }) => code === 'insufficient_balance')).toHaveLength(41);
  });

  it('for a token whose balance could not be read closes no other token', async () => {
    const desk = await openDesk();
    const { balances, ...view } = seen(desk.now());
    desk.chain.view = {
      ...view,
      balances: new Map([...balances].filter(([token]) => token !== WETH)),
      unreadable: [WETH],
    };
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'chain_unseen' });
    expect((await firm(desk, request({ makerAsset: USDC, takerAsset: WETH, makerAmount: `${DOLLAR}` }))).status).toBe(
      200,
    );
  });

  it('has balances older than allowed as a reason only while they are', async () => {
    const desk = await openDesk({ chain: { balanceMaxAgeSeconds: 30 } });
    expect(desk.quoter.served(CHAIN).closed).toBe(null);
    desk.clock.ahead = 31_000;
    expect(await firm(desk)).toMatchObject({ status: 503, code: 'chain_unseen' });
    desk.quoter.tick();
    expect(desk.quoter.served(CHAIN).closed).toBe('chain_unseen');
    desk.chain.view = seen(desk.now(), {}, 2);
    desk.quoter.chainSeen(CHAIN);
    expect(desk.quoter.served(CHAIN).closed).toBe(null);
    expect((await firm(desk)).status).toBe(200);
    desk.chain.view = undefined;
    expect((await firm(desk)).code).toBe('chain_unseen');
    expect(desk.guard.status()).toMatchObject({ state: 'LIVE', chains: [{ state: 'LIVE', closed: 'chain_unseen' }] });
  });

  it('does not fill the disk while nothing is signed anyway: rows of 503 refusals are kept to a budget', async () => {
    const desk = await openDesk();
    await desk.guard.trading.halt({}, person);
    const codes = await Promise.all(Array.from({ length: 1_500 }, async () => (await firm(desk)).code));
    expect(new Set(codes)).toEqual(new Set(['halted']));
    const { unwritten } = desk.quoter.counts();
    expect(unwritten).toBeGreaterThan(400);
    await expect.poll(() => countRefused(desk)).toBe(1_500 - unwritten);
  });
});

async function countRefused({ journal }: OpenDesk): Promise<number> {
  let count = 0;
  let before: number | undefined;
  for (;;) {
    const { rows, more } = await journal.read.logPage({ filter: { outcome: 'refused' }, limit: 500, before });
    count += rows.length;
    if (!more) return count;
    before = rows.at(-1)?.seq;
  }
}
