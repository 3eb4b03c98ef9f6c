import { randomBytes } from 'node:crypto';
import { call } from '@orpc/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { stillLiveText } from '../../electron/commands/still-live-text.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { onChainHandlers } from '../../electron/desk/handlers/on-chain.ts';
import { folderKey } from '../../electron/desk/held-signer.ts';
import { replaceConfiguration } from '../../electron/desk/replace-configuration.ts';
import { keepEarlier } from '../../electron/hedge/still-live.ts';
import { TEST_TOKEN, ZERO_FIRST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { openOrderClient } from '../practice/intents/order-client.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const PASSPHRASE = 'a passphrase for tests only';
const AS = { context: asOwner('mara') };
const DEADLINE_SECONDS = 600;

/** The checks that say whom an approval lets take tokens, as a chain passes them. */
const PROVEN = ['chain_id', 'rfq_contract', 'rfq_signature', 'maker'].map((name) => ({
  name,
  scope: { kind: 'chain' as const },
  outcome: 'passed' as const,
  sentence: 'It holds.',
}));

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
let snapshot: `0x${string}`;
beforeAll(async () => {
  market = await openIntentMarket();
});
afterAll(() => market?.close());
beforeEach(async () => {
  // The relayer does not run: no order is ever filled, and none is ever ended.
  snapshot = await market.floor.control.snapshot();
  for (const symbol of ['WETH', 'USDC', 'DAI']) await allow(symbol, intents(), 0n);
  const { rows } = market.store.list({ owner: market.floor.owner.address, limit: 1_000, offset: 0 });
  for (const { id } of rows) market.store.update(id, { status: 'EXPIRED' });
  home = hedgeFolder();
  await storeKey(home.folder, PASSPHRASE, market.floor.owner.key, randomBytes, { scryptCost: 2 });
  desk = await open();
});
afterEach(async () => {
  await desk.close();
  home.remove();
  await market.floor.control.revert({ id: snapshot });
});

const open = () => openHedgingDesk(market, { ...home, now: () => market.now() * 1_000 });
const intents = () => market.floor.addresses.intents;
const allow = (symbol: string, spender: `0x${string}`, amount: bigint) =>
  market.floor.call(market.floor.owner, TEST_TOKEN, market.token(symbol), 'approve', [spender, amount]);
const onChain = (hedging: HedgingDesk['hedging'] | null = desk.hedging) =>
  onChainHandlers(
    desk.rooms,
    folderKey(
      home.folder,
      async () => PASSPHRASE,
      () => null,
    ).current,
    hedging,
    { again: async (chainIds) => new Map(chainIds.map((chainId) => [chainId, PROVEN])) },
  );
/** What is live, read again where the node of a slow machine had no time to say it. */
const read = (handlers = onChain()) =>
  vi.waitFor(async () => {
    const said = await call(handlers.stillLive, {}, AS);
    const unknown = said.chains.flatMap((chain) => chain.unknown);
    expect(unknown.filter((why) => why.includes('did not answer in time'))).toEqual([]);
    return said;
  });
/** The chain's clock is brought to ours, so that its newest block is of now. */
const live = async (handlers = onChain()) => {
  const behind = market.now() - (await market.floor.seconds());
  await market.floor.pass(behind > 0 ? behind : 1);
  return read(handlers);
};
const limit = (changes: Parameters<HedgingDesk['wish']>[0] = {}) =>
  desk.wish({ way: { mode: 'limit', limitAmount: '900000' }, deadlineSeconds: DEADLINE_SECONDS, ...changes });
const submitted = async (wish: ReturnType<HedgingDesk['wish']>) => {
  const seq = await desk.place(wish);
  await desk.reached(seq, 'submitted');
  return seq;
};
/** A quote that was signed and can be filled for two minutes; counted once the desk opens the folder again. */
const quoted = async () => {
  const { journal } = desk.rooms;
  const now = market.now() * 1_000;
  const name = (byte: string): `0x${string}` => `0x${byte.repeat(32)}`;
  await journal.append({
    time: now,
    actor: 'desk',
    kind: 'quote',
    body: {
      chainId: 31337,
      pair: 'WETH/USDC',
      side: 'asks',
      given: 'makerAmount',
      maker: desk.maker,
      nonceAndMeta: '1',
      makerAsset: market.token('WETH'),
      takerAsset: market.token('USDC'),
      orderHash: name('0d'),
      makerAmount: `${ETHER}`,
      takerAmount: '3400000000',
      userAddress: desk.maker,
      takerAddress: desk.maker,
      expiry: market.now() + 120,
      signature: '0x00',
      code: null,
      ladderRevision: 1,
      requestBody: '{}',
      balance: null,
      allowance: null,
      exposure: null,
      counterparty: null,
      receivedAt: now,
      latencyMs: 1,
    },
  });
  await desk.close();
  desk = await open();
};

test('with a firm quote, an intent order and a permit live, a halt names them all with their ends, and what contracts may take', async () => {
  await submitted(limit({ ask: { amount: '2' } }));
  const usdc = { srcToken: market.token('USDC'), destToken: market.token('WETH'), amount: '100' };
  await submitted(desk.wish({ way: { mode: 'intent' }, approval: 'permit', ask: usdc }));
  await quoted();
  await desk.rooms.guard.trading.halt({}, { actor: 'mara', reason: 'a drill' });
  const said = await live();
  expect(said).toMatchObject({ nothing: false, nothingSigned: false, until: expect.any(Number) });
  const [chain] = said.chains;
  expect(chain).toMatchObject({ unknown: [], quotes: { count: 1, until: expect.any(Number) }, transactions: [] });
  expect(chain?.orders).toMatchObject([
    { mode: 'limit', left: `${2n * ETHER}`, status: 'PENDING', overByWord: false, src: { symbol: 'WETH' } },
    { mode: 'intent', left: '100000000', src: { symbol: 'USDC' } },
  ]);
  expect(chain?.permits).toMatchObject([{ kind: 'eip2612', token: { symbol: 'USDC' }, amount: '100000000' }]);
  expect(chain?.allowances).toMatchObject([{ role: 'intent', amount: `${2n * ETHER}`, token: { symbol: 'WETH' } }]);
  const words = stillLiveText(said);
  for (const what of [
    /1 firm quote, until/,
    /intent order .* 2 WETH, until/,
    /permit .* 100 USDC/,
    /allowance of 2 WETH to the intent/,
  ]) {
    expect(words).toMatch(what);
  }
});

test('while an intent order is live no desk file takes its chain, maker or RFQ contract away, and the refusal names it', async () => {
  await submitted(limit({ ask: { amount: '2' } }));
  await desk.rooms.guard.trading.halt({}, { actor: 'mara', reason: 'a drill' });
  const file = await desk.rooms.book.deskFile();
  const other: `0x${string}` = `0x${'5a'.repeat(20)}`;
  const take = (input: unknown) => replaceConfiguration(desk.rooms, { input, actor: 'mara', running: true });
  const refused = { code: 'still_live', message: expect.stringMatching(/an intent order of 2 WETH \(until 20/) };
  await expect(take({ ...file, chains: [] })).rejects.toMatchObject(refused);
  for (const changes of [{ maker: other, signer: other }, { rfqContract: other }]) {
    const chains = file.chains.map((chain) => ({ ...chain, ...changes }));
    await expect(take({ ...file, chains })).rejects.toMatchObject(refused);
  }
  market.shiftClock((DEADLINE_SECONDS + 60) * 1_000);
  await live();
  await take({ ...file, chains: [] });
});

test('an allowance that nobody could use up is called unlimited, not written out', async () => {
  await allow('WETH', intents(), 2n ** 256n - 1n);
  const words = stillLiveText(await live());
  expect(words).toContain('unlimited allowance of WETH to the intent contract');
  expect(words).not.toMatch(/\d{30}/);
});

test('a new desk says that nothing is live, and a chain that does not answer or stands still takes that word away', async () => {
  expect(await live()).toMatchObject({ nothing: true, nothingSigned: true, until: null });
  expect(stillLiveText(await live())).toMatch(/^Nothing is live/);
  market.shiftClock(300_000);
  const stale = await read();
  expect(stale).toMatchObject({ nothing: false, nothingSigned: false });
  expect(stale.chains[0]?.unknown[0]).toMatch(/seconds old/);
  const away = await desk.rooms.book.deskFile();
  const chains = away.chains.map((chain) => ({ ...chain, rpcUrl: 'http://127.0.0.1:1' }));
  await desk.rooms.book.importDesk({ ...away, chains }, { actor: 'test', keepSecrets: () => ({}) });
  const unseen = await call(onChain().stillLive, {}, AS);
  expect(unseen).toMatchObject({ nothing: false, nothingSigned: false });
  expect(unseen.chains[0]?.unknown[0]).toMatch(/cannot be asked/);
  expect(stillLiveText(unseen)).not.toMatch(/^Nothing/);
});

test('an order ends with the deadline that the chain has seen pass, not with our clock, and not by the word of the service', async () => {
  const seq = await submitted(limit());
  const orderId = (await desk.record(seq)).orderId ?? '';
  market.store.update(orderId, { status: 'CANCELLED' });
  await desk.reached(seq, 'cancelled');
  expect((await live()).chains[0]?.orders).toMatchObject([{ seq, overByWord: true, left: `${ETHER}` }]);
  const far = (DEADLINE_SECONDS + 60) * 1_000;
  market.shiftClock(far);
  const late = await read();
  expect(late.chains[0]?.orders, 'the chain has not seen it').toHaveLength(1);
  expect(await live()).toMatchObject({ nothingSigned: true, nothing: false });
});

test('one press has every order cancelled with one signature for as many as fit, those of the desk and those it does not know', async () => {
  await allow('WETH', intents(), ETHER);
  const stranger = await openOrderClient(market);
  const unknown = await stranger.submit({ deadline: market.now() + 600, slippage: 100 });
  const usdc = { srcToken: market.token('USDC'), destToken: market.token('WETH'), amount: '100' };
  const seqs = [await submitted(limit({ ask: { amount: '2' } })), await submitted(limit({ ask: { ...usdc } }))];
  const ids = await Promise.all(seqs.map(async (seq) => (await desk.record(seq)).orderId ?? ''));
  await expect(call(onChain(null).cancelIntents, {}, AS)).rejects.toMatchObject({ code: 'no_hedging' });
  const dry = await call(onChain().cancelIntents, { dryRun: true }, AS);
  expect(dry).toMatchObject([{ outcome: 'dry_run', orderIds: [...ids, unknown.id] }]);
  const asked = await call(onChain().cancelIntents, {}, AS);
  expect(asked).toMatchObject([{ outcome: 'asked', orderIds: [...ids, unknown.id], reason: null }]);
  for (const id of [...ids, unknown.id]) expect(market.store.byId(id)).toMatchObject({ status: 'CANCELLING' });
  for (const seq of seqs) expect(await desk.steps(seq)).toContain('cancel_signed');
});

test('orders that the service refuses together are cancelled in halves: one that has settled keeps no other', async () => {
  const seqs = [await submitted(limit()), await submitted(limit()), await submitted(limit())];
  const ids = await Promise.all(seqs.map(async (seq) => (await desk.record(seq)).orderId ?? ''));
  const post = market.client.post.bind(market.client);
  const spy = vi.spyOn(market.client, 'post').mockImplementation((async (question: { path: string }) => {
    // It settles after the desk has asked what is open.
    if (question.path.endsWith('/cancellation')) market.store.update(ids[1] ?? '', { status: 'FAILED' });
    return post(question as never);
  }) as never);
  const asked = await call(onChain().cancelIntents, {}, AS);
  spy.mockRestore();
  expect(asked).toMatchObject([
    { outcome: 'asked', orderIds: [ids[0]], reason: null },
    { outcome: 'failed', orderIds: [ids[1]], reason: expect.stringMatching(/settled|does not run any more/) }, // whoever is told first
    { outcome: 'asked', orderIds: [ids[2]], reason: null },
  ]);
});

test('what an RFQ contract of before may take is live as well, until it is set to nothing', async () => {
  const { owner } = market.floor;
  const earlier = market.floor.permit2; // any contract that is none of the chain's own now
  await keepEarlier(desk.rooms.journal, [{ chainId: 31337, maker: desk.maker, rfqContract: earlier }]);
  expect((await live()).chains[0]?.allowances).toEqual([]);
  await allow('DAI', earlier, 5n);
  expect(desk.maker).toBe(owner.address);
  const told = await live();
  expect(told).toMatchObject({ nothing: false, chains: [{ allowances: [{ spender: earlier, amount: '5' }] }] });
  expect((await live(onChain(null))).nothing).toBe(false);
  await allow('DAI', earlier, 0n);
  expect((await live()).nothing).toBe(true);
});

test('one press takes every allowance away and uses up a permit that is out, and then the chain agrees that nothing can be taken', async () => {
  const usdc = { srcToken: market.token('USDC'), destToken: market.token('WETH'), amount: '100' };
  const seqs = [
    await submitted(limit()),
    await submitted(desk.wish({ way: { mode: 'intent' }, approval: 'permit', ask: usdc })),
  ];
  await allow('DAI', market.floor.permit2, 5n);
  await live();
  const sent = await call(onChain().zeroAllowances, {}, AS);
  expect(sent.map(({ outcome }) => outcome)).toEqual(Array(4).fill('confirmed'));
  expect(await live()).toMatchObject({ nothing: false, chains: [{ permits: [], allowances: [] }] });
  // What the service still has would be taken up again with the next allowance; what it gave up is over now.
  for (const seq of seqs) market.store.update((await desk.record(seq)).orderId ?? '', { status: 'CANCELLED' });
  for (const seq of seqs) await desk.reached(seq, 'cancelled');
  expect(await live()).toMatchObject({ nothing: true, nothingSigned: true });
});

test('an allowance that exists is changed through zero where the token wants that, and in one transaction elsewhere', async () => {
  const { floor } = market;
  const { rfqContract } = desk.rooms.book.chains()[0]?.config ?? {};
  const set = (amount: string, dryRun = false) => {
    return call(onChain().setAllowance, { tokenId: 'WETH', amount, dryRun }, AS);
  };
  const allowed = () => {
    const args = [floor.owner.address, rfqContract] as const;
    const read = { abi: TEST_TOKEN.abi, address: market.token('WETH'), functionName: 'allowance', args } as const;
    return floor.chain.client.readContract(read);
  };
  expect(await set('3')).toMatchObject([{ outcome: 'confirmed' }]);
  expect(await set('4')).toMatchObject([{ outcome: 'confirmed' }]);
  const made = await floor.owner.deploy(ZERO_FIRST_TOKEN, ['Wrapped Ether', 'WETH', 18]);
  const bytecode = (await floor.chain.client.getCode({ address: made })) ?? '0x';
  await floor.control.setCode({ address: market.token('WETH'), bytecode });
  expect(await set('5', true)).toMatchObject([{ outcome: 'dry_run' }, { outcome: 'dry_run' }]);
  expect(await allowed()).toBe(4n * ETHER);
  expect(await set('5')).toMatchObject([{ outcome: 'confirmed' }, { outcome: 'confirmed' }]);
  expect(await allowed()).toBe(5n * ETHER);
  expect(await set('0')).toMatchObject([{ outcome: 'confirmed' }]);
  expect(await set('6')).toMatchObject([{ outcome: 'confirmed' }]);
  expect(await allowed()).toBe(6n * ETHER);
});
