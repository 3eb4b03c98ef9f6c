import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { saveMemory } from '../../electron/chain/chain-memory.ts';
import { hedgeDetail } from '../../electron/hedge/hedge-view.ts';
import type { HedgeRecord } from '../../electron/journal/hedges/fold.ts';
import { CONTRACT_MAKER } from '../../electron/practice/chain/artifacts.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const PATIENT = { interval: 30 };

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
let coinbase = 1n;
beforeAll(async () => {
  market = await openIntentMarket();
  market.start();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await openHedgingDesk(market, home);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
  home.remove();
});

const rpc = (method: string, ...params: unknown[]) => market.floor.control.request({ method, params } as never);
const mine = (blocks: number) => market.floor.control.mine({ blocks });
const newest = async () => Number(await market.floor.chain.client.getBlockNumber({ cacheTime: 0 }));
const nonce = () => market.floor.chain.client.getTransactionCount({ address: desk.maker });
const holds = async () => {
  return { WETH: await market.floor.balance('WETH', desk.maker), USDC: await market.floor.balance('USDC', desk.maker) };
};
const receipt = (hash: string) => market.floor.chain.client.getTransactionReceipt({ hash: hash as `0x${string}` });
const hashOf = (hedge: HedgeRecord, purpose: string) =>
  hedge.transactions.find((one) => one.purpose === purpose)?.hash ?? '';
const coverOf = async (fill: number) =>
  (await desk.rooms.journal.read.hedgedFills({ seqs: [fill], limit: 1, now: Date.now() }))[0]?.cover;

/** Drops the blocks from that of this transaction on; those that are mined next differ from them. */
async function dropFrom(hash: string): Promise<void> {
  const { blockNumber } = await receipt(hash);
  await rpc('anvil_rollback', (await newest()) - Number(blockNumber) + 1);
  coinbase += 1n;
  await rpc('anvil_setCoinbase', `0x${coinbase.toString(16).padStart(40, '0')}`);
}

/** A fill of one WETH that was bought, and the hedge that sold it. */
async function hedgedFill(way: 'market' | 'intent' = 'market') {
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const before = await holds();
  const firstNonce = await nonce();
  const seq = await desk.place(desk.wish({ fillSeqs: [fill], way: { mode: way } }));
  const done = await desk.reached(seq, 'done');
  expect(await desk.net('WETH')).toBe(0n);
  return { fill, seq, done, before, firstNonce };
}

test('a swap whose block is dropped counts no more, its fill is no one else’s meanwhile, and the same bytes end it', async () => {
  const { fill, seq, done, before } = await hedgedFill();
  const sent = await nonce();
  await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'to look at it' });
  await dropFrom(hashOf(done, 'swap'));
  await mine(3);
  const open = await desk.reached(seq, 'signed');
  expect(open).toMatchObject({ spent: '0', received: '0', endedAt: null, pending: { hash: hashOf(done, 'swap') } });
  expect([await desk.net('WETH'), await desk.net('USDC')]).toEqual([ETHER, -3_390n * DOLLAR]);
  expect(await coverOf(fill)).toBe('hedging');
  // What runs closes the position already.
  await expect(desk.place(desk.wish({ fillSeqs: [fill] }), true)).rejects.toMatchObject({ code: 'bad_fills' });
  await expect(desk.place(desk.wish(), true)).rejects.toMatchObject({ code: 'covered_unconfirmed' });
  await desk.rooms.guard.trading.resume({}, { actor: 'trader', reason: 'it was looked at' });
  const again = await desk.reached(seq, 'done');
  const after = await holds();
  expect(after).toEqual({ WETH: before.WETH - ETHER, USDC: before.USDC + BigInt(again.received) });
  expect([await desk.net('WETH'), await desk.net('USDC')]).toEqual([0n, BigInt(again.received) - 3_390n * DOLLAR]);
  expect(hashOf(again, 'swap')).toBe(hashOf(done, 'swap'));
  expect(await nonce(), 'nothing else was sent').toBe(sent);
  expect(await coverOf(fill)).toBe('hedged');
});

