import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import {
  connect,
  headers,
  type NatsConnection,
  nkeyAuthenticator,
  PermissionViolationError,
} from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fleetPlace } from '../../electron/fleet/fleet-place.ts';
import { type FleetRole, type FleetServer, openFleetServer } from '../../electron/fleet/fleet-server.ts';
import { FleetWriter } from '../../electron/fleet/fleet-writer.ts';
import { LEASE_MS } from '../../electron/fleet/lease.ts';
import { foundSealed, takeSealed } from '../../electron/fleet/sealed-secrets.ts';
import { Seat, seatHolder } from '../../electron/fleet/seat.ts';
import { Standby } from '../../electron/fleet/standby.ts';
import { tellStandby } from '../../electron/fleet/standby-rows.ts';
import type { Here } from '../../electron/fleet/surface-messages.ts';
import { tellSurface } from '../../electron/fleet/surface-rows.ts';
import { FleetSurfaces, type FleetSurfacesOptions } from '../../electron/fleet/surfaces.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { sealText } from '../../electron/signer/sealed-text.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { PATIENCE } from '../how-long.ts';
import { type GuardedFleet, guardedFleet, guideRights, type UserName } from './guarded.ts';
import { noNats } from './nats.ts';
import { READY } from './ready.ts';

async function serverOf(fleet: GuardedFleet, user: UserName, role: FleetRole): Promise<FleetServer> {
  const { url, authority, credentials } = fleet;
  const open = () => openFleetServer(fleetPlace(url), credentials(user), { role, authority });
  // A machine that is busy may need longer for a handshake than a desk waits for it: it tries again.
  const server = await vi.waitFor(open, { interval: 200 });
  onTestFinished(() => server.close());
  return server;
}

/** A thief's own client, with the stolen seed and none of our code: what the server refused it stands in `denied`. */
async function thiefOf(
  fleet: GuardedFleet,
): Promise<{ line: NatsConnection; denied: string[]; tries(act: () => unknown): Promise<string[]> }> {
  const line = await connect({
    servers: `localhost:${fleet.nats.port}`,
    tls: { caFile: fleet.authority },
    authenticator: nkeyAuthenticator(readFileSync(fleet.credentials('tokyo'))),
    inboxPrefix: 'makerdesk.emea.inbox.surface.tokyo',
  });
  onTestFinished(() => line.close());
  const denied: string[] = [];
  void (async () => {
    for await (const status of line.status()) {
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        denied.push(status.error.subject);
    }
  })();
  const tries = async (act: () => unknown) => {
    denied.length = 0;
    await act();
    await line.flush();
    await sleep(0);
    return [...denied];
  };
  return { line, denied, tries };
}

/** What may never change by the hand of a surface: the newest row, and every entry of the bucket. */
async function contentOf({ manager }: FleetServer): Promise<unknown> {
  const [rows, bucket] = await Promise.all([
    manager.streams.info('makerdesk_emea'),
    manager.streams.info('KV_makerdesk_emea', { subjects_filter: '>' }),
  ]);
  return { rows: rows.state.last_seq, entries: bucket.state.last_seq, subjects: bucket.state.subjects };
}

async function robbedFleet() {
  const fleet = await guardedFleet('keys');
  const desk = await serverOf(fleet, 'fra-1', 'desk');
  for (const key of ['writer', 'secrets', 'served.desk', 'served.1', 'served.switch.paris', 'standby.lon-1'])
    await desk.bucket.put(key, JSON.stringify({ of: key }));
  await desk.js.publish(desk.names.subject, 'a row');
  return { fleet, desk, thief: await thiefOf(fleet) };
}

const BUCKET = 'KV_makerdesk_emea';
const monotonic = () => performance.now();
const NAMED = { of: 'counterparty', id: 'c.example', name: 'A name', before: null } as const;
/** What a surface says of itself, but for who it is. */
const HERE = {
  url: '',
  version: '1',
  startedAt: 0,
  switched: 'on',
  beats: [],
  webSockets: 0,
  asked: 0,
  unanswered: 0,
  serves: false,
  perSecond: 0,
  p99Ms: null,
  leaves: false,
};

