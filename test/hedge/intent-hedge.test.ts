import { encodeAbiParameters, parseAbiParameters } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { approval } from '../../electron/hedge/hedge-node.ts';
import { lastStep } from '../../electron/hedge/hedge-steps.ts';
import { CONTRACT_MAKER, TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { ServiceFault } from '../../electron/service/service-fault.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk, TOLD_REFERENCE } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
const open = () => openHedgingDesk(market, { ...home, now: () => market.now() * 1_000 });
beforeAll(async () => {
  market = await openIntentMarket();
  market.start();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await open();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
  home.remove();
});

const holds = (symbol: 'WETH' | 'USDC') => market.floor.balance(symbol, desk.maker);
/** What a hedge moved on chain, beside what it says of itself. */
async function hedged(wish: Parameters<HedgingDesk['wish']>[0], meanwhile = async () => {}) {
  const before = [await holds('WETH'), await holds('USDC')] as const;
  const seq = await desk.place(desk.wish(wish));
  await meanwhile();
  const done = await desk.reached(seq, 'done');
  return { seq, done, moved: { WETH: (await holds('WETH')) - before[0], USDC: (await holds('USDC')) - before[1] } };
}
/** Orders that are handed over meet this fault; with `taken` the service has them all the same. */
function unreachable(fault: () => ServiceFault | null, taken = false): void {
  const post = market.client.post.bind(market.client);
  vi.spyOn(market.client, 'post').mockImplementation((async (question: { path: string }) => {
    const isOrder = question.path.endsWith('/orders');
    const met = isOrder ? fault() : null;
    if (met !== null && !taken) throw met;
    const answer = await post(question as never);
    if (met !== null) throw met;
    return answer;
  }) as never);
}
const submitted = async () => market.store.list({ owner: desk.maker, limit: 100, offset: 0 }).total;

/** A limit order whose allowance is on its way, while nothing is mined; afterwards it is. */
async function whileApproving(deed: (seq: number) => Promise<void>): Promise<number> {
  const { floor } = market;
  await floor.call(floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [floor.addresses.intents, 0n]);
  await floor.control.setAutomine(false);
  try {
    const seq = await desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '9000' }, approval: 'approve' }));
    await desk.reached(seq, 'approving');
    await deed(seq);
    return seq;
  } finally {
    await floor.control.setAutomine(true);
    await floor.control.mine({ blocks: 1 });
  }
}

test('an order whose allowance is on its way when every intent is cancelled is named, and never signed', async () => {
  const { engine } = desk.hedging;
  const about = { chainId: 31_337, orderIds: [] };
  const seq = await whileApproving(async (approving) => {
    const dry = await engine.cancelIntents({ chainId: 31_337, actor: 'trader', dryRun: true });
    const reason = `Hedge ${approving} is not signed yet, and would not be any more.`;
    expect(dry).toContainEqual({ ...about, outcome: 'dry_run', reason });
    const said = await engine.cancelIntents({ chainId: 31_337, actor: 'trader', dryRun: false });
    expect(said).toContainEqual({ ...about, outcome: 'asked', reason: reason.replace('would not be', 'is not') });
  });
  expect((await desk.reached(seq, 'cancelled')).note).toMatch(/had every intent cancelled before it was signed/);
  expect(await desk.steps(seq)).not.toContain('order_signed');
});

test('a hedge whose allowance is on its way can be called back: it ends once that is mined', async () => {
  let called = Promise.resolve();
  const seq = await whileApproving(async (approving) => {
    called = desk.hedging.engine.cancel(approving, 'trader');
    const waits = /gave it up: it ends once its allowance is mined/;
    await vi.waitFor(async () => expect((await desk.record(approving)).note).toMatch(waits));
  });
  await called;
  await desk.reached(seq, 'cancelled');
  expect(await desk.steps(seq)).not.toContain('order_signed');
});

test('a fill is hedged by an intent order: signed, handed over, and verified on chain to the last unit', async () => {
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const { seq, done, moved } = await hedged({ way: { mode: 'intent' }, fillSeqs: [fill] });
  expect(moved).toEqual({ WETH: -ETHER, USDC: BigInt(done.received) });
  expect(done).toMatchObject({ spent: `${ETHER}`, orderStatus: 'COMPLETED', feeWei: '0' });
  expect(await desk.net('WETH')).toBe(0n);
  const steps = await desk.steps(seq);
  expect(steps.slice(0, 3)).toEqual(['order_built', 'order_signed', 'order_submitted']);
  expect(steps.at(-1)).toBe('ended');
  const [shown] = await desk.rooms.journal.read.hedgedFills({ limit: 1, now: Date.now() });
  expect(shown).toMatchObject({ cover: 'hedged', hedges: [seq], resultUsd: expect.any(String) });
});

