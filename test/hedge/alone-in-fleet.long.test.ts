import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fleetPlace } from '../../electron/fleet/fleet-place.ts';
import { openFleetServer } from '../../electron/fleet/fleet-server.ts';
import { FleetWriter } from '../../electron/fleet/fleet-writer.ts';
import { Seat } from '../../electron/fleet/seat.ts';
import { Standby } from '../../electron/fleet/standby.ts';
import type { Written } from '../../electron/journal/replica.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { type CuttingProxy, cuttingProxy } from '../cutting-proxy.ts';
import { noNats, startNats } from '../fleet/nats.ts';
import { READY } from '../fleet/ready.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';
import { type HedgingDesk, hedgeFolder, openHedgingDesk } from './hedging-desk.ts';

const ETHER = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const PATIENT = { interval: 30 };
const MOST_GWEI = 50;
const monotonic = () => performance.now();

let market: IntentMarket;
beforeAll(async () => {
  if (noNats !== null) return;
  market = await openIntentMarket();
  market.start();
  const { floor } = market;
  const { router } = market.desk.chains[0]?.market.addresses ?? {};
  for (const spender of [router, floor.addresses.intents]) await allow(spender, 2n ** 255n);
});
afterAll(() => market?.close());

const allow = (spender: unknown, amount: bigint) =>
  market.floor.call(market.floor.owner, TEST_TOKEN, market.token('WETH'), 'approve', [spender, amount]);

/** What left the maker: WETH, transactions, and orders that the service has. */
async function left() {
  const { address } = market.floor.owner;
  const { total } = market.store.list({ owner: address, limit: 1, offset: 0 });
  const nonce = await market.floor.chain.client.getTransactionCount({ address });
  return { weth: await market.floor.balance('WETH', address), nonce, orders: total };
}

/** What the chain asks a unit of gas from now on. */
async function gasCosts(gwei: bigint): Promise<void> {
  const { control } = market.floor;
  await control.setNextBlockBaseFeePerGas({ baseFeePerGas: gwei * 10n ** 9n });
  await control.mine({ blocks: 1 });
}

async function serverAt(port: number) {
  const place = fleetPlace(`nats://127.0.0.1:${port}/desk`);
  const server = await vi.waitFor(() => openFleetServer(place, null), { interval: 200 });
  onTestFinished(() => server.close());
  return server;
}

async function openedIn(folder: string, fleet: FleetWriter): Promise<HedgingDesk> {
  const desk = await openHedgingDesk(market, { folder, fleet, chain: { hedgeMostGwei: MOST_GWEI } });
  onTestFinished(async () => {
    await desk.close();
    await fleet.close();
  });
  return desk;
}

function folderHere(): string {
  const { folder, remove } = hedgeFolder();
  onTestFinished(remove);
  return folder;
}

/** A halted desk of a fleet that bought one WETH, with a line to the fleet server that can be cut. */
async function deskWithFill() {
  const nats = await startNats();
  onTestFinished(() => nats.close());
  const line = await cuttingProxy(nats.port);
  onTestFinished(() => line.close());
  const server = await serverAt(line.port);
  const writer = new FleetWriter(
    server,
    await Seat.take(server, { name: 'first', byForce: false, monotonic }),
    monotonic,
  );
  const desk = await openedIn(folderHere(), writer);
  const fill = await desk.filled('bids', ETHER, 3_390n * DOLLAR);
  return { nats, line, writer, desk, fill };
}

/** Sells what was bought, and says that this closes a position. On a machine that stood still the desk is alone for a moment: then once more. */
const confirmed = (
  desk: HedgingDesk,
  fill: number,
  mode: 'market' | 'intent' = 'market',
  approval: 'approve' | 'permit' = 'approve',
) => vi.waitFor(() => desk.place(desk.wish({ fillSeqs: [fill], way: { mode }, approval }), true), PATIENT);

/** A confirmed hedge that waits for gas. */
async function waitsForGas(desk: HedgingDesk, fill: number): Promise<number> {
  await gasCosts(400n);
  onTestFinished(() => gasCosts(1n));
  const seq = await confirmed(desk, fill);
  await vi.waitFor(async () => expect((await desk.record(seq)).note).toMatch(/a hedge pays 50 at most/), PATIENT);
  return seq;
}

const leftAlone = ({ rooms }: HedgingDesk) => vi.waitFor(() => expect(rooms.guard.trading.isAlone).toBe(true), PATIENT);