test('an approval that is dropped with its swap is sent again too, and what was paid for gas is what the chain says', async () => {
  await market.floor.call(market.floor.owner, ...(await noAllowance()));
  const { seq, done, firstNonce } = await hedgedFill();
  const approval = hashOf(done, 'approval');
  await dropFrom(approval);
  await mine(2);
  const again = await vi.waitFor(async () => {
    const hedge = await desk.record(seq);
    expect(hedge.state).toBe('done');
    expect(hedge.transactions.map(({ outcome }) => outcome)).toEqual(['confirmed', 'confirmed']);
    expect(await desk.steps(seq)).toContain('mined_again');
    return hedge;
  }, PATIENT);
  expect(again.transactions.map(({ hash }) => hash)).toEqual(done.transactions.map(({ hash }) => hash));
  const fees = await Promise.all(again.transactions.map(({ hash }) => receipt(hash)));
  const paid = fees.reduce((sum, { gasUsed, effectiveGasPrice }) => sum + gasUsed * effectiveGasPrice, 0n);
  expect(again.feeWei).toBe(`${paid}`);
  expect((await nonce()) - firstNonce).toBe(2);
});
/** Takes away what hedges before left of the router's allowance. */
async function noAllowance() {
  const { TEST_TOKEN } = await import('../../electron/practice/chain/artifacts.ts');
  const { market: way } = await desk.offers(desk.wish().ask);
  return [TEST_TOKEN, market.token('WETH'), 'approve', [way.quote?.spender, 0n]] as const;
}

test('a nonce that another transaction takes ends the hedge, and a branch on which it was ours after all brings it back', async () => {
  const { fill, seq, done } = await hedgedFill();
  const swap = hashOf(done, 'swap');
  const raw = (await desk.rooms.journal.read.hedgeSteps(seq)).flatMap(({ step }) =>
    step.step === 'transaction_signed' && step.hash === swap ? [step.raw] : [],
  )[0];
  await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'so that it is not sent again' });
  await dropFrom(swap);
  const { owner } = market.floor;
  const other = await owner.send({ to: owner.address, data: '0x' });
  await owner.mined(other);
  await mine(1);
  await desk.reached(seq, 'signed');
  const mining = setInterval(() => void mine(1), 300);
  const lost = await desk.reached(seq, 'failed').finally(() => clearInterval(mining));
  expect(lost).toMatchObject({ note: expect.stringMatching(/took its nonce/), spent: '0', feeWei: expect.any(String) });
  expect(await desk.net('WETH')).toBe(ETHER);
  expect(await coverOf(fill)).toBe('unhedged');
  await dropFrom(other);
  await rpc('eth_sendRawTransaction', raw);
  await mine(1);
  const back = await desk.reached(seq, 'done');
  expect(back.spent).toBe(`${ETHER}`);
  expect(await desk.net('WETH')).toBe(0n);
  expect(await coverOf(fill)).toBe('hedged');
});

test('a fill of an intent order that is dropped counts no more, and the order is followed until it is on chain again', async () => {
  const { seq, done, before } = await hedgedFill('intent');
  const fill = hashOf(done, 'fill');
  const raw = await rpc('eth_getRawTransactionByHash', fill);
  await dropFrom(fill);
  await mine(3);
  await vi.waitFor(async () => expect(await desk.steps(seq)).toContain('taken_back'), PATIENT);
  // The service may have it filled once more by itself, in another transaction.
  await rpc('eth_sendRawTransaction', raw).catch(() => null);
  await mine(1);
  const again = await desk.reached(seq, 'done');
  expect(again.spent).toBe(`${ETHER}`);
  expect(await holds()).toEqual({ WETH: before.WETH - ETHER, USDC: before.USDC + BigInt(again.received) });
  expect([await desk.net('WETH'), await desk.net('USDC')]).toEqual([0n, BigInt(again.received) - 3_390n * DOLLAR]);
  const steps = await desk.steps(seq);
  expect(steps.filter((step) => step === 'ended')).toHaveLength(2);
  expect(steps.lastIndexOf('ended')).toBeGreaterThan(steps.indexOf('taken_back'));
});

