import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPublicClient, erc20Abi, http } from 'viem';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Address } from '../../electron/protocol/address.ts';
import { connectionTo } from '../desk/connection.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { howOften } from '../how-often.ts';
import {
  fleetWorld,
  folderWithKeyOf,
  keepsLive,
  nothingIsLost,
  resumeWhereHalted,
  startInFleet,
} from './fleet-desks.ts';
import type { FleetDesk } from './fleet-process.ts';
import { noNats, startNats } from './nats.ts';

const ROUNDS = howOften(6, 20, 'MAKERDESK_KILLS');
const RACES = howOften(20, 100, 'MAKERDESK_RACES');

const world = fleetWorld();
/** The shortest that a desk takes, seconds. */
const LIFETIME = 125;

interface Received {
  signature: string;
  amount: bigint;
  /** Unix seconds. */
  expiry: number;
  at: number;
}

/** A desk of a fleet with two surfaces, and takers that ask all of them all the time. */
async function besieged() {
  const { chain } = world();
  const file = deskFileFor(chain, {
    quoteLifetimeSeconds: LIFETIME,
    prices: { 'WETH/USDC': { bids: [], asks: [['3412.96', '1000000']] } },
  });
  const nats = await startNats();
  onTestFinished(() => nats.close());
  const fleet = `nats://127.0.0.1:${nats.port}/desk`;
  const { folder, remove } = await armedFolder(chain, file);
  onTestFinished(remove);
  const places = { tokyo: temporaryFolder(), paris: temporaryFolder() };
  for (const place of Object.values(places)) onTestFinished(place.remove);
  const startSurface = (name: keyof typeof places) =>
    startInFleet(places[name].folder, ['surface', '--fleet', fleet, '--name', name]);
  const desk = startInFleet(folder, ['serve', '--fleet', fleet, '--name', 'first']);
  await desk.ready();
  const running = { desk, tokyo: startSurface('tokyo'), paris: startSurface('paris') };
  const received: Received[] = [];
  const wants = { amount: 10n ** 12n, restMs: 0 };
  let isOver = false;
  const takers = (['desk', 'tokyo', 'paris', 'tokyo', 'paris'] as const).map(async (whom, index) => {
    // Each asks for another user: what is asked twice with one signature is one order.
    const user: Address = `0x${`${index + 1}`.repeat(40)}`;
    while (!isOver) {
      try {
        const { surface } = await running[whom].ready();
        const { json } = await takerClient(surface, file, user).firm('asks', { makerAmount: String(wants.amount) });
        if (json.order === undefined) await sleep(30);
        else {
          const { signature, makerAmount, expiry } = json.order;
          received.push({
            signature: String(signature),
            amount: BigInt(makerAmount ?? 0),
            expiry: Number(expiry),
            at: performance.now(),
          });
          await sleep(wants.restMs);
        }
      } catch {
        await sleep(30);
      }
    }
  });
  return {
    file,
    nats,
    fleet,
    folder,
    running,
    startSurface,
    received,
    /** From now on each asks for so much, and rests so long when it got it. */
    ask: (amount: bigint, restMs: number) => void Object.assign(wants, { amount, restMs }),
    async stop() {
      isOver = true;
      await Promise.all(takers);
    },
  };
}

/** The most that takers held at any second, raw units: all of it could have been filled then. */
function mostHeld(received: readonly Received[]): bigint {
  const ends = [...new Set(received.map(({ expiry }) => expiry))];
  const heldAt = (second: number) =>
    received
      .filter(({ expiry }) => expiry >= second && expiry - LIFETIME <= second)
      .reduce((sum, { amount }) => sum + amount, 0n);
  return ends.map(heldAt).reduce((most, held) => (held > most ? held : most), 0n);
}

/** What WETH the maker has, raw units, by the chain itself. */
function wethOfMaker(): Promise<bigint> {
  const { accounts, rpcUrl, weth } = world().chain;
  const client = createPublicClient({ transport: http(rpcUrl) });
  return client.readContract({
    address: weth,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [accounts.maker.address],
  });
}

/** A desk's place in a fleet: its name there, and its folder. */
type Place = { name: string; folder: string };

/** A standby in this place; in a new folder where its journal has what the fleet has not. */
async function standBy(fleet: string, place: Place): Promise<FleetDesk> {
  const start = () => startInFleet(place.folder, ['standby', '--fleet', fleet, '--name', place.name]);
  const one = start();
  const follows = await one.said((line) => line.standby === true).catch(() => null);
  if (follows !== null) return one;
  expect(one.stderr()).toContain('another past');
  place.folder = folderWithKeyOf(place.folder);
  const other = start();
  await other.said((line) => line.standby === true);
  return other;
}