test('an amount that is bought, and a limit order, end within their bounds', async () => {
  const buy = { srcToken: market.token('USDC'), destToken: market.token('WETH'), side: 'BUY' as const, amount: '0.5' };
  const bought = await hedged({ way: { mode: 'intent' }, ask: buy });
  expect(bought.moved).toEqual({ WETH: BigInt(bought.done.received), USDC: -BigInt(bought.done.spent) });
  expect(bought.moved.WETH).toBeGreaterThanOrEqual(ETHER / 2n);
  const sold = await hedged({ way: { mode: 'limit', limitAmount: '3000' } });
  expect(sold.moved).toEqual({ WETH: -ETHER, USDC: BigInt(sold.done.received) });
  expect(sold.moved.USDC).toBeGreaterThanOrEqual(3_000n * DOLLAR);
});

test('an external handler and a productive strategy are built with what they need, and end', async () => {
  const { handler, strategy } = market.floor.addresses;
  const data = encodeAbiParameters(parseAbiParameters('(address to, uint256 bps)[]'), [[]]);
  const external = await hedged({ way: { mode: 'external', handler, data } });
  expect(external.moved).toEqual({ WETH: -ETHER, USDC: BigInt(external.done.received) });
  const productive = await hedged({ way: { mode: 'productive', strategy } });
  expect(productive.moved.USDC).toBe(BigInt(productive.done.received));
  expect(productive.done.spent).toBe(`${ETHER}`);
});

test('three slices of a TWAP and of a TWAP buy are followed to the last one', async () => {
  const slices = async () => {
    for (let slice = 0; slice < 3; slice += 1) {
      await vi.waitFor(
        async () =>
          expect((await latest()).transactions.filter(({ purpose }) => purpose === 'fill')).toHaveLength(slice + 1),
        { interval: 50 },
      );
      await market.floor.pass(60);
      market.shiftClock(61_000);
    }
  };
  const latest = async () => {
    const [hedge] = await desk.rooms.journal.read.hedges({ limit: 1 });
    if (hedge === undefined) throw new Error('no hedge');
    return hedge;
  };
  const sold = await hedged({ way: { mode: 'twap', slices: 3, interval: 60 }, ask: { amount: '0.9' } }, slices);
  expect(sold.moved).toEqual({ WETH: -BigInt(sold.done.spent), USDC: BigInt(sold.done.received) });
  expect(sold.done.spent).toBe(`${(ETHER * 9n) / 10n}`);
  const buy = { srcToken: market.token('USDC'), destToken: market.token('WETH'), side: 'BUY' as const, amount: '0.3' };
  const way = { mode: 'twap-buy' as const, slices: 3, interval: 60, maxSrcAmount: '1200' };
  const bought = await hedged({ way, ask: buy }, slices);
  expect(bought.moved).toEqual({ WETH: BigInt(bought.done.received), USDC: -BigInt(bought.done.spent) });
});

test('slices are signed no further from the reference than their pair allows, whatever slippage and most were typed', async () => {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, now: () => market.now() * 1_000, chain: TOLD_REFERENCE });
  /** The reference says what a slice is offered at. */
  const refersToOffer = async (ask: Parameters<HedgingDesk['wish']>[0]) => {
    const { quote } = (await desk.offers(desk.wish(ask).ask)).intents;
    const [src, dest] = [Number(quote?.srcAmount), Number(quote?.destAmount)];
    const mid = src > dest ? (dest / src) * 1e12 : (src / dest) * 1e12;
    desk.refers(mid.toFixed(2));
    return mid;
  };
  const built = async (seq: number) => {
    await desk.reached(seq, 'submitted');
    const steps = (await desk.rooms.journal.read.hedgeSteps(seq)).map(({ step }) => step);
    const found = lastStep(steps, 'order_built');
    await desk.hedging.engine.giveUp(seq, 'a test', 'trader');
    return { least: Number(found?.least), most: Number(found?.most) };
  };
  const slices = { slices: 2, interval: 60 };
  const offered = await refersToOffer({ ask: { amount: '0.05' } });
  const sold = await desk.place(
    desk.wish({ way: { mode: 'twap', ...slices }, ask: { slippageBps: 2_000, amount: '0.1' } }),
  );
  expect((await built(sold)).least / 1e6).toBeGreaterThan(0.1 * offered * 0.9949);
  const back = { srcToken: market.token('USDC'), destToken: market.token('WETH'), side: 'BUY' as const, amount: '0.1' };
  const asked = await refersToOffer({ ask: { ...back, amount: '0.05' } });
  const bought = await desk.place(desk.wish({ way: { mode: 'twap-buy', ...slices, maxSrcAmount: '680' }, ask: back }));
  expect((await built(bought)).most / 1e6).toBeLessThan(0.1 * asked * 1.0051);
});

test('an order that waits is cancelled when a person asks for it, and nothing was moved', async () => {
  const seq = await desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '9000' } }));
  await desk.reached(seq, 'submitted');
  await desk.hedging.engine.cancel(seq, 'trader');
  expect(await desk.reached(seq, 'cancelled')).toMatchObject({ spent: '0', received: '0', orderStatus: 'CANCELLED' });
});