test('while the desk has not settled on which chain its node is, no hedge is taken back', async () => {
  const { seq, done } = await hedgedFill();
  const { journal } = desk.rooms;
  const remember = (hash: `0x${string}`, number: number) =>
    saveMemory(journal, 31337, { afterSeq: 0, since: 0, blocks: [{ number, hash }] });
  await remember(`0x${'0e'.repeat(32)}`, 1);
  await dropFrom(hashOf(done, 'swap'));
  await mine(3);
  const looks = vi.spyOn(journal.read, 'hedgeReceipts');
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(5), PATIENT);
  expect((await desk.record(seq)).state).toBe('done');
  const { hash } = await market.floor.chain.client.getBlock({ blockNumber: 1n });
  await remember(hash, 1);
  await vi.waitFor(async () => expect(await desk.steps(seq)).toContain('taken_back'), PATIENT);
  expect((await desk.reached(seq, 'done')).spent).toBe(`${ETHER}`);
});

test('what lies 64 blocks deep is final, also for a desk that was closed meanwhile, and is looked at no more', async () => {
  const { seq } = await hedgedFill();
  const watched = () => desk.rooms.journal.read.hedgeReceipts();
  expect((await watched()).map(({ hedgeSeq }) => hedgeSeq)).toContain(seq);
  await desk.close();
  await mine(64);
  desk = await openHedgingDesk(market, home);
  await vi.waitFor(async () => expect(await watched()).toEqual([]), PATIENT);
  expect(await desk.steps(seq)).toContain('final');
  expect((await desk.record(seq)).state).toBe('done');
});

/** The chain asks for this much from its next block on. */
async function dear(gwei: bigint): Promise<void> {
  await market.floor.control.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei * 10n ** 9n });
  await mine(1);
}

/** What the hedge signed to swap, in order. */
const signed = async (seq: number) =>
  (await desk.rooms.journal.read.hedgeSteps(seq)).flatMap(({ step }) =>
    (step.step === 'transaction_signed' || step.step === 'transaction_replaced') && step.purpose === 'swap'
      ? [step]
      : [],
  );

/** A hedge of one WETH whose swap waits and was signed so often, each time for more; the desk is halted. No block is mined by itself. */
async function replacedSwap(times: number, fillSeqs: number[] = []): Promise<number> {
  const [token, at, approve, [spender]] = await noAllowance();
  await market.floor.call(market.floor.owner, token, at, approve, [spender, 2n ** 255n]);
  await market.floor.control.setAutomine(false);
  const seq = await desk.place(desk.wish({ fillSeqs }));
  await desk.reached(seq, 'sent');
  let gwei = BigInt((await signed(seq))[0]?.perGas ?? 0) / 10n ** 9n + 1n;
  for (let count = 2; count <= times; count += 1) {
    while ((await signed(seq)).length < count) {
      // More, block by block, than the desk offers by the block before: a fifth over its fee.
      await dear(gwei);
      gwei = (gwei * 3n) / 2n + 1n;
      await vi
        .waitFor(async () => expect((await signed(seq)).length).toBe(count), { timeout: 1_000, interval: 30 })
        .catch(() => undefined);
    }
  }
  await desk.rooms.guard.trading.halt({}, { actor: 'trader', reason: 'so that nothing is sent meanwhile' });
  await rpc('anvil_dropAllTransactions');
  await dear(1n);
  return seq;
}

/** The desk anew, which raises a fee as often as these tests need. */
async function openDeskThatRaises(): Promise<void> {
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, chain: { hedgeFeeMultiple: 100 } });
}

