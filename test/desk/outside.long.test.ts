import { expect, onTestFinished, test, vi } from 'vitest';
import type { DeskUpdate } from '../../electron/contract/desk-view.ts';
import { startTestChain } from '../chain-fixture.ts';
import { type Answerer, answering, json, saying } from '../service/http-answers.ts';
import { connectionTo } from './connection.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { runCommand, startDesk } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

const PAIR = 'WETH/USDC';
const NOBODY = `0x${'7'.repeat(40)}`;
const WELL = { interval: 200 };

/** A desk whose reference and service are one server, which a test makes say what it wants. */
async function deskWithService() {
  const said = { reference: null as Answerer | null, mid: '3412.18', takers: [] as string[], order: json({}, 404) };
  const server = await answering((request, response) => {
    const path = request.url ?? '';
    if (path === '/reference') {
      const prices = { [PAIR]: { mid: said.mid, time: Date.now() } };
      (said.reference ?? json({ prices }))(request, response);
    } else if (path.startsWith('/adapters/')) json(said.takers)(request, response);
    else said.order(request, response);
  });
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  const file = deskFileFor(chain, {
    referenceUrl: `${server.url}/reference`,
    referenceMaxAgeSeconds: 20,
    referenceCoolDownSeconds: 1,
    serviceUrl: server.url,
    follow: [PAIR],
  });
  const { folder, remove } = await armedFolder(chain, file);
  const running = await startDesk(folder, 'serve');
  const connection = await connectionTo(folder, 'mara');
  onTestFinished(async () => {
    await connection.close();
    await running.stop();
    await chain.close();
    remove();
  });
  const { chainId } = chain;
  const { desk } = connection;
  const client = takerClient(running.ready.surface, file);
  const view = async (): Promise<DeskUpdate> => {
    const updates = await desk.desk.watch();
    const first = await updates.next();
    await updates.return?.();
    if (first.done) throw new Error('The desk told nothing.');
    return first.value;
  };
  const asks = async () => {
    const { json: body } = await client.get('/prices');
    return (body as { prices?: Record<string, { asks?: string[][] }> }).prices?.[PAIR]?.asks?.[0]?.[0];
  };
  return { said, desk, folder, chainId, client, view, asks };
}

test('a desk follows its reference, closes on nonsense, and opens again by itself', async () => {
  const { said, desk, client, view, asks, chainId } = await deskWithService();
  await vi.waitFor(async () => expect(await asks()).toBe('3412.96'), WELL);
  said.mid = '3450';
  await vi.waitFor(async () => expect(await asks()).toBe('3450.78'), WELL);
  const follows = { publishedBy: 'follow', follow: { on: true, note: null }, closed: null };
  const fresh = { ...follows, reference: { mid: '3450', stale: false } };
  await vi.waitFor(async () => expect((await view()).pairs?.[0]).toMatchObject(fresh), WELL);

  said.reference = saying('<html>Bad Gateway</html>', 502, 'text/html');
  const stale = { status: 503, json: { code: 'reference_stale' } };
  await vi.waitFor(async () => expect(await client.get('/prices')).toMatchObject(stale), WELL);
  const [worst] = (await view()).attention ?? [];
  expect(worst).toMatchObject({ level: 'stop', detail: expect.stringContaining('<html>Bad Gateway</html>') });

  // While it was away the price has moved: what is served first stands on the new one.
  said.mid = '3500';
  said.reference = null;
  const first = await vi.waitFor(async () => {
    const offered = await asks();
    expect(offered).toBeDefined();
    return offered;
  }, WELL);
  expect(first).toBe('3500.78');

  await desk.ladders.setFollow({ chainId, pair: PAIR, on: false });
  await vi.waitFor(async () => expect((await view()).pairs?.[0]?.follow).toEqual({ on: false, note: null }), WELL);
  await desk.ladders.setFollow({ chainId, pair: PAIR, on: true });
  expect((await view()).pairs?.[0]?.follow?.on).toBe(true);
});

