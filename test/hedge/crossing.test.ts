import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { FAR_CHAIN, type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const [FIRST, TAXED] = ['PracticeBridge', 'PracticeBridgeTaxed'];

let market: IntentMarket;
let home: ReturnType<typeof hedgeFolder>;
let desk: HedgingDesk;
beforeAll(async () => {
  // The relayer does not run: orders stay as they were handed over.
  market = await openIntentMarket();
});
afterAll(() => market?.close());
beforeEach(async () => {
  home = hedgeFolder();
  desk = await openHedgingDesk(market, { ...home, now: () => market.now() * 1_000 });
  const file = await desk.rooms.book.deskFile();
  const [near] = file.chains;
  if (near === undefined) throw new Error('no chain');
  const token = (symbol: string, decimals: number) => {
    return { symbol, name: symbol, address: market.token(`${symbol}-`), decimals, type: 'ERC20' as const };
  };
  const far = {
    ...near,
    chainId: FAR_CHAIN,
    name: 'Far',
    basePath: `/${FAR_CHAIN}`,
    pairs: {},
    prices: {},
    tokens: { WETH: token('WETH', 18), USDT: token('USDT', 6) },
  };
  await desk.rooms.book.importDesk({ ...file, chains: [near, far] }, { actor: 'test', keepSecrets: () => ({}) });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await desk.close();
  home.remove();
});

const crossing = (changes: object = {}) =>
  desk.wish({ ask: { destChainId: FAR_CHAIN, destToken: market.token('WETH-') }, way: { mode: 'intent' }, ...changes });
const signed = async (seq: number) => {
  const found = (await desk.rooms.journal.read.hedgeSteps(seq)).find(({ step }) => step.step === 'order_signed');
  return found?.step.step === 'order_signed' ? (found.step.order.bridge as { protocolData: string }) : null;
};

/** From here on the other chain has this in the desk file. */
async function farIs(changes: object): Promise<void> {
  const file = await desk.rooms.book.deskFile();
  const chains = file.chains.map((chain) => (chain.chainId === FAR_CHAIN ? { ...chain, ...changes } : chain));
  await desk.rooms.book.importDesk({ ...file, chains }, { actor: 'test', keepSecrets: () => ({}) });
}
/** The hedge says that it waits for the node of the other chain. */
const waitsForFar = (seq: number) =>
  vi.waitFor(async () =>
    expect((await desk.record(seq)).note).toMatch(/^Nothing is signed until the node of Far answers: The node at /),
  );

test('every bridge of a price is shown with its own figures, the service’s first choice first', async () => {
  const { intents: intent } = await desk.offers(crossing().ask);
  expect(intent.quote?.bridge).toEqual({ protocol: FIRST, seconds: 20, choice: FIRST });
  expect(intent.others.map(({ bridge }) => bridge?.choice)).toEqual([TAXED]);
  expect(intent.others[0]?.destAmount).not.toBe(intent.quote?.destAmount);
  const here = await desk.offers(desk.wish().ask);
  expect([here.intents.quote?.bridge, here.intents.others]).toEqual([null, []]);
});

test('the bridge that was chosen is the one that is built, checked and signed; the first choice is without a choice', async () => {
  const { intents: intent } = await desk.offers(crossing().ask);
  const [other] = intent.others;
  const chosen = await desk.place(crossing({ bridge: TAXED, shown: other?.destAmount }));
  const usual = await desk.place(crossing());
  for (const seq of [chosen, usual]) await desk.reached(seq, 'submitted');
  // The taxed bridge keeps a part, which the order says; the other one keeps none.
  expect((await signed(chosen))?.protocolData).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await signed(usual)).toMatchObject({ protocolData: '0x' });
  expect((await desk.record(chosen)).opened.bridge).toBe(TAXED);
});