/** What the desk does for its surfaces; it answers every request. */
function surfacesOf(server: FleetServer, changes: Partial<FleetSurfacesOptions>): FleetSurfaces {
  const surfaces = new FleetSurfaces({
    server,
    writer: { seat: { isFresh: true, holder: { turn: 1 } } as Seat, isOver: false },
    firm: (_, respond) => respond({ status: 200, body: '{}' }),
    onBeat: () => {},
    onEarlierKeys: () => {},
    onElsewhere: () => {},
    now: Date.now,
    monotonic,
    log: { info() {}, warn() {} },
    ...changes,
  });
  onTestFinished(() => surfaces.close());
  return surfaces;
}

function folderHere(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

describe.skipIf(noNats !== null)('whoever stole the credentials of a surface', () => {
  test('can write no row, no seat, no grid, no secrets, no switch and no takeover', async () => {
    const { desk, thief } = await robbedFleet();
    const before = await contentOf(desk);
    const keys = [
      'writer',
      'secrets',
      'served.desk',
      'served.1',
      'served.switch.tokyo',
      'take-over.lon-1',
      'standby.lon-1',
    ];
    for (const subject of ['makerdesk.emea.rows', ...keys.map((key) => `$KV.makerdesk_emea.${key}`)]) {
      expect(await thief.tries(() => thief.line.publish(subject, 'of a thief'))).toEqual([subject]);
      const noted = headers();
      noted.set('KV-Operation', 'PURGE');
      noted.set('Nats-Rollup', 'sub');
      expect(await thief.tries(() => thief.line.publish(subject, '', { headers: noted }))).toEqual([subject]);
    }
    expect(await contentOf(desk)).toEqual(before);
  });

  test('cannot answer in the place of the desk, speak to other surfaces, or for them', async () => {
    const { thief } = await robbedFleet();
    for (const subject of [
      'makerdesk.emea.surfaces.firm',
      'makerdesk.emea.surfaces.here.*',
      'makerdesk.emea.surfaces.here.paris',
      'makerdesk.emea.surfaces.firm.paris.>',
      'makerdesk.emea.surfaces.stop.*',
      'makerdesk.emea.inbox.desk.>',
      'makerdesk.emea.inbox.surface.paris.>',
      'makerdesk.emea.rows',
      '$KV.>',
      '_INBOX.>',
      '>',
    ]) {
      expect(await thief.tries(() => thief.line.subscribe(subject))).toEqual([subject]);
    }
    for (const subject of [
      'makerdesk.emea.surfaces.firm.paris.1.1',
      'makerdesk.emea.surfaces.stop',
      'makerdesk.emea.surfaces.say',
      'makerdesk.emea.surfaces.here.paris',
      'makerdesk.emea.surfaces.row.paris',
      'makerdesk.emea.inbox.surface.paris.1',
      'makerdesk.emea.inbox.desk.1',
    ]) {
      expect(await thief.tries(() => thief.line.publish(subject, '{}'))).toEqual([subject]);
    }
  });

  test('can read what a surface has to serve, and neither the rows nor anything else of the bucket', async () => {
    const { thief } = await robbedFleet();
    const manager = await jetstreamManager(thief.line, { checkAPI: false, timeout: PATIENCE });
    const direct = (key: string) => manager.direct.getMessage(BUCKET, { last_by_subj: `$KV.makerdesk_emea.${key}` });
    expect((await direct('served.1'))?.string()).toContain('served.1');
    for (const key of ['secrets', 'writer']) await expect(direct(key)).rejects.toThrow(/Permissions Violation/);
    await expect(manager.direct.getMessage(BUCKET, { seq: 1 })).rejects.toThrow(/Permissions Violation/);
    for (const stream of ['makerdesk_emea', BUCKET]) {
      await expect(manager.streams.getMessage(stream, { seq: 1 })).rejects.toThrow(/Permissions Violation/);
      await expect(manager.streams.info(stream)).rejects.toThrow(/Permissions Violation/);
      await expect(manager.streams.purge(stream)).rejects.toThrow(/Permissions Violation/);
      await expect(manager.streams.delete(stream)).rejects.toThrow(/Permissions Violation/);
      await expect(manager.streams.deleteMessage(stream, 1)).rejects.toThrow(/Permissions Violation/);
    }
    await expect(manager.streams.add({ name: 'own', subjects: ['own'] })).rejects.toThrow(/Permissions Violation/);
  });

  test('can follow what is served alone, whatever filter it asks for', async () => {
    const { thief } = await robbedFleet();
    const follow = async (filter: string, config: object) => {
      const body = JSON.stringify({ stream_name: BUCKET, config: Object.assign({ ack_policy: 'none' }, config) });
      const subject = `$JS.API.CONSUMER.CREATE.${BUCKET}.thief.${filter}`;
      const answer = await thief.line.request(subject, body, { timeout: PATIENCE });
      const { error, config: made } = answer.json<{
        error?: { err_code: number };
        config?: { filter_subject: string };
      }>();
      return error?.err_code ?? made?.filter_subject;
    };
    const served = '$KV.makerdesk_emea.served.>';
    const all = '$KV.makerdesk_emea.>';
    const isOther = 10131; // what the server says where the subject has another filter than the request
    expect(await follow(served, { name: 'thief', filter_subject: all })).toBe(isOther);
    expect(await follow(served, { name: 'thief', filter_subjects: [all] })).toBe(isOther);
    expect(await follow(served, { name: 'thief' })).toBe(isOther);
    expect(await follow(served, { name: 'thief', filter_subject: served })).toBe(served);
    await expect(follow(all, { name: 'thief', filter_subject: all })).rejects.toThrow(/Permissions Violation/);
    const create = (rest: string) => thief.line.request(`$JS.API.CONSUMER.${rest}`, '{}', { timeout: PATIENCE });
    for (const rest of [
      `CREATE.${BUCKET}`,
      `CREATE.${BUCKET}.thief`,
      `DURABLE.CREATE.${BUCKET}.thief`,
      'CREATE.makerdesk_emea.thief',
    ])
      await expect(create(rest)).rejects.toThrow(/Permissions Violation/);
  });

  test('can have the server put its answers among the rows and over the seat: they count for nothing, and the desk goes on', async () => {
    const fleet = await guardedFleet('keys');
    const desk = await serverOf(fleet, 'fra-1', 'desk');
    const thief = await thiefOf(fleet);
    const seat = await Seat.take(desk, { name: 'fra-1', byForce: false, monotonic });
    const writer = new FleetWriter(desk, seat, monotonic);
    const journal = await openJournal({ folder: folderHere(), now: Date.now, replica: writer });
    onTestFinished(async () => {
      await writer.close();
      await journal.close();
    });
    const said: (string | null)[] = [];
    writer.tellAlone((why) => said.push(why));
    const append = () => journal.append({ time: Date.now(), actor: 'test', kind: 'name_given', body: NAMED });
    await desk.bucket.put('served.1', 'a grid');
    await append();
    const standby = await Standby.open({
      folder: folderHere(),
      name: 'lon-1',
      server: await serverOf(fleet, 'lon-1', 'desk'),
      ...READY,
      now: Date.now,
      monotonic,
      log: { info() {}, warn() {} },
      witness: folderHere(),
    });
    const grid = `$JS.API.DIRECT.GET.${BUCKET}.$KV.makerdesk_emea.served.1`;
    const ofSwitch = `$JS.API.DIRECT.GET.${BUCKET}.$KV.makerdesk_emea.served.switch.tokyo`;
    await desk.bucket.put('served.switch.tokyo', JSON.stringify({ to: 'off', by: 'mara' }));
    const rows = async () => (await desk.manager.streams.info('makerdesk_emea')).state.last_seq;
    const asked: string[] = [];
    standby.onAsked((by) => asked.push(by));
    const standstill = monitorEventLoopDelay({ resolution: 1 });
    standstill.enable();
    for (let round = 0; round < 5; round += 1) {
      const before = await rows();
      thief.line.publish(grid, '', { reply: 'makerdesk.emea.rows' });
      thief.line.publish('$JS.API.CONSUMER.CREATE.KV_makerdesk_emea.x.$KV.makerdesk_emea.served.>', '{}', {
        reply: 'makerdesk.emea.rows',
      });
      thief.line.publish(grid, '', { reply: '$KV.makerdesk_emea.writer' });
      thief.line.publish(ofSwitch, '', { reply: '$KV.makerdesk_emea.take-over.lon-1' });
      await expect.poll(rows).toBeGreaterThanOrEqual(before + 2);
      await append();
    }
    // It is written over with the next renewal, and the lease does not run out.
    await expect.poll(async () => (await seatHolder(desk).catch(() => null))?.holder?.id).toBe(seat.holder.id);
    await append();
    standstill.disable();
    // On a machine that stood still for so long it may run out by itself, and comes back.
    if (standstill.max < 0.75 * LEASE_MS * 1e6) expect(said).toEqual([]);
    else await expect.poll(() => said.at(-1) ?? null).toBeNull();
    await expect.poll(() => standby.row()).toBe(journal.head().seq);
    expect((await desk.bucket.get('take-over.lon-1'))?.json()).toMatchObject({ by: 'mara' });
    expect(asked).toEqual([]);
    thief.line.publish(grid, '', { reply: 'makerdesk.emea.rows' });
    await thief.line.flush();
    const taken = await standby.takeOver();
    expect(taken.standing()).toMatchObject({ kept: journal.head().seq, alone: null });
    await taken.close();
  });

  test('can have the server put its answer over the sealed file there: the one in the folder of a standby stays', async () => {
    const { desk, thief } = await robbedFleet();
    const sealed = await sealText('a secret of a test', 'a passphrase for tests only', { scryptCost: 2 });
    const revision = await desk.bucket.put('secrets', sealed);
    const folder = folderHere();
    const taken = await takeSealed(desk, folder, READY.open, await foundSealed(folder, READY.open));
    expect(taken).toEqual({ revision, fault: null });
    const answer = `$JS.API.DIRECT.GET.${BUCKET}.$KV.makerdesk_emea.served.1`;
    thief.line.publish(answer, '', { reply: '$KV.makerdesk_emea.secrets' });
    await expect.poll(async () => (await desk.bucket.get('secrets'))?.revision).toBeGreaterThan(revision);
    expect(await takeSealed(desk, folder, READY.open, taken)).toBe(taken);
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe(sealed);
  });

  test('can have the server write over the seat of a desk that is gone: another one takes it all the same, with the next turn', async () => {
    const fleet = await guardedFleet('keys');
    const gone = await serverOf(fleet, 'fra-1', 'desk');
    const seat = await Seat.take(gone, { name: 'fra-1', byForce: false, monotonic });
    await new FleetWriter(gone, seat, monotonic).fence(null);
    await gone.close();
    const second = await serverOf(fleet, 'lon-1', 'desk');
    await second.bucket.put('served.1', 'a grid');
    const thief = await thiefOf(fleet);
    const before = (await seatHolder(second))?.revision ?? 0;
    const answer = `$JS.API.DIRECT.GET.${BUCKET}.$KV.makerdesk_emea.served.1`;
    thief.line.publish(answer, '', { reply: '$KV.makerdesk_emea.writer' });
    await expect.poll(async () => (await seatHolder(second))?.revision).toBeGreaterThan(before);
    expect((await seatHolder(second))?.holder).toBeNull();
    expect((await runCommand(null, ['fleet', 'status', ...fleet.access('mara')])).stdout).toContain('No desk');
    const taken = await Seat.take(second, { name: 'lon-1', byForce: false, monotonic });
    expect(taken.holder).toMatchObject({ name: 'lon-1', turn: 2 });
    await taken.close();
  });

  test('is a few surfaces at most, and says of nobody that they asked later than now', async () => {
    const { desk, thief } = await robbedFleet();
    const beats: Here['beats'] = [];
    const surfaces = surfacesOf(desk, { onBeat: (beat) => beats.push(beat) });
    await desk.connection.flush();
    const say = (id: string, endpoint: string) => {
      const beat = { chainId: 1, endpoint, at: Date.now() + 3_600_000, by: null, status: 200, skewMs: null };
      const here = JSON.stringify(Object.assign({}, HERE, { name: 'tokyo', id, beats: [beat] }));
      thief.line.publish('makerdesk.emea.surfaces.here.tokyo', here, { reply: 'makerdesk.emea.inbox.surface.tokyo.1' });
    };
    const copies = Array.from({ length: 30 }, () => randomUUID());
    for (const id of copies) say(id, 'prices');
    say(copies[0] ?? '', 'pairs');
    await expect.poll(() => beats.at(-1)?.endpoint).toBe('pairs');
    expect(beats).toHaveLength(8 + 1);
    expect(surfaces.view()).toHaveLength(8);
    for (const { at } of beats) expect(at).toBeLessThanOrEqual(Date.now());
  });

  test('cannot have the desk answer to where rows are, or as another surface', async () => {
    const { fleet, desk, thief } = await robbedFleet();
    const warned: string[] = [];
    const surfaces = surfacesOf(desk, { log: { info() {}, warn: (line) => warned.push(line) } });
    await desk.connection.flush();
    const before = await contentOf(desk);
    const here = (name: string) => JSON.stringify(Object.assign({}, HERE, { name, id: randomUUID() }));
    const ask = `${JSON.stringify({ chainId: 1, counterparty: null, turn: 1, at: 0 })}\n{}`;
    for (const reply of ['makerdesk.emea.rows', '$KV.makerdesk_emea.writer', 'makerdesk.emea.inbox.surface.paris.1']) {
      thief.line.publish('makerdesk.emea.surfaces.here.tokyo', here('tokyo'), { reply });
      thief.line.publish('makerdesk.emea.surfaces.firm', ask, { reply });
    }
    const own = 'makerdesk.emea.inbox.surface.tokyo.1';
    thief.line.publish('makerdesk.emea.surfaces.here.tokyo', here('paris'), { reply: own });
    await expect.poll(() => warned.length).toBe(4);
    expect(surfaces.view()).toEqual([]);
    expect(await contentOf(desk)).toEqual(before);
    const heard = await thief.line.request('makerdesk.emea.surfaces.here.tokyo', here('tokyo'), { timeout: PATIENCE });
    expect(heard.json()).toMatchObject({ turn: 1 });
    expect(fleet.refused()).toEqual([]);
  });
});

describe.skipIf(noNats !== null)('a user that lacks a right', () => {
  const { publish: writes, subscribe: listens } = guideRights('tokyo');
  test.each([...writes.map((right) => ['write to', right]), ...listens.map((right) => ['listen on', right])])(
    'does not start as a surface where it may not %s %s, and says so',
    async (word, right) => {
      const without = (list: string[]) => list.filter((subject) => subject !== right);
      const fleet = await guardedFleet('keys', ({ publish, subscribe }, user) =>
        user === 'tokyo' ? { publish: without(publish), subscribe: without(subscribe) } : { publish, subscribe },
      );
      const desk = await serverOf(fleet, 'fra-1', 'desk');
      await desk.bucket.put('served.desk', 'something');
      const args = ['surface', ...fleet.access('tokyo'), '--name', 'tokyo', '--surface-port', '0'];
      const { code, stderr } = await runCommand(folderHere(), args);
      const told = `does not let this user ${word} ${right.replace(/[*>].*$/, '')}`;
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(told) });
    },
  );

  test('but may look sees how the fleet stands, and is refused a switch and a takeover in so many words', async () => {
    const fleet = await guardedFleet('keys', ({ publish, subscribe }) => ({
      publish: publish.filter((subject) => !/^\$KV.*(take-over|switch)/.test(subject)),
      subscribe,
    }));
    const desk = await serverOf(fleet, 'fra-1', 'desk');
    const surface = await serverOf(fleet, 'tokyo', 'surface.tokyo');
    const talking = setInterval(() => {
      tellSurface(surface, { name: 'tokyo', url: 'http://127.0.0.1:1', version: '1', switched: 'on' });
      void tellStandby(desk, { name: 'lon-1', row: 1, hasKey: true }).catch(() => {});
    }, 200);
    onTestFinished(() => clearInterval(talking));
    const say = (...words: string[]) => runCommand(null, ['fleet', ...words, ...fleet.access('mara')]);
    await expect.poll(async () => (await say('status')).stdout).toMatch(/lon-1[\s\S]*tokyo/);
    const refused = (key: string) => ({
      code: 1,
      stderr: expect.stringContaining(`does not let this user write to $KV.makerdesk_emea.${key}`),
    });
    expect(await say('off', 'tokyo')).toMatchObject(refused('served.switch.tokyo'));
    expect(await say('take-over', 'lon-1')).toMatchObject(refused('take-over.lon-1'));
  });

  test('does not start as a surface under another name than its own, or as a desk with the rights of a surface', async () => {
    const fleet = await guardedFleet('keys');
    await serverOf(fleet, 'fra-1', 'desk');
    const other = await runCommand(folderHere(), [
      'surface',
      ...fleet.access('tokyo'),
      '--name',
      'paris',
      '--surface-port',
      '0',
    ]);
    expect(other).toMatchObject({ code: 1, stderr: expect.stringMatching(/does not let this user .*paris/) });
    const asDesk = await runCommand(folderHere(), ['standby', ...fleet.access('tokyo')]);
    expect(asDesk).toMatchObject({ code: 1, stderr: expect.stringContaining('does not let this user') });
  });
});