test('a desk signs for fetched takers only, looks orders up, and guesses what it suffers', async () => {
  const { said, desk, client, chainId, folder } = await deskWithService();
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200), WELL);
  const ask = async () => (await client.firm('asks', { makerAmount: '1000000000000' })).json;
  expect((await ask()).order).toBeDefined();
  expect((await desk.service.state({ chainId })).takers.fault).toMatch(/empty list/);

  // What the service names waits for a person, with what is there; what is in force stays so until a person says otherwise.
  said.takers = [NOBODY];
  const waiting = [{ address: NOBODY, look: expect.stringContaining('ordinary account') }];
  const takers = async () => (await desk.service.state({ chainId })).takers;
  await vi.waitFor(async () => expect(await takers()).toMatchObject({ waiting, fault: null }), WELL);
  const [executor = ''] = (await takers()).list;
  expect((await ask()).order).toBeDefined();
  const added = await runCommand(folder, ['takers', 'add', NOBODY, '--reason', 'the service says so elsewhere too']);
  expect(added.code).toBe(0);
  expect((await takers()).list).toEqual([executor, NOBODY]);
  const removed = await runCommand(folder, ['takers', 'remove', executor]);
  expect(removed.code).toBe(0);
  expect((await ask()).code).toBe('taker_not_allowed');
  expect((await runCommand(folder, ['takers'])).stdout).toContain(`in force  ${NOBODY}`);
  // A refusal is guessed from once its row is in the journal, a moment after its answer.
  const guessed = { pair: PAIR, code: 'taker_not_allowed', sentence: expect.stringContaining('probably') };
  await vi.waitFor(async () => expect((await desk.service.restrictions({}))[0]).toMatchObject(guessed), WELL);

  const hash = `0x${'ab'.repeat(32)}` as const;
  said.order = json({ errorType: 'NotFound', details: 'there is no such order' }, 404);
  await expect(desk.service.order({ chainId, orderHash: hash })).rejects.toMatchObject({
    message: expect.stringContaining('NotFound: there is no such order'),
  });
  said.order = json({ orderHash: hash, state: 'PENDING', fillableBalance: '5' });
  const { code, stdout } = await runCommand(folder, ['order', hash]);
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { record: { state: 'PENDING', fillableBalance: '5' } }]);

  const { checks } = await desk.service.checks({ chainId });
  const outcomes = Object.fromEntries(checks.map(({ name, outcome }) => [name, outcome]));
  expect(outcomes).toMatchObject({
    chain_id: 'passed',
    signer: 'passed',
    maker: 'passed',
    reference: 'passed',
    takers: 'passed',
    'balance WETH': 'passed',
    'allowance USDC': 'passed',
    [`pair ${PAIR}`]: 'passed',
  });
});

test('a desk that follows signs all that it served in the last seconds, until a person cuts it', async () => {
  const { said, desk, client, asks, chainId } = await deskWithService();
  await vi.waitFor(async () => expect(await asks()).toBe('3412.96'), WELL);
  const whole = async () => {
    const { bids = [], asks: offers = [] } = (await client.get('/prices')).json.prices?.[PAIR] ?? {};
    const worth = (levels: [string, string][]) =>
      levels.reduce(
        (sum, [price, amount]) => sum + BigInt(Math.round(Number(price) * 100)) * BigInt(Number(amount) * 10),
        0n,
      );
    // In raw USDC, with what the service asks for on top: +0.01 % of what is bought, +1 % of what is sold.
    return { bids: (worth(bids) * 10_001n) / 10n, asks: worth(offers) * 1_010n, at: performance.now() };
  };
  const held = await whole();
  for (const [mid, offered] of [
    ['3399.18', '3399.96'],
    ['3386.18', '3386.96'],
  ]) {
    said.mid = mid ?? '';
    await vi.waitFor(async () => expect(await asks()).toBe(offered), { ...WELL, interval: 20 });
  }
  const bought = await client.firm('bids', { makerAmount: `${held.bids}` });
  const sold = await client.firm('asks', { takerAmount: `${held.asks}` });
  // A machine that stood still for longer than the service holds a grid has nothing to say about it.
  if (sold.receivedAt - held.at < 6_000) expect([bought.json.code, sold.json.code]).toEqual([undefined, undefined]);

  const edit = { kind: 'set', side: 'asks', level: 2, field: 'amount', value: '1' } as const;
  const { version } = await desk.ladders.edit({ chainId, pair: PAIR, edits: [edit] });
  const late = await whole();
  await desk.ladders.publish({ chainId, pair: PAIR, version });
  expect((await client.firm('asks', { takerAmount: `${late.asks}` })).json.code).toBe('insufficient_depth');
});
