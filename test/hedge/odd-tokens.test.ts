import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { permitWayOf } from '../../electron/hedge/token-permits.ts';
import {
  type Artifact,
  DAI_TOKEN,
  PLAIN_TOKEN,
  TEST_TOKEN,
  ZERO_FIRST_TOKEN,
} from '../../electron/practice/chain/artifacts.ts';
import type { Address } from '../../electron/protocol/address.ts';
import { decodePermit } from '../../electron/protocol/permit.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const RECEIVER: Address = `0x${'c0'.repeat(20)}`;

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
let usual: `0x${string}`;
beforeAll(async () => {
  market = await openIntentMarket();
  market.start();
  usual = await codeAt(market.token('WETH'));
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, now: () => market.now() * 1_000 });
});
afterEach(async () => {
  vi.restoreAllMocks();
  market.grid = null;
  market.permitOnly.clear();
  await desk.close();
  await market.floor.control.setCode({ address: market.token('WETH'), bytecode: usual });
  home.remove();
});

const codeAt = async (address: Address) => (await market.floor.chain.client.getCode({ address })) ?? '0x';
/** From here on WETH behaves as this token does; what everybody holds of it stays. */
const wethIs = async (token: Artifact) => {
  const made = await market.floor.owner.deploy(token, ['Wrapped Ether', 'WETH', 18]);
  await market.floor.control.setCode({ address: market.token('WETH'), bytecode: await codeAt(made) });
};
const allow = (spender: Address, amount: bigint) =>
  market.floor.call(market.floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [spender, amount]);
const router = () => market.desk.chains[0]?.market.addresses.router ?? '0x';
const intents = () => market.floor.addresses.intents;
const hedged = async (wish: Parameters<HedgingDesk['wish']>[0]) => {
  const seq = await desk.place(desk.wish(wish));
  await desk.reached(seq, 'done');
  return (await desk.rooms.journal.read.hedgeSteps(seq)).map(({ step }) => step);
};
const approvals = (steps: Awaited<ReturnType<typeof hedged>>) =>
  steps.filter((step) => step.step === 'transaction_signed' && step.purpose === 'approval').length;
const permit = (steps: Awaited<ReturnType<typeof hedged>>) => {
  const found = steps.find((step) => step.step === 'permit_signed');
  return found?.step === 'permit_signed' ? decodePermit(found.permit) : null;
};

test('a token that changes no allowance but through zero gets two transactions, the usual one gets one', async () => {
  await allow(router(), 7n);
  expect(approvals(await hedged({ approval: 'approve' }))).toBe(1);
  await wethIs(ZERO_FIRST_TOKEN);
  await allow(router(), 0n);
  await allow(router(), 7n);
  expect(approvals(await hedged({ approval: 'approve' }))).toBe(2);
});

test('the permit of DAI is none that the desk signs: there is an approval instead, and the usual permit is still one', async () => {
  await allow(intents(), 0n);
  expect(permit(await hedged({ way: { mode: 'intent' }, approval: 'permit' }))).toMatchObject({ kind: 'eip2612' });
  await wethIs(DAI_TOKEN);
  await allow(intents(), 0n);
  const steps = await hedged({ way: { mode: 'intent' }, approval: 'permit' });
  expect([permit(steps), approvals(steps)]).toEqual([null, 1]);
});

test('what takes any call is no permit', async () => {
  const node = desk.hedging.engine.node(31337);
  const way = () => permitWayOf(node, market.token('WETH'), desk.maker, { permit2: null, nonce: 1n });
  expect(await way()).toMatchObject({ kind: 'eip2612' });
  // It answers its own name, nonces and domain, and lets everything else pass.
  const call = node.client.call.bind(node.client);
  vi.spyOn(node.client, 'call').mockImplementation((async (asked: { data: string }) =>
    asked.data.startsWith('0xd505accf') ? { data: '0x' } : call(asked as never)) as never);
  expect(await way()).toBeNull();
});

test('a token without a permit goes through the Permit2 that is pinned for the chain, in its own form', async () => {
  await wethIs(PLAIN_TOKEN);
  await allow(intents(), 0n);
  await allow(market.floor.permit2, 2n * ETHER);
  const steps = await hedged({ way: { mode: 'intent' }, approval: 'permit' });
  expect(permit(steps)).toMatchObject({ kind: 'permit2', spender: intents(), amount: ETHER });
  expect(approvals(steps)).toBe(0);
  await allow(market.floor.permit2, 0n);
});

test('where the service takes a token with a permit only, the order is built again with one although the allowance is enough', async () => {
  await allow(intents(), 5n * ETHER);
  market.permitOnly.add(market.token('WETH'));
  expect(permit(await hedged({ way: { mode: 'intent' }, approval: 'approve' }))).toMatchObject({ kind: 'eip2612' });
});