test('an order that the service builds over another bridge than the chosen one is not signed', async () => {
  const post = market.client.post.bind(market.client);
  vi.spyOn(market.client, 'post').mockImplementation((async (question: { path: string; body: { route: object } }) => {
    if (!question.path.endsWith('/orders/build')) return post(question as never);
    const { body } = question;
    const { route } = await firstPrice();
    return post({ ...question, body: { ...body, route } } as never);
  }) as never);
  const firstPrice = async () => {
    const query = {
      chainId: '31337',
      destChainId: `${FAR_CHAIN}`,
      srcToken: market.token('WETH'),
      amount: `${10n ** 18n}`,
      destToken: market.token('WETH-'),
      srcDecimals: '18',
      destDecimals: '18',
    };
    return (await market.get('/v2/intent/prices', query)).body as { route: object };
  };
  const seq = await desk.place(crossing({ bridge: TAXED }));
  expect((await desk.reached(seq, 'failed')).note).toMatch(/ends elsewhere than was asked: bridge/);
  expect(await signed(seq)).toBeNull();
});

test('a crossing to a chain with another maker says who receives there', async () => {
  const other = `0x${'77'.repeat(20)}` as const;
  await farIs({ maker: other });
  await expect(desk.place(crossing())).rejects.toMatchObject({ code: 'bad_terms', message: /say who receives there/ });
  const { ask } = crossing();
  const seq = await desk.place(crossing({ ask: { ...ask, beneficiary: other } }));
  await desk.reached(seq, 'submitted');
});

test('what a crossing may still take whose hedge has ended closes the position at its own chain: another hedge of it is a question', async () => {
  const fill = await desk.filled('bids', 10n ** 18n, 3_390n * 10n ** 6n);
  const seq = await desk.place(crossing({ fillSeqs: [fill] }));
  await desk.reached(seq, 'submitted');
  await desk.hedging.engine.giveUp(seq, 'the bridge is down', 'trader');
  const isAsked = {
    code: 'covered_unconfirmed',
    message: expect.stringMatching(/has ended, but its signature is good/),
  };
  await expect(desk.place(desk.wish())).rejects.toMatchObject(isAsked);
  await expect(desk.place(desk.wish({ fillSeqs: [fill] }))).rejects.toMatchObject(isAsked);
});

test('a crossing that is called completed is not done before what it brought has arrived', async () => {
  const seq = await desk.place(crossing());
  await desk.reached(seq, 'submitted');
  const get = market.client.get.bind(market.client);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: { path: string }) => {
    const answer = await get(question as never);
    if (!/\/orders\/[^/]+$/.test(question.path)) return answer;
    return { ...(answer as object), status: 'COMPLETED', transactions: [] };
  }) as never);
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/what arrived on chain/));
  expect(await desk.record(seq)).toMatchObject({ endedAt: null, received: '0' });
});

test('a transfer of before a crossing was signed is not what it brought, whatever the service says; one of after it is', async () => {
  const { floor } = market;
  const [weth, there] = [market.token('WETH'), market.token('WETH-')];
  const bytecode = await floor.chain.client.getCode({ address: weth });
  await floor.control.setCode({ address: there, bytecode: bytecode ?? '0x' });
  const funded = () => floor.call(floor.stranger, TEST_TOKEN, there, 'mint', [desk.maker, ETHER]);
  let destinationTx = await funded();
  await floor.call(floor.owner, TEST_TOKEN, weth, 'approve', [floor.stranger.address, ETHER]);
  const seq = await desk.place(crossing());
  await desk.reached(seq, 'submitted');
  const args = [desk.maker, floor.stranger.address, ETHER];
  const originTx = await floor.call(floor.stranger, TEST_TOKEN, weth, 'transferFrom', args);
  const get = market.client.get.bind(market.client);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: { path: string }) => {
    const answer = await get(question as never);
    if (!/\/orders\/[^/]+$/.test(question.path)) return answer;
    const amounts = { spentAmount: `${ETHER}`, receivedAmount: `${ETHER}` };
    return {
      ...(answer as object),
      status: 'COMPLETED',
      transactions: [{ originTx, destinationTx, ...amounts }],
    };
  }) as never);
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/which is of before it was signed/));
  expect(await desk.record(seq)).toMatchObject({ endedAt: null, spent: `${ETHER}`, received: '0' });
  destinationTx = await funded();
  expect(await desk.reached(seq, 'done')).toMatchObject({ received: `${ETHER}` });
});

