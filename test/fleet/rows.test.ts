import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { nkeys } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fleetPlace } from '../../electron/fleet/fleet-place.ts';
import { type FleetServer, openFleetServer } from '../../electron/fleet/fleet-server.ts';
import { FleetWriter } from '../../electron/fleet/fleet-writer.ts';
import { LEASE_MS } from '../../electron/fleet/lease.ts';
import { joinFleet } from '../../electron/fleet/membership.ts';
import { RowsStream } from '../../electron/fleet/rows-stream.ts';
import { Seat, seatHolder } from '../../electron/fleet/seat.ts';
import { Standby } from '../../electron/fleet/standby.ts';
import { askToTakeOver, hearStandbys } from '../../electron/fleet/standby-rows.ts';
import { type Journal, openJournal } from '../../electron/journal/journal.ts';
import type { OwnRows } from '../../electron/journal/replica.ts';
import { rowHash } from '../../electron/journal/row-hash.ts';
import { sealText } from '../../electron/signer/sealed-text.ts';
import { type CuttingProxy, cuttingProxy } from '../cutting-proxy.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { startInFleet } from './fleet-desks.ts';
import { type Nats, noNats, startNats } from './nats.ts';
import { READY } from './ready.ts';

const monotonic = () => performance.now();
const log = { info() {}, warn() {} };

let nats: Nats;
let desks = 0;

beforeAll(async () => {
  if (noNats === null) nats = await startNats();
});
afterAll(() => nats?.close());

/** A desk's name that nobody had before, and the address of it. */
function fleet(port = nats.port): { url: string } {
  desks += 1;
  return { url: `nats://127.0.0.1:${port}/test-${desks}` };
}

async function serverAt(url: string): Promise<FleetServer> {
  const server = await vi.waitFor(() => openFleetServer(fleetPlace(url), null), { interval: 200 });
  onTestFinished(() => server.close());
  return server;
}

function folderHere(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

interface Writing {
  journal: Journal;
  writer: FleetWriter;
  /** What was said of being alone, in order. */
  said: (string | null)[];
  append(count: number): Promise<number[]>;
}

async function write(server: FleetServer, folder = folderHere(), writer?: FleetWriter): Promise<Writing> {
  const seat = writer?.seat ?? (await Seat.take(server, { name: 'first', byForce: false, monotonic }));
  const own = writer ?? new FleetWriter(server, seat, monotonic);
  const journal = await openJournal({ folder, now: Date.now, replica: own });
  const said: (string | null)[] = [];
  own.tellAlone((why) => said.push(why));
  onTestFinished(async () => {
    await own.close();
    await journal.close();
  });
  const append = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        journal.append({ time: Date.now(), actor: 'test', kind: 'name_given', body: named(index) }),
      ),
    );
  return { journal, writer: own, said, append };
}

/** How much was said by now of being alone, which is something only on a machine that stood still. Resolves once it is not alone. */
async function saidBefore(said: readonly (string | null)[]): Promise<number> {
  await expect.poll(() => said.at(-1) ?? null).toBeNull();
  return said.length;
}

const named = (index: number) =>
  ({ of: 'counterparty', id: `c${index}.example`, name: `Number ${index}`, before: null }) as const;

async function follow(server: FleetServer, name: string, folder = folderHere()): Promise<Standby> {
  const standby = await Standby.open({
    folder,
    name,
    server,
    ...READY,
    now: Date.now,
    monotonic,
    log,
    witness: folderHere(),
  });
  let closed = false;
  const close = standby.close.bind(standby);
  standby.close = async () => {
    if (!closed) await close();
    closed = true;
  };
  onTestFinished(() => standby.close());
  return standby;
}