/** Waits until the hedge is held or gone: it is held, and says that the desk is alone. */
async function staysHere(desk: HedgingDesk, seq: number): Promise<void> {
  const GONE = ['sent', 'submitted', 'done'];
  const hedge = await vi.waitUntil(async () => {
    const now = await desk.record(seq);
    return (now.held || GONE.includes(now.state)) && now;
  }, PATIENT);
  expect(hedge).toMatchObject({ held: true, note: expect.stringContaining('alone in its fleet') });
}

const has = (written: readonly Written[], step: string) =>
  written.some(({ item }) => 'body' in item && `${item.body}`.includes(`"${step}"`));

/** Cuts the line when a row with such a step is on its way to the fleet server: it never comes there. */
function cutAt(step: string, { writer, line }: { writer: FleetWriter; line: CuttingProxy }): void {
  const take = writer.take.bind(writer);
  writer.take = (written) => {
    if (has(written, step)) void line.close();
    return take(written);
  };
}

describe.skipIf(noNats !== null)('a desk that is alone in its fleet', () => {
  test('places no hedge, whoever says that it closes a position', async () => {
    const { nats, desk, fill } = await deskWithFill();
    const before = await left();
    await nats.kill();
    await leftAlone(desk);
    const wish = desk.wish({ fillSeqs: [fill] });
    await expect(desk.place(wish, true)).rejects.toMatchObject({ code: 'fleet_alone' });
    const { refusal } = await desk.hedging.prepare(wish);
    expect(refusal).toContain('This desk is alone in its fleet, and signs nothing');
    expect(await desk.rooms.journal.read.hedges({ limit: 1 })).toEqual([]);
    expect(await left()).toEqual(before);
  });

  test('lets none go that waits, whoever confirms it, until the fleet has all of its rows again', async () => {
    const { nats, desk, fill } = await deskWithFill();
    const before = await left();
    const seq = await waitsForGas(desk, fill);
    await nats.kill();
    await leftAlone(desk);
    await gasCosts(1n);
    await staysHere(desk, seq);
    await expect(desk.hedging.engine.send(seq, true, 'trader')).rejects.toMatchObject({ code: 'fleet_alone' });
    expect(await desk.steps(seq)).not.toContain('transaction_signed');
    expect(await left()).toEqual(before);
    await nats.start();
    await desk.reached(seq, 'done');
    expect(await left()).toMatchObject({ weth: before.weth - ETHER, nonce: before.nonce + 1 });
  });

  test.each([
    ['that waits for gas when its line is cut', 'market', null],
    ['whose swap is being written down when its line is cut', 'market', 'transaction_signed'],
    ['whose order is being written down when its line is cut', 'intent', 'order_signed'],
  ] as const)(
    'sends nothing of a confirmed hedge %s: it is hedged once, by a person’s word at the desk that took over',
    async (_, mode, step) => {
      const { nats, line, writer, desk, fill } = await deskWithFill();
      const server = await serverAt(nats.port);
      const [folder, witness] = [folderHere(), folderHere()];
      const log = { info() {}, warn() {} };
      const own = { folder, witness, log, server, name: 'second', ...READY, now: Date.now, monotonic };
      const standby = await Standby.open(own);
      const before = await left();
      if (step !== null) cutAt(step, { writer, line });
      const seq = await (step === null ? waitsForGas(desk, fill) : confirmed(desk, fill, mode));
      if (step === null) void line.close();
      await leftAlone(desk);
      await gasCosts(1n);
      await staysHere(desk, seq);
      const other = await openedIn(folder, await standby.takeOver());
      expect((await other.reached(seq, 'failed')).note).toContain('nothing was traded');
      expect(await left()).toEqual(before);
      const again = await confirmed(other, fill, mode);
      await other.reached(again, 'done');
      const sent = mode === 'market' ? { nonce: before.nonce + 1 } : { orders: before.orders + 1 };
      expect(await left()).toMatchObject({ weth: before.weth - ETHER, ...sent });
      expect((await desk.record(seq)).held).toBe(true);
    },
  );

  test('gives the service no permit that was being written down when its line was cut', async () => {
    const { line, writer, desk, fill } = await deskWithFill();
    const { intents } = market.floor.addresses;
    await allow(intents, 0n);
    onTestFinished(async () => void (await allow(intents, 2n ** 255n)));
    const posts = vi.spyOn(market.client, 'post');
    onTestFinished(() => posts.mockRestore());
    cutAt('permit_signed', { writer, line });
    const seq = await confirmed(desk, fill, 'intent', 'permit');
    await leftAlone(desk);
    await staysHere(desk, seq);
    expect(await desk.steps(seq)).toContain('permit_signed');
    expect(posts.mock.calls.filter(([{ body }]) => JSON.stringify(body).includes('permit'))).toEqual([]);
  });
});