test('a bridge that is offered no more, or on one chain, gets nothing signed', async () => {
  expect((await desk.hedging.prepare(crossing({ bridge: 'Gone' }))).refusal).toMatch(/no route over Gone/);
  const seq = await desk.place(crossing({ bridge: 'Gone' }));
  expect((await desk.reached(seq, 'failed')).note).toMatch(/no route over Gone/);
  expect(await signed(seq)).toBeNull();
  await expect(desk.place(desk.wish({ way: { mode: 'intent' }, bridge: TAXED }))).rejects.toMatchObject({
    code: 'bad_terms',
  });
});

test('what has a route is what the service says: chains, lanes by listed token, and tokens that orders are taken in', async () => {
  const { routes } = desk.hedging;
  const [near, far] = await routes.chains();
  const tokens = [market.token('WETH-')];
  expect(near).toEqual({ chainId: 31337, isServed: true, lanes: [{ destChainId: FAR_CHAIN, tokens }] });
  expect(far?.lanes).toEqual([{ destChainId: 31337, tokens: [market.token('WETH')] }]);
  expect(await routes.isSupported(31337, market.token('WETH'))).toBe(true);
  expect(await routes.isSupported(31337, market.token('USDT-'))).toBe(false);
});

test('lanes whose tokens are named by their addresses at the source rule nothing out', async () => {
  const get = market.client.get.bind(market.client);
  vi.spyOn(market.client, 'get').mockImplementation((async (question: { path: string }) => {
    if (!question.path.endsWith('/bridge-routes')) return get(question as never);
    return { routes: [{ srcChainId: 31337, destChainId: FAR_CHAIN, tokens: [market.token('WETH')] }] };
  }) as never);
  expect(await desk.hedging.routes.chains()).toMatchObject([{ lanes: null }, { lanes: [] }]);
});

test('a silent service leaves it not known, and is left alone for a minute', async () => {
  const get = vi.spyOn(market.client, 'get').mockRejectedValue(new Error('silent'));
  const { routes } = desk.hedging;
  const unknown = { isServed: null, lanes: null };
  expect(await routes.chains()).toMatchObject([unknown, unknown]);
  const asked = get.mock.calls.length;
  expect(await routes.chains()).toMatchObject([unknown, unknown]);
  expect(get).toHaveBeenCalledTimes(asked);
  market.shiftClock(61_000);
  vi.restoreAllMocks();
  expect(await routes.chains()).toMatchObject([{ isServed: true }, { isServed: true }]);
});

test('while the other chain of a crossing is silent nothing of it is signed, it says so and lets others pass; once that answers it is priced anew and signed', async () => {
  const node = await openNodeProxy(() => market.floor.rpcUrl);
  await farIs({ rpcUrl: node.url });
  await node.down();
  const seq = await desk.place(crossing());
  await waitsForFar(seq);
  await desk.reached(await desk.place(desk.wish({ way: { mode: 'intent' } })), 'submitted');
  expect(await desk.steps(seq)).not.toContain('order_signed');
  market.shiftClock(31_000);
  await node.up();
  try {
    await desk.reached(seq, 'submitted');
    expect((await desk.steps(seq)).filter((step) => step === 'order_built')).toHaveLength(2);
  } finally {
    await node.down();
  }
});

test('a crossing whose other chain stays silent is given up like any that waits, and fails at its deadline with nothing signed', async () => {
  await farIs({ rpcUrl: 'http://127.0.0.1:1' });
  const [given, late] = [await desk.place(crossing()), await desk.place(crossing())];
  for (const seq of [given, late]) await waitsForFar(seq);
  await desk.hedging.engine.cancel(given, 'trader');
  await desk.reached(given, 'cancelled');
  market.shiftClock(601_000);
  expect((await desk.reached(late, 'failed')).note).toBe('Its deadline passed before it was signed.');
  for (const seq of [given, late]) expect(await desk.steps(seq)).not.toContain('order_signed');
});