test('a swap that was replaced twice and mined as the second of the three is carried on with those very bytes', async () => {
  const { control } = market.floor;
  await openDeskThatRaises();
  try {
    const seq = await replacedSwap(3);
    const [, second] = await signed(seq);
    if (second === undefined) throw new Error('it was not replaced');
    await rpc('eth_sendRawTransaction', second.raw);
    await mine(1);
    const done = await desk.reached(seq, 'done');
    expect(done.transactions.find(({ outcome, purpose }) => outcome === 'confirmed' && purpose === 'swap')?.hash).toBe(
      second.hash,
    );
    await dropFrom(second.hash);
    await rpc('anvil_dropAllTransactions');
    await mine(2);
    expect((await desk.reached(seq, 'signed')).pending?.hash).toBe(second.hash);
    await desk.rooms.guard.trading.resume({}, { actor: 'trader', reason: 'it was looked at' });
    const again = await vi.waitFor(async () => {
      await mine(1);
      const now = await desk.record(seq);
      expect(now.state, now.note ?? '').toBe('done');
      return now;
    }, PATIENT);
    expect(again.spent).toBe(`${ETHER}`);
  } finally {
    await control.setAutomine(true);
    await dear(1n);
  }
});

test('a lost nonce that on another branch went to what a swap was replaced from brings its hedge back', async () => {
  const { control, owner } = market.floor;
  await openDeskThatRaises();
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  try {
    const seq = await replacedSwap(2, [fill]);
    const [first, second] = await signed(seq);
    if (first === undefined || second === undefined) throw new Error('it was not replaced');
    await control.setAutomine(true);
    const other = await owner.send({ to: owner.address, data: '0x' });
    await owner.mined(other);
    const mining = setInterval(() => void mine(1), 300);
    const lost = await desk.reached(seq, 'failed').finally(() => clearInterval(mining));
    expect(lost).toMatchObject({ note: expect.stringMatching(/took its nonce/), spent: '0' });
    expect((await desk.rooms.journal.read.hedgeReceipts()).map(({ hash }) => hash)).toContain(second.hash);
    expect(await coverOf(fill)).toBe('unhedged');
    await dropFrom(other);
    await rpc('eth_sendRawTransaction', first.raw);
    await mine(1);
    const back = await desk.reached(seq, 'done');
    expect(back.transactions.flatMap(({ hash, outcome }) => (outcome === 'confirmed' ? [hash] : []))).toEqual([
      first.hash,
    ]);
    expect(back.spent).toBe(`${ETHER}`);
    expect(await desk.net('WETH')).toBe(0n);
    expect(await coverOf(fill)).toBe('hedged');
  } finally {
    await control.setAutomine(true);
    await dear(1n);
  }
});

test('the transaction of a contract maker that a reorganisation drops counts no more, and its hedge waits for it again', async () => {
  const { floor } = market;
  await desk.close();
  home.remove();
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, maker: floor.wallet });
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  const seq = await desk.place(desk.wish({ fillSeqs: [fill] }));
  const handed = await desk.reached(seq, 'handed_out');
  const { calldata } = hedgeDetail(
    { ...handed, state: 'handed_out' },
    await desk.rooms.journal.read.hedgeSteps(seq),
    null,
  );
  let hash: `0x${string}` = '0x';
  for (const { to, data } of calldata)
    hash = await floor.call(floor.owner, CONTRACT_MAKER, floor.wallet, 'execute', [to, data]);
  await desk.reached(seq, 'done');
  expect(await desk.net('WETH')).toBe(0n);
  const raw = await rpc('eth_getRawTransactionByHash', hash);
  await dropFrom(hash);
  await rpc('anvil_dropAllTransactions');
  await mine(2);
  expect(await desk.reached(seq, 'handed_out')).toMatchObject({
    spent: '0',
    received: '0',
    endedAt: null,
    transactions: [],
  });
  expect([await desk.net('WETH'), await desk.net('USDC')]).toEqual([ETHER, -3_390n * DOLLAR]);
  expect(await coverOf(fill)).toBe('hedging');
  await rpc('eth_sendRawTransaction', raw);
  await mine(1);
  expect(await desk.reached(seq, 'done')).toMatchObject({ spent: `${ETHER}`, transactions: [{ hash }] });
  expect(await desk.net('WETH')).toBe(0n);
  expect(await coverOf(fill)).toBe('hedged');
});
