import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { expectPorts } from '../../electron/desk/expect-ports.ts';
import { fleetPlace } from '../../electron/fleet/fleet-place.ts';
import { type FleetServer, openFleetServer } from '../../electron/fleet/fleet-server.ts';
import { FleetWriter } from '../../electron/fleet/fleet-writer.ts';
import { Seat, seatHolder } from '../../electron/fleet/seat.ts';
import { Standby } from '../../electron/fleet/standby.ts';
import { hearStandbys } from '../../electron/fleet/standby-rows.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { temporaryFolder } from '../desk/desk-process.ts';
import { noNats, startNats } from './nats.ts';
import { READY } from './ready.ts';

const monotonic = () => performance.now();

function folderHere(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

/** A server of a cluster that was cut off: from the first look on it answers what stood there then, until it is told of the others again. */
function cutOff(server: FleetServer) {
  const stood = new Map<string, ReturnType<typeof server.bucket.get>>();
  let isCutOff = true;
  const get = (key: string) => {
    const now = server.bucket.get(key);
    if (!isCutOff) return now;
    if (!stood.has(key)) stood.set(key, now);
    return stood.get(key) ?? now;
  };
  const bucket = new Proxy(server.bucket, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (name === 'get') return get;
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
  const heal = () => {
    isCutOff = false;
  };
  return { server: { ...server, bucket }, heal };
}

/** A desk that writes, and the connection of another one. */
async function deskInFleet() {
  const nats = await startNats();
  onTestFinished(() => nats.close());
  const place = fleetPlace(`nats://127.0.0.1:${nats.port}/desk`);
  const open = () => vi.waitFor(() => openFleetServer(place, null), { interval: 200 });
  const desk = await open();
  onTestFinished(() => desk.close());
  const seat = await Seat.take(desk, { name: 'desk', byForce: false, monotonic });
  const writer = new FleetWriter(desk, seat, monotonic);
  const journal = await openJournal({ folder: folderHere(), now: Date.now, replica: writer });
  onTestFinished(() => journal.close().catch(() => {}));
  const body = { of: 'counterparty', id: 'c.example', name: 'A', before: null } as const;
  await journal.append({ time: Date.now(), actor: 'test', kind: 'name_given', body });
  const other = await open();
  onTestFinished(() => other.close());
  return { desk, seat, other };
}

describe.skipIf(noNats !== null)('a standby that takes over by itself', () => {
  test('takes nothing from a desk that renews its seat, whatever old news it reads of it, and takes the place of one that is gone', async () => {
    const { desk, seat, other } = await deskInFleet();
    const { server, heal } = cutOff(other);
    const refused: string[] = [];
    const log = { info() {}, error() {}, warn: (line: string) => refused.push(line) };
    const own = { folder: folderHere(), witness: folderHere(), name: 'standby', ...READY };
    const standby = await Standby.open({ ...own, server, now: Date.now, monotonic, log });
    onTestFinished(() => standby.close());
    let isUnheard = false;
    standby.onUnheard(1_500, () => {
      isUnheard = true;
    });
    await expect.poll(() => isUnheard || refused.some((line) => line.startsWith('the seat was not taken'))).toBe(true);
    expect([isUnheard, seat.isLost]).toEqual([false, false]);
    expect((await seatHolder(desk))?.holder).toMatchObject({ name: 'desk', turn: 1 });

    heal();
    await desk.connection.close();
    await expect.poll(() => isUnheard).toBe(true);
    const taken = await standby.takeOver();
    expect((await seatHolder(other))?.holder).toMatchObject({ name: 'standby', turn: 2 });
    await taken.close();
  });

  test('leaves the seat where it is while no desk would start at it, and takes it once one would', async () => {
    const { desk, other } = await deskInFleet();
    await desk.connection.close();
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    );
    onTestFinished(() => void server.close());
    const refused: string[] = [];
    const log = { info() {}, error() {}, warn: (line: string) => refused.push(line) };
    const own = { folder: folderHere(), witness: folderHere(), name: 'standby', ...READY };
    const places = { surfaceHost: '127.0.0.1', surfacePort: port, consolePort: 0 };
    const expectStarts = () => expectPorts(places);
    const standby = await Standby.open({ ...own, expectStarts, server: other, now: Date.now, monotonic, log });
    onTestFinished(() => standby.close());
    let isUnheard = false;
    standby.onUnheard(1_500, () => {
      isUnheard = true;
    });
    await expect.poll(() => refused.filter((line) => line.startsWith('does not take over')).length).toBeGreaterThan(1);
    expect(isUnheard).toBe(false);
    expect((await seatHolder(other))?.holder).toMatchObject({ name: 'desk', turn: 1 });
    expect(await hearStandbys(other)).toMatchObject([{ name: 'standby', startFault: `Port ${port} is taken.` }]);
    server.close();
    await expect.poll(() => isUnheard).toBe(true);
    await (await standby.takeOver()).close();
  });

  test('does not take the seat by another read than the one it was judged by: its turn would be that of a desk before', async () => {
    const { seat, other } = await deskInFleet();
    const { server, heal } = cutOff(other);
    expect((await seatHolder(server))?.holder).toMatchObject({ name: 'desk', turn: 1 });
    const second = await Seat.take(other, { name: 'second', byForce: true, monotonic });
    await expect.poll(() => seat.isLost).toBe(true);
    await second.close();

    const standing = (await seatHolder(other))?.revision ?? null;
    const take = () => Seat.take(server, { name: 'standby', byForce: true, standing, monotonic });
    await expect(take()).rejects.toMatchObject({ code: 'fleet_taken' });
    heal();
    const taken = await take();
    expect(taken.holder.turn).toBe(3);
    await taken.close();
  });
});