describe.skipIf(noNats !== null)('the rows of a desk in its fleet', () => {
  test('stand in the stream before anybody is answered, and a standby has them row by row, with the same hashes', async () => {
    const { url } = fleet();
    const { journal, said, append } = await write(await serverAt(url));
    await append(300);
    const server = await serverAt(url);
    const there = async () => (await new RowsStream(server).last())?.head;
    if (said.length === 0) expect(await there()).toEqual(journal.head());
    // On a machine that stood still it was alone meanwhile: they come there later.
    else await expect.poll(there).toEqual(journal.head());
    const folder = folderHere();
    const standby = await follow(server, 'second', folder);
    await append(700);
    await expect.poll(() => standby.row()).toBe(journal.head().seq);
    await standby.close();
    const copy = await openJournal({ folder, now: Date.now });
    expect(copy.head()).toEqual(journal.head());
    expect(await copy.read.givenNames()).toEqual(await journal.read.givenNames());
    await copy.close();
  });

  test('that were written before there was a fleet are brought there at the start, and nothing twice', async () => {
    const { url } = fleet();
    const folder = folderHere();
    const alone = await openJournal({ folder, now: Date.now });
    for (let index = 0; index < 1_300; index += 1) {
      alone.append({ time: Date.now(), actor: 'test', kind: 'name_given', body: named(index) }).catch(() => {});
    }
    await alone.close();
    const { journal } = await write(await serverAt(url), folder);
    const standby = await follow(await serverAt(url), 'second');
    await expect.poll(() => standby.row()).toBe(1_300);
    expect(journal.head().seq).toBe(1_300);
  });

  test('of a desk that was taken over count no more from that moment: none of them is answered, and it fails for good', async () => {
    const { url } = fleet();
    const first = await write(await serverAt(url));
    await first.append(10);
    const server = await serverAt(url);
    const folder = folderHere();
    const standby = await follow(server, 'second', folder);
    const failed: string[] = [];
    first.journal.onFailure(({ code }) => failed.push(code));
    let answered = 0;
    let isOver = false;
    const going = (async () => {
      while (!isOver) {
        await first.append(1).then(
          ([seq = 0]) => {
            // What it is answered while it is alone is not there yet.
            if (first.writer.standing().alone === null) answered = seq;
          },
          () => {
            isOver = true;
          },
        );
      }
    })();
    await expect.poll(() => answered).toBeGreaterThan(20);
    const writer = await standby.takeOver();
    await going;
    const taken = await openJournal({ folder, now: Date.now });
    const row = taken.head().seq;
    await taken.close();
    // Each row that was answered is there, and at most the one that was on its way beside them; or those of a time when it was alone.
    if (first.said.length === 1) expect(row - answered).toBeLessThanOrEqual(1);
    expect(row - answered).toBeGreaterThanOrEqual(0);
    expect(failed).toEqual(['fleet_taken_over']);
    expect(first.said.at(-1)).toMatch(/taken over/);
    await expect(first.append(1)).rejects.toMatchObject({ code: 'fleet_taken_over' });
    const second = await write(server, folder, writer);
    await second.append(5);
    expect(second.journal.head().seq).toBe(row + 5);
    expect(await seatHolder(server)).toMatchObject({ holder: { name: 'second', turn: 2 } });
  });

  test('a desk whose server is gone for longer than a lease says so at once, writes on, and brings its rows there later', async () => {
    const own = await startNats();
    onTestFinished(() => own.close());
    const { url } = fleet(own.port);
    const server = await serverAt(url);
    const { journal, said, append } = await write(server);
    await append(10);
    const before = await saidBefore(said);
    await own.kill();
    const standstill = monitorEventLoopDelay({ resolution: 1 });
    standstill.enable();
    const began = performance.now();
    await append(1);
    standstill.disable();
    expect(performance.now() - began).toBeLessThan(10_000 + standstill.max / 1e6);
    expect(said.slice(before)).toEqual([expect.stringMatching(/server/)]);
    await append(50);
    await own.start();
    await expect.poll(() => said.at(-1)).toBeNull();
    await append(5);
    await expect.poll(async () => (await new RowsStream(server).last())?.head).toEqual(journal.head());
    expect(journal.head().seq).toBe(66);
  });

  test('come with what is kept beside them, also what was written before there was a fleet or while its server was gone', async () => {
    const own = await startNats();
    onTestFinished(() => own.close());
    const { url } = fleet(own.port);
    const [folder, other] = [folderHere(), folderHere()];
    const before = await openJournal({ folder, now: Date.now });
    await before.put({ table: 'settings', key: 'before', value: ['a way to call somebody'] });
    await before.append({ time: Date.now(), actor: 'test', kind: 'name_given', body: named(0) });
    await before.close();
    const { journal, said, append } = await write(await serverAt(url), folder);
    const heard = await saidBefore(said);
    await own.kill();
    await journal.put({ table: 'settings', key: 'on its way', value: 1 });
    expect(said.slice(heard)).toEqual([expect.stringMatching(/server/)]);
    await journal.put({ table: 'settings', key: 'alone', value: 'signed in an emergency' });
    await own.start();
    await expect.poll(() => said.at(-1)).toBeNull();
    await append(1);
    const standby = await follow(await serverAt(url), 'second', other);
    await expect.poll(() => standby.row()).toBe(journal.head().seq);
    await standby.close();
    const copy = await openJournal({ folder: other, now: Date.now });
    onTestFinished(() => copy.close());
    const kept = ['before', 'on its way', 'alone'].map((key) => copy.read.setting(key));
    expect(await Promise.all(kept)).toEqual([['a way to call somebody'], 1, 'signed in an emergency']);
  });

  test('come with what was written beside them while the standby did not run and no row came', async () => {
    const { url } = fleet();
    const folder = folderHere();
    const { journal, append } = await write(await serverAt(url));
    await append(5);
    const standby = await follow(await serverAt(url), 'second', folder);
    await expect.poll(() => standby.row()).toBe(5);
    await standby.close();
    await journal.put({ table: 'settings', key: 'meanwhile', value: 'signed in an emergency' });
    await append(1);
    const again = await follow(await serverAt(url), 'second', folder);
    await expect.poll(() => again.row()).toBe(6);
    await again.close();
    const copy = await openJournal({ folder, now: Date.now });
    onTestFinished(() => copy.close());
    expect(await copy.read.setting('meanwhile')).toBe('signed in an emergency');
  });

  test('that were on their way when it was left alone, and are stored only as it comes back, are its own: it goes on behind them', async () => {
    const own = await startNats();
    onTestFinished(() => own.close());
    const { url } = fleet(own.port);
    const server = await serverAt(url);
    const seat = await Seat.take(server, { name: 'first', byForce: false, monotonic });
    const writer = new FleetWriter(server, seat, monotonic);
    const begin = writer.begin.bind(writer);
    let rows: OwnRows['rows'] = () => [];
    writer.begin = (journal) => {
      rows = journal.rows.bind(journal);
      return begin(journal);
    };
    const { journal, said, append } = await write(server, folderHere(), writer);
    await append(10);
    const { streams } = server.manager;
    const getMessage = streams.getMessage.bind(streams);
    let late: Promise<number> | null = null;
    // Between the desk’s look at what is there and its next message.
    streams.getMessage = async (...asked) => {
      const found = await getMessage(...asked);
      const written = rows(11, 15).map(({ seq, hash, ...item }) => ({ item, head: { seq, hash } }));
      const head = written.at(-1)?.head;
      if (late === null && head !== undefined && said.length > 0) {
        const message = { turn: seat.holder.turn, written, head };
        late = serverAt(url).then((beside) => new RowsStream(beside).put(message, found?.seq ?? 0, 5_000));
        await late;
      }
      return found;
    };
    const before = await saidBefore(said);
    await own.kill();
    await append(60);
    expect(said.slice(before)).toEqual([expect.stringMatching(/server/)]);
    await own.start();
    await expect.poll(() => said.at(-1)).toBeNull();
    expect(await late).toBeGreaterThan(0);
    await append(5);
    expect(writer.isOver).toBe(false);
    const standby = await follow(await serverAt(url), 'second');
    await expect.poll(() => standby.row()).toBe(journal.head().seq);
    expect(journal.head().seq).toBe(75);
  });

  test('what was written beside them alone is brought there also behind something of that kind that was on its way, and stored only then', async () => {
    const own = await startNats();
    onTestFinished(() => own.close());
    const { url } = fleet(own.port);
    const server = await serverAt(url);
    const { journal, writer, said, append } = await write(server);
    await append(10);
    const { streams } = server.manager;
    const getMessage = streams.getMessage.bind(streams);
    let late: Promise<number> | null = null;
    // Between the desk’s look at what is there and its next message.
    streams.getMessage = async (...asked) => {
      const found = await getMessage(...asked);
      if (late === null && said.at(-1) != null) {
        const written = [{ item: { table: 'settings', key: 'late', value: 1 }, head: null }];
        const message = { turn: writer.seat.holder.turn, written, head: journal.head() };
        late = serverAt(url).then((beside) => new RowsStream(beside).put(message, found?.seq ?? 0, 5_000));
        await late;
      }
      return found;
    };
    const before = await saidBefore(said);
    await own.kill();
    await journal.put({ table: 'settings', key: 'alone', value: 'signed in an emergency' });
    expect(said.slice(before)).toEqual([expect.stringMatching(/server/)]);
    await own.start();
    await expect.poll(() => said.at(-1)).toBeNull();
    expect(await late).toBeGreaterThan(0);
    await append(1);
    const folder = folderHere();
    const standby = await follow(await serverAt(url), 'second', folder);
    await expect.poll(() => standby.row()).toBe(11);
    await standby.close();
    const copy = await openJournal({ folder, now: Date.now });
    onTestFinished(() => copy.close());
    expect(await copy.read.setting('alone')).toBe('signed in an emergency');
  });

  test('a standby says in its folder that it follows before it takes the first row: where it cannot, it takes none', async () => {
    const { url } = fleet();
    const { append } = await write(await serverAt(url));
    await append(20);
    const [server, folder] = [await serverAt(url), folderHere()];
    const own = { folder, name: 'second', server, ...READY, now: Date.now, monotonic, log, witness: folderHere() };
    const whenTaken = async () => {
      await sleep(300);
      throw new Error('the disk is full');
    };
    await expect(Standby.open({ ...own, whenTaken })).rejects.toThrow('the disk is full');
    const copy = await openJournal({ folder, now: Date.now });
    expect(copy.head().seq).toBe(0);
    await copy.close();
  });

  test('a standby whose disk takes no secrets is heard all the same, hears who asks it to take over, and takes over', async () => {
    const { url } = fleet();
    const { journal, append } = await write(await serverAt(url));
    await append(10);
    const server = await serverAt(url);
    const folder = folderHere();
    const standby = await follow(server, 'second', folder);
    mkdirSync(join(folder, 'secrets.json'));
    await server.bucket.put('secrets', await sealText('a secret of a test', 'for tests only', { scryptCost: 2 }));
    const asked = new Promise<string>((resolve) => standby.onAsked(resolve));
    await expect.poll(() => hearStandbys(server)).toMatchObject([{ name: 'second' }]);
    await askToTakeOver(server, 'second', 'mara');
    expect(await asked).toBe('mara');
    const taken = await standby.takeOver();
    onTestFinished(() => taken.close());
    expect(taken.standing()).toMatchObject({ kept: journal.head().seq, alone: null });
  });

  test('come through a line that is cut again and again, each once and in order', async () => {
    const line: CuttingProxy = await cuttingProxy(nats.port);
    onTestFinished(() => line.close());
    const { url } = fleet(line.port);
    const { journal, said, append } = await write(await serverAt(url));
    const standby = await follow(await serverAt(url.replace(`:${line.port}/`, `:${nats.port}/`)), 'second');
    for (let turn = 0; turn < 12; turn += 1) {
      line.cutAfter(Math.floor(Math.random() * 20_000));
      await append(40);
      await sleep(Math.random() * 60);
    }
    await expect.poll(() => said.at(-1) ?? null).toBeNull();
    await append(1);
    await expect.poll(() => standby.row()).toBe(journal.head().seq);
    expect(journal.head().seq).toBe(481);
  });

  test('two desks never have the seat together: the second is told who has it', async () => {
    const { url } = fleet();
    const server = await serverAt(url);
    await write(server);
    await expect(Seat.take(server, { name: 'other', byForce: false, monotonic })).rejects.toMatchObject({
      code: 'fleet_taken',
      message: expect.stringContaining('first'),
    });
  });

  test('a desk that stood still while it looked whether the seat is renewed has seen nothing, and looks on', async () => {
    const { url } = fleet();
    const [server, other] = [await serverAt(url), await serverAt(url)];
    const holder = { id: randomUUID(), name: 'first', turn: 1, left: false };
    const revision = await server.bucket.create('writer', JSON.stringify(holder));
    const taking = Seat.take(other, { name: 'other', byForce: false, monotonic });
    const refused = expect(taking).rejects.toMatchObject({ code: 'fleet_taken' });
    await sleep(100);
    // All of this process stands still for longer than is looked, and its holder renews the seat only then.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * LEASE_MS + 500);
    const renewing = sleep(500).then(() => server.bucket.update('writer', JSON.stringify(holder), revision));
    await Promise.all([refused, renewing]);
  });

  test.each([
    ['a row that does not go on from the one before', 'journal_forked', { hash: '0'.repeat(64), by: 1 }],
    ['a row with a number that was left out', 'journal_forked', { hash: null, by: 2 }],
    [
      'a row of a kind that this program does not know',
      'journal_row_refused',
      { hash: null, by: 1, kind: 'of_tomorrow' },
    ],
    ['something that is no message of a desk', 'fleet_refused', null],
  ] as const)('a standby that is given %s takes nothing of it, and says why it ends', async (_, code, forged) => {
    const { url } = fleet();
    const server = await serverAt(url);
    const first = await write(server);
    await first.append(5);
    const standby = await follow(server, 'second');
    await expect.poll(() => standby.row()).toBe(5);
    const stream = new RowsStream(server);
    const last = await stream.last();
    if (last === null) return expect.fail('there is nothing in the stream');
    if (forged === null)
      await server.js.publish(server.names.subject, '{"turn": 0}', { expect: { lastSequence: last.at } });
    else {
      const item = { time: 1, actor: 'mallory', kind: 'kind' in forged ? forged.kind : 'person_here', body: '{}' };
      const seq = last.head.seq + forged.by;
      const hash = forged.hash ?? rowHash({ seq, ...item, previous: last.head.hash });
      await stream.put({ turn: 1, written: [{ item, head: { seq, hash } }], head: { seq, hash } }, last.at, 2_000);
    }
    expect(await standby.ended).toMatchObject({ code });
    expect(standby.row()).toBe(5);
  });

  test('of two that take over one after the other only the later one writes: the earlier is told so, and ends nothing', async () => {
    const { url } = fleet();
    const [one, other] = [await serverAt(url), await serverAt(url)];
    const earlier = await Seat.take(one, { name: 'earlier', byForce: true, monotonic });
    onTestFinished(() => earlier.close());
    const seat = await Seat.take(other, { name: 'later', byForce: true, monotonic });
    const later = await write(other, folderHere(), new FleetWriter(other, seat, monotonic));
    const late = openJournal({
      folder: folderHere(),
      now: Date.now,
      replica: new FleetWriter(one, earlier, monotonic),
    });
    await expect(late).rejects.toMatchObject({ code: 'fleet_taken_over' });
    expect(await later.append(3)).toEqual([1, 2, 3]);
  });

  test('a desk that ended in order leaves the seat, and the next one need not wait for it', async () => {
    const { url } = fleet();
    const server = await serverAt(url);
    const first = await write(server);
    await first.append(1);
    await first.journal.close();
    await first.writer.close();
    expect(await seatHolder(server)).toMatchObject({ holder: { name: 'first', turn: 1, left: true } });
    const seat = await Seat.take(server, { name: 'other', byForce: false, monotonic });
    expect(seat.holder).toMatchObject({ turn: 2, left: false });
    await seat.close();
  });

  test('a fleet server that wants a key gets it from the file, and one with another key is told that it is not taken', async () => {
    const [own, other] = [nkeys.createUser(), nkeys.createUser()];
    const folder = folderHere();
    const config = join(folder, 'nats.conf');
    writeFileSync(config, `authorization { users = [ { nkey: ${own.getPublicKey()} } ] }\n`);
    const guarded = await startNats(['-c', config]);
    onTestFinished(() => guarded.close());
    const seedOf = (name: string, pair: typeof own) => {
      const file = join(folder, name);
      writeFileSync(file, `${new TextDecoder().decode(pair.getSeed())}\n`, { mode: 0o600 });
      return file;
    };
    const { url } = fleet(guarded.port);
    const server = await openFleetServer(fleetPlace(url), seedOf('own.nk', own));
    await server.close();
    for (const credentials of [null, seedOf('other.nk', other)]) {
      await expect(openFleetServer(fleetPlace(url), credentials)).rejects.toMatchObject({ code: 'fleet_denied' });
    }
  });

  test('a fleet server that keeps nothing is refused', async () => {
    const bare = await startNats([], []);
    onTestFinished(() => bare.close());
    await expect(openFleetServer(fleetPlace(fleet(bare.port).url), null)).rejects.toMatchObject({
      code: 'fleet_refused',
    });
  });

  test('the seat is taken by force also where its holder renews it at that very moment', async () => {
    const { url } = fleet();
    const server = await serverAt(url);
    const first = await Seat.take(server, { name: 'first', byForce: false, monotonic });
    onTestFinished(() => first.close());
    const { bucket } = server;
    const renewedFirst: (typeof bucket)['update'] = async (key, value, revision, timeout) => {
      const found = await seatHolder(server);
      if (found?.holder?.id === first.holder.id && revision === found.revision) {
        await bucket.update(key, JSON.stringify(found.holder), found.revision);
        racing.bucket = bucket;
      }
      return bucket.update(key, value, revision, timeout);
    };
    const racing = {
      ...server,
      bucket: new Proxy(bucket, {
        get: (of, name) => (name === 'update' ? renewedFirst : Reflect.get(of, name).bind(of)),
      }),
    };
    const second = await Seat.take(racing, { name: 'second', byForce: true, monotonic });
    onTestFinished(() => second.close());
    expect((await seatHolder(server))?.holder).toMatchObject({ name: 'second', turn: 2 });
  });

  test('a desk that lacks rows of its fleet does not begin, nor one with another past, nor a standby with one', async () => {
    const { url } = fleet();
    const server = await serverAt(url);
    const first = await write(server);
    await first.append(10);
    await first.writer.close();
    await first.journal.close();
    const begin = async (folder: string) => {
      const seat = await Seat.take(server, { name: 'other', byForce: true, monotonic });
      onTestFinished(() => seat.close());
      return openJournal({ folder, now: Date.now, replica: new FleetWriter(server, seat, monotonic) });
    };
    await expect(begin(folderHere())).rejects.toMatchObject({ code: 'journal_behind' });
    const forked = folderHere();
    const other = await openJournal({ folder: forked, now: Date.now });
    for (let index = 0; index < 12; index += 1) {
      await other.append({ time: 1, actor: 'other', kind: 'name_given', body: named(index) });
    }
    await other.close();
    await expect(begin(forked)).rejects.toMatchObject({ code: 'journal_forked' });
    await expect(follow(server, 'second', forked)).rejects.toMatchObject({ code: 'journal_forked' });
  });

  test('a standby that ended while it was behind follows on after somebody started a desk in its folder, which was refused: no command wrote a row there', async () => {
    const { url } = fleet();
    const first = await write(await serverAt(url));
    await first.append(10);
    const folder = folderHere();
    await joinFleet(folder, { fleet: url, follows: true });
    const standby = await follow(await serverAt(url), 'second', folder);
    await expect.poll(() => standby.row()).toBe(10);
    await standby.close();
    await first.append(5);
    await first.writer.close();
    await first.journal.close();
    const mistaken = startInFleet(folder, ['serve', '--fleet', url, '--name', 'second']);
    expect(await mistaken.ended).toBe(1);
    expect(mistaken.stderr()).toContain('this journal ends at row 10');
    const refused = { code: 1, stderr: expect.stringContaining(`follows the desk of ${url}`) };
    expect(await runCommand(folder, ['halt'])).toMatchObject(refused);
    const again = await follow(await serverAt(url), 'second', folder);
    await expect.poll(() => again.row()).toBe(15);
  });
});

test.each([
  'http://127.0.0.1:4222/desk',
  'nats://user:secret@127.0.0.1:4222/desk',
  'nats://127.0.0.1:4222/Two Desks',
  'nats://127.0.0.1:4222/desk?x=1',
  'desk',
])('%s is no address of a fleet', (text) => {
  expect(() => fleetPlace(text)).toThrow(expect.objectContaining({ code: 'bad_fleet_url' }));
});