test('the grid of the desk itself is in no price: neither in the quote on the screen, nor in the swap', async () => {
  // So good that every route would take it.
  market.grid = { bids: [['9000', '100']], asks: [['100', '100']] };
  const { market: shown } = await desk.offers(desk.wish().ask);
  expect(BigInt(shown.quote?.destAmount ?? 0)).toBeLessThan(3_500n * DOLLAR);
  expect(BigInt(shown.quote?.destAmount ?? 0)).toBeGreaterThan(3_000n * DOLLAR);
  const built = (await hedged({ approval: 'approve' })).find(({ step }) => step === 'swap_built');
  expect(built?.step === 'swap_built' && BigInt(built.least) < 3_500n * DOLLAR).toBe(true);
});

test('who is to receive receives: of a swap and of an order', async () => {
  const got = async (deed: () => Promise<unknown>) => {
    const before = await market.floor.balance('USDC', RECEIVER);
    await deed();
    return (await market.floor.balance('USDC', RECEIVER)) - before;
  };
  const ask = { beneficiary: RECEIVER };
  const swapped = await got(() => hedged({ ask, approval: 'approve' }));
  const filled = await got(() => hedged({ ask, way: { mode: 'intent' }, approval: 'approve' }));
  for (const amount of [swapped, filled]) expect(amount).toBeGreaterThan(3_000n * DOLLAR);
  const asked = vi.spyOn(market.client, 'get');
  await desk.hedging.engine.quote(desk.wish({ ask }).ask);
  await desk.hedging.prepare(desk.wish({ ask }));
  await desk.hedging.prepare(desk.wish({ ask, way: { mode: 'intent' } }));
  const prices = asked.mock.calls.map(([{ path, query }]) => [path, query?.beneficiary ?? query?.receiver]);
  expect(prices.filter(([path]) => /prices|quote/.test(`${path}`))).toEqual([
    ['/v2/quote', RECEIVER],
    ['/prices', RECEIVER],
    ['/prices', RECEIVER],
    ['/v2/intent/prices', RECEIVER],
  ]);
});

test('the name of the desk at the service goes into every price, build and order; without one none is sent', async () => {
  const names = async () => {
    const get = vi.spyOn(market.client, 'get');
    const post = vi.spyOn(market.client, 'post');
    await desk.hedging.engine.quote(desk.wish().ask);
    await hedged({ approval: 'approve' });
    await hedged({ way: { mode: 'intent' }, approval: 'approve' });
    const asked = [
      ...get.mock.calls.map(([{ path, query }]) => [path, query?.partner] as const),
      ...post.mock.calls.map(([{ path, body }]) => [path, (body as { partner?: string }).partner] as const),
    ];
    vi.restoreAllMocks();
    return new Set(
      asked.filter(([path]) => /prices|quote|transactions|build$|orders$/.test(path)).map(([, name]) => name),
    );
  };
  expect(await names()).toEqual(new Set([undefined]));
  const file = await desk.rooms.book.deskFile();
  const chains = file.chains.map((chain) => ({ ...chain, partner: 'free' }));
  await desk.rooms.book.importDesk({ ...file, chains }, { actor: 'test', keepSecrets: () => ({}) });
  expect(await names()).toEqual(new Set(['free']));
});

test('a router and an intent contract that nobody has confirmed get nothing, until a person does, once, by the address', async () => {
  const file = await desk.rooms.book.deskFile();
  const other: Address = `0x${'0e'.repeat(20)}`;
  const chains = file.chains.map(({ router: _, ...chain }) => ({ ...chain, intentContract: other }));
  await desk.rooms.book.importDesk({ ...file, chains }, { actor: 'test', keepSecrets: () => ({}) });
  const ways = [
    { mode: 'market', address: router(), pinned: null },
    { mode: 'intent', address: intents(), pinned: other },
  ] as const;
  for (const { mode, address, pinned } of ways) {
    const wish = { way: { mode }, approval: 'approve' as const };
    expect(await desk.hedging.prepare(desk.wish(wish))).toMatchObject({
      unpinned: { mode, address, pinned },
      refusal: expect.stringContaining(address),
    });
    const refused = await desk.place(desk.wish(wish));
    expect((await desk.reached(refused, 'failed')).note).toContain(address);
    expect(await desk.steps(refused)).toEqual(['ended']);
    await desk.rooms.book.pinContract({ chainId: 31337, mode, address }, 'mara');
    expect(await desk.hedging.prepare(desk.wish(wish))).toMatchObject({ unpinned: null, refusal: null });
    await hedged(wish);
  }
  // The next desk knows it too, and so does its desk file.
  await desk.close();
  desk = await openHedgingDesk(market, { ...home, now: () => market.now() * 1_000 });
  const [chain] = (await desk.rooms.book.deskFile()).chains;
  expect(chain).toMatchObject({ router: router(), intentContract: intents() });
});