describe.skipIf(noNats !== null)('a desk with two surfaces', () => {
  test(`whatever is killed, stands still or is taken over, ${ROUNDS} times: takers never hold more than the maker has, and each order is in the journal once`, async () => {
    const { nats, fleet, folder, running, startSurface, received, ask, stop } = await besieged();
    let [writes, stands]: [Place, Place] = [
      { name: 'first', folder },
      { name: 'second', folder: folderWithKeyOf(folder) },
    ];
    let standby = await standBy(fleet, stands);
    const balance = await wethOfMaker();
    // Little enough that something is left for every round; what is left then is asked for at once.
    ask(balance / 500n, 1_500);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { length } = received;
      await expect
        .poll(
          async () => {
            await resumeWhereHalted(writes.folder).catch(() => {});
            return received.length - length;
          },
          { interval: 500 },
        )
        .toBeGreaterThan(2);
      await sleep(Math.random() * 1_000);
      const whom =
        (['desk', 'desk', 'tokyo', 'paris', 'nats', 'standby'] as const)[Math.floor(Math.random() * 6)] ?? 'desk';
      const stops = Math.random() < 0.4;
      if (whom === 'desk' && Math.random() < 0.5) {
        const last = running.desk;
        if (stops) last.signal('SIGSTOP');
        else await last.end('SIGKILL');
        const told = await runCommand(null, ['fleet', 'take-over', stands.name, '--fleet', fleet]);
        expect(told.code, `${told.stderr}${standby.stderr()}`).toBe(0);
        await standby.ready();
        running.desk = standby;
        [writes, stands] = [stands, writes];
        if (stops) {
          // It wakes with the requests that it had not answered, and nothing that it says counts.
          last.signal('SIGCONT');
          await sleep(Math.random() * 2_000);
          await last.end('SIGKILL');
        }
        standby = await standBy(fleet, stands);
      } else if (stops) {
        const part: Pick<FleetDesk, 'signal'> = { ...running, nats, standby }[whom];
        part.signal('SIGSTOP');
        await sleep(Math.random() * 4_000);
        part.signal('SIGCONT');
      } else if (whom === 'nats') {
        await nats.kill();
        await sleep(Math.random() * 4_000);
        await nats.start();
      } else if (whom === 'standby') {
        await standby.end('SIGKILL');
        standby = await standBy(fleet, stands);
      } else {
        await running[whom].end('SIGKILL');
        await sleep(Math.random() * 2_000);
        running[whom] =
          whom === 'desk'
            ? startInFleet(writes.folder, ['serve', '--fleet', fleet, '--name', writes.name])
            : startSurface(whom);
        await running[whom].ready();
      }
    }
    ask(balance / 20n, 0);
    const held = async () => {
      await resumeWhereHalted(writes.folder).catch(() => {});
      return mostHeld(received);
    };
    await expect.poll(held, { interval: 1_000 }).toBeGreaterThan((balance * 9n) / 10n);
    await sleep(3_000);
    await stop();
    expect(mostHeld(received)).toBeLessThanOrEqual(balance);
    expect(new Set(received.map(({ signature }) => signature)).size).toBe(received.length);
    for (const name of ['tokyo', 'paris'] as const) expect(await running[name].end('SIGTERM')).toBe(0);
    const status = await runCommand(null, ['fleet', 'status', '--json', '--fleet', fleet]);
    expect(JSON.parse(status.stdout)).toMatchObject({ surfaces: [] });
    expect(await standby.end('SIGTERM')).toBe(0);
    expect(await running.desk.end('SIGTERM')).toBe(0);
    await nothingIsLost(writes.folder, received);
  });

  test(`a halt, ${RACES} times under load: no order comes from any surface after it was acknowledged`, async () => {
    const { folder, received, stop } = await besieged();
    await keepsLive(folder);
    const connection = await connectionTo(folder, 'mara');
    onTestFinished(() => connection.close());
    const resume = () => connection.desk.trading.resume({ scope: {}, reason: 'again' });
    for (let race = 0; race < RACES; race += 1) {
      const { length } = received;
      await expect.poll(() => received.length - length).toBeGreaterThan(3);
      await sleep(Math.random() * 50);
      await connection.desk.trading.halt({ scope: {}, reason: 'a race' });
      const acknowledgedAt = performance.now();
      const standstill = monitorEventLoopDelay({ resolution: 1 });
      standstill.enable();
      await sleep(150);
      standstill.disable();
      // What left before may be read here a moment later, and as much later as this process stood still: it asks for all of the takers.
      const readBy = acknowledgedAt + 50 + standstill.max / 1e6;
      expect(received.filter(({ at }) => at > readBy)).toEqual([]);
      // Also where the desk was alone for a moment just then.
      await vi.waitFor(resume, { interval: 50 });
    }
    await stop();
  });
});