test('an answer that got lost is looked up before anything is handed over again: one order, whatever happened to the answer', async () => {
  const count = await submitted();
  let lost = 0;
  unreachable(() => {
    lost += 1;
    return lost > 1 ? null : new ServiceFault('service_unreachable', 'The service hung up.', { fate: 'unknown' });
  }, true);
  const { seq } = await hedged({ way: { mode: 'intent' }, ask: { amount: '0.1' } });
  expect(lost, 'it was handed over once').toBe(1);
  expect(await desk.steps(seq)).toContain('waiting');
  expect(await submitted()).toBe(count + 1);
});

test('an order that was signed and not handed over when the desk ended is handed over by the next one', async () => {
  const count = await submitted();
  unreachable(() => new ServiceFault('service_unreachable', 'The service does not answer.', { fate: 'not_sent' }));
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, ask: { amount: '0.1' } }));
  await desk.reached(seq, 'signed');
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/not known/));
  await desk.close();
  vi.restoreAllMocks();
  desk = await open();
  await desk.reached(seq, 'done');
  expect(await submitted()).toBe(count + 1);
});

test('a refusal of the service is told in its words, and nothing of the hedge is left', async () => {
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' }, ask: { amount: '100000' } }));
  expect(await desk.reached(seq, 'failed')).toMatchObject({ note: expect.stringMatching(/No route/), spent: '0' });
  expect(await desk.steps(seq)).toEqual(['ended']);
});

test('market and intent stand side by side with what they cost and what has to be approved', async () => {
  const SET = expect.stringMatching(/skip|permit|approve/);
  const { ask } = desk.wish();
  const quote = await desk.offers(ask);
  expect(quote.intents.quote).toMatchObject({ approval: { kind: SET }, gas: { usd: '0' }, srcAmount: `${ETHER}` });
  expect(quote.intents.quote?.fees).toMatchObject({ gasUsd: expect.stringMatching(/[1-9]/), bridgeUsd: null });
  expect(quote.market.quote).toMatchObject({
    approval: { kind: expect.stringMatching(/approve|permit/) },
    via: [/PoolSwap/],
  });
  expect(quote.intents.quote?.spender).toBe(market.floor.addresses.intents);
  expect(quote.market.quote?.spender).not.toBe(quote.intents.quote?.spender);
  expect(Number(quote.market.quote?.priceAfterGas)).toBeLessThan(Number(quote.market.quote?.price));
  expect(['intents', 'market']).toContain((await desk.hedging.engine.quote(ask)).better);
  const prepared = await desk.hedging.prepare(desk.wish({ way: { mode: 'intent' } }));
  expect(prepared).toMatchObject({
    refusal: null,
    approval: { kind: SET },
    needsConfirmation: false,
    handsOut: false,
  });
});

/** A desk whose maker is this contract, and whose key is the floor's owner. */
async function ofContract(maker: `0x${string}`): Promise<void> {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  const chain = { signer: market.floor.owner.address };
  desk = await openHedgingDesk(market, { ...home, now: () => market.now() * 1_000, maker, chain });
}

test('a contract maker hedges by intent orders when it stands by the signature of the key, and cancels them', async () => {
  await ofContract(market.floor.wallet);
  expect(await desk.hedging.prepare(desk.wish({ way: { mode: 'intent' } }))).toMatchObject({
    refusal: null,
    handsOut: false,
  });
  const { done, moved } = await hedged({ way: { mode: 'intent' } });
  expect(moved).toEqual({ WETH: -ETHER, USDC: BigInt(done.received) });
  const seq = await desk.place(desk.wish({ way: { mode: 'limit', limitAmount: '9000' } }));
  await desk.reached(seq, 'submitted');
  await desk.hedging.engine.cancel(seq, 'trader');
  expect((await desk.reached(seq, 'cancelled')).orderStatus).toBe('CANCELLED');
});

test('a contract maker that does not stand by the signature of the key places no order', async () => {
  const { floor } = market;
  const foreign = await floor.stranger.deploy(CONTRACT_MAKER, [floor.stranger.address]);
  const { intents } = floor.addresses;
  await floor.call(floor.stranger, TEST_TOKEN, market.token('WETH'), 'mint', [foreign, ETHER]);
  const data = approval(market.token('WETH'), intents, ETHER).data;
  await floor.call(floor.stranger, CONTRACT_MAKER, foreign, 'execute', [market.token('WETH'), data]);
  await ofContract(foreign);
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' } }));
  expect((await desk.reached(seq, 'failed')).note).toMatch(/does not accept a signature of this desk’s key/);
  expect(await desk.steps(seq)).not.toContain('order_signed');
});

test('a contract maker without an allowance is told that its owner has to approve first', async () => {
  const { floor } = market;
  const bare = await floor.stranger.deploy(CONTRACT_MAKER, [floor.owner.address]);
  await floor.call(floor.stranger, TEST_TOKEN, market.token('WETH'), 'mint', [bare, ETHER]);
  await ofContract(bare);
  expect((await desk.hedging.prepare(desk.wish({ way: { mode: 'intent' } }))).refusal).toMatch(/owner has to approve/);
  const seq = await desk.place(desk.wish({ way: { mode: 'intent' } }));
  expect((await desk.reached(seq, 'failed')).note).toMatch(/has to let 0x[0-9a-f]{40} take/);
});
