import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { DeskConnection } from '../../electron/commands/client.ts';
import { openFarSurface } from '../../electron/desk/far-surface.ts';
import { type FleetPlace, fleetPlace } from '../../electron/fleet/fleet-place.ts';
import { type FleetRole, type FleetServer, openFleetServer } from '../../electron/fleet/fleet-server.ts';
import { LEASE_MS } from '../../electron/fleet/lease.ts';
import type { Seat } from '../../electron/fleet/seat.ts';
import { SurfaceLink } from '../../electron/fleet/surface-link.ts';
import { isSurfaceHeard, tellSurface } from '../../electron/fleet/surface-rows.ts';
import { FleetSurfaces } from '../../electron/fleet/surfaces.ts';
import { openLine } from '../../electron/practice/fleet/line.ts';
import { Latch } from '../../electron/signer/latch.ts';
import { sealText } from '../../electron/signer/sealed-text.ts';
import { connectionTo } from '../desk/connection.ts';
import { armedFolder } from '../desk/desk-on-chain.ts';
import { PASSPHRASE, runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { type Answer, type TakerClient, takerClient } from '../desk/taker-client.ts';
import { PATIENCE } from '../how-long.ts';
import {
  askAllTheTime,
  fleetWorld,
  folderWithKeyOf,
  keepsLive,
  nothingIsLost,
  resumeWhereHalted,
  serves,
  startInFleet,
  tradesNow,
} from './fleet-desks.ts';
import { OF_SURFACES } from './fleet-process.ts';
import { noNats, startNats } from './nats.ts';

const world = fleetWorld();
const SMALL = String(10n ** 13n);

/** A desk of a fleet that trades, kept LIVE on a machine that is held up; not where the test itself takes the fleet from it. */
async function deskInFleet({ isKept = true } = {}) {
  const { chain, file } = world();
  const nats = await startNats();
  onTestFinished(() => nats.close());
  const fleet = `nats://127.0.0.1:${nats.port}/desk`;
  const { folder, remove } = await armedFolder(chain, file);
  onTestFinished(remove);
  const desk = startInFleet(folder, ['serve', '--fleet', fleet, '--name', 'first']);
  const { surface } = await desk.ready();
  const client = takerClient(surface, file);
  await serves(client, folder);
  if (isKept) await keepsLive(folder);
  return { nats, fleet, folder, desk, client };
}

/**
 * A surface of it elsewhere, with a folder of its own, that serves what the desk serves. `desk`: the folder of a desk that nobody keeps
 * LIVE: it is resumed until the surface serves.
 */
async function surfaceOf(fleet: string, name: string, desk: string | null = null) {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const process = startInFleet(folder, ['surface', '--fleet', fleet, '--name', name]);
  const { surface } = await process.ready();
  const client = takerClient(surface, world().file);
  if (desk !== null) await serves(client, desk);
  else await expect.poll(async () => (await client.get('/prices')).status).toBe(200);
  return { folder, process, surface, client };
}

/** A quote of a desk that is LIVE but for moments. */
async function quoteOf(client: TakerClient, ...asked: Parameters<TakerClient['firm']>): Promise<Answer> {
  const ask = async () => {
    const answer = await client.firm(...asked);
    expect(answer.status).toBe(200);
    return answer;
  };
  return vi.waitFor(ask, { interval: 50 });
}

/** Takes up trading again as a person does, also where the desk does not take it at once. */
async function resumes({ desk }: DeskConnection): Promise<void> {
  await vi.waitFor(() => desk.trading.resume({ scope: {}, reason: 'again' }), { interval: 50 });
}

const clocks = { now: Date.now, monotonic: () => performance.now() };
const silent = { info() {}, warn() {} };
const unheard = { onBeat() {}, onEarlierKeys() {}, onElsewhere() {} };

/** What a desk in this turn says to its surfaces; it answers every request, unless told otherwise. */
function deskAt(
  server: FleetServer,
  turn: number,
  firm: ConstructorParameters<typeof FleetSurfaces>[0]['firm'] = (_, respond) => respond({ status: 200, body: '{}' }),
  log: ConstructorParameters<typeof FleetSurfaces>[0]['log'] = silent,
): FleetSurfaces {
  const writer = { seat: { isFresh: true, holder: { turn } } as Seat, isOver: false };
  const desk = new FleetSurfaces({ server, writer, firm, ...unheard, log, ...clocks });
  onTestFinished(() => desk.close());
  return desk;
}

/** A connection to a fleet server, also where a busy machine needs longer for it than a desk waits. */
async function serverAt(place: FleetPlace, role: FleetRole): Promise<FleetServer> {
  const server = await vi.waitFor(() => openFleetServer(place, null, { role }), { interval: 200 });
  onTestFinished(() => server.close());
  return server;
}

/** The line of a surface to its desk, and what it answers to a request of a chain. */
async function linkAt(place: FleetPlace) {
  const server = await serverAt(place, 'surface.paris');
  const open = async (sealed: string) => sealed;
  const own = { server, name: 'paris', url: () => '', version: '1', feeds: () => [], open };
  const link = new SurfaceLink({ log: silent, ...own, ...clocks });
  onTestFinished(() => link.close());
  const ask = (chainId: number, came = performance.now()) =>
    new Promise((resolve) =>
      link.firm({ chainId, counterparty: null, body: Buffer.from('{}') }, { came, withinMs: 500 }, resolve),
    );
  return { link, ask };
}

/** A fleet server of a test's own, and a desk's connection to it. */
async function ownFleet() {
  const nats = await startNats();
  onTestFinished(() => nats.close());
  const place = fleetPlace(`nats://127.0.0.1:${nats.port}/desk`);
  return { place, server: await serverAt(place, 'desk') };
}

describe.skipIf(noNats !== null)('surfaces of a desk that is elsewhere', () => {
  test('serve what it serves, and hand over the orders that it signs; each is in its journal', async () => {
    const { fleet, folder, desk, client: atDesk } = await deskInFleet();
    const [paris, tokyo] = [await surfaceOf(fleet, 'paris'), await surfaceOf(fleet, 'tokyo')];
    for (const path of ['/tokens', '/pairs', '/prices', '/blacklist']) {
      const same = async () => {
        const [own, far] = [await atDesk.get(path), await paris.client.get(path)];
        expect(own.status).toBe(200);
        expect(far).toMatchObject({ status: 200, json: own.json });
      };
      await vi.waitFor(same, { interval: 50 });
    }
    const answers = [
      await quoteOf(paris.client, 'asks', { makerAmount: SMALL }),
      await quoteOf(tokyo.client, 'bids', { takerAmount: SMALL }),
    ];
    const signatures = answers.map(({ json }) => String(json.order?.signature));
    expect(signatures.every((signature) => signature.startsWith('0x'))).toBe(true);
    // What is refused at the desk is refused in the same words here.
    await expect
      .poll(() => paris.client.firm('asks', { makerAmount: String(10n ** 24n) }))
      .toMatchObject({ status: 422, json: { code: 'insufficient_depth' } });
    const stranger = await fetch(`${paris.surface}/${world().chain.chainId}/prices`);
    expect(stranger.status).toBe(401);

    expect(await desk.end('SIGTERM')).toBe(0);
    await nothingIsLost(
      folder,
      signatures.map((signature) => ({ signature })),
    );
  });

  test('send a change of the desk on at once, to whoever listens', async () => {
    const { fleet, folder } = await deskInFleet();
    const { surface, client } = await surfaceOf(fleet, 'paris');
    const { chainId } = world().chain;
    const heard: string[] = [];
    let closed = 0;
    let isOver = false;
    let socket: WebSocket | null = null;
    // As a counterparty does it: on a machine that is held up the desk is alone for a moment, and its line is opened anew.
    const listen = () => {
      if (isOver) return;
      socket = new WebSocket(`${surface.replace('http', 'ws')}/${chainId}/ws`, { headers: client.signed('/ws') });
      socket.on('error', () => {});
      socket.on('message', (text) => void heard.push(String(text)));
      socket.once('close', () => {
        closed += 1;
        setTimeout(listen, 100);
      });
    };
    onTestFinished(() => {
      isOver = true;
      socket?.terminate();
    });
    listen();
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    expect(JSON.parse(heard[0] ?? '')).toMatchObject({ prices: { 'WETH/USDC': { bids: expect.anything() } } });
    const { code } = await runCommand(folder, ['blacklist', 'add', `0x${'b1'.repeat(20)}`, '--reason', 'toxic']);
    expect(code).toBe(0);
    await expect.poll(() => heard.some((text) => text.includes(`0x${'b1'.repeat(20)}`))).toBe(true);
    // Nobody is told it later: where no line was open just then, it is said once more.
    const told = async () => {
      await runCommand(folder, ['message', 'maintenance at noon']);
      const isHeard = () => expect(heard.some((text) => text.includes('maintenance at noon'))).toBe(true);
      await vi.waitFor(isHeard, { timeout: 5_000 });
    };
    await vi.waitFor(told);
    const before = closed;
    await runCommand(folder, ['halt', '--reason', 'a test']);
    await expect.poll(() => closed).toBeGreaterThan(before);
    await expect.poll(() => client.get('/prices')).toMatchObject({ status: 503, json: { code: 'halted' } });
  });

  test('hand over nothing after a halt was acknowledged, under load, also where two have one name', async () => {
    const { fleet, folder } = await deskInFleet();
    const surfaces = [await surfaceOf(fleet, 'paris'), await surfaceOf(fleet, 'paris')];
    const connection = await connectionTo(folder, 'mara');
    onTestFinished(() => connection.close());
    for (let round = 0; round < 5; round += 1) {
      const asking = surfaces.map(({ surface }) => askAllTheTime(surface, world().file, 4));
      for (const { received } of asking) await expect.poll(() => received.length).toBeGreaterThan(20);
      await connection.desk.trading.halt({ scope: {}, reason: 'a race' });
      const acknowledgedAt = performance.now();
      const standstill = monitorEventLoopDelay({ resolution: 1 });
      standstill.enable();
      await sleep(300);
      await Promise.all(asking.map(({ stop }) => stop()));
      standstill.disable();
      // An answer that was on its way to us then may be read a moment later, and as much later as this process stood still.
      const readBy = acknowledgedAt + 50 + standstill.max / 1e6;
      const late = asking.flatMap(({ received }) => received).filter(({ at }) => at > readBy);
      expect(late).toEqual([]);
      await resumes(connection);
      await expect.poll(async () => (await surfaces[0]?.client.get('/prices'))?.status).toBe(200);
      await expect.poll(async () => (await surfaces[1]?.client.get('/prices'))?.status).toBe(200);
    }
  });

  test('serve and hand over nothing while the desk is not heard, whatever became of it, and go on when it is back', async () => {
    const { fleet, folder, desk, nats } = await deskInFleet({ isKept: false });
    const { client, process } = await surfaceOf(fleet, 'paris', folder);
    const nothing = async () => {
      await expect.poll(() => client.get('/prices')).toMatchObject({ status: 503, json: { code: 'desk_unseen' } });
      expect(await client.firm('asks', { makerAmount: SMALL })).toMatchObject({
        status: 503,
        json: { code: 'desk_unseen' },
      });
      expect((await client.get('/tokens')).status).toBe(200);
    };
    const goesOn = async () => {
      const { status } = await client.firm('asks', { makerAmount: SMALL });
      if (status !== 200) await resumeWhereHalted(folder);
      return status;
    };
    desk.signal('SIGSTOP');
    await nothing();
    desk.signal('SIGCONT');
    await expect.poll(async () => (await runCommand(folder, ['resume', '--reason', 'it stood still'])).code).toBe(0);
    await expect.poll(goesOn).toBe(200);

    await nats.kill();
    await nothing();
    await nats.start();
    await expect.poll(async () => (await runCommand(folder, ['resume', '--reason', 'the fleet is back'])).code).toBe(0);
    await expect.poll(goesOn).toBe(200);

    await desk.end('SIGKILL');
    await nothing();
    const again = startInFleet(folder, ['serve', '--fleet', fleet, '--name', 'first']);
    await tradesNow(folder, world().file, again);
    await expect.poll(async () => (await client.firm('asks', { makerAmount: SMALL })).status).toBe(200);
    expect(await process.end('SIGTERM')).toBe(0);
  });

  test('hand over nothing later than a lease after their line was cut or lets nothing through, and go on once it is whole', async () => {
    const { nats } = await deskInFleet();
    const line = await openLine(0, nats.port);
    onTestFinished(() => line.close());
    const { surface, client } = await surfaceOf(`nats://127.0.0.1:${line.port}/desk`, 'paris');
    const ways = [() => line.cut(true), () => line.delay(60_000)];
    for (const away of ways) {
      const asking = askAllTheTime(surface, world().file, 4);
      await expect.poll(() => asking.received.length).toBeGreaterThan(20);
      const awayAt = performance.now();
      const standstill = monitorEventLoopDelay({ resolution: 1 });
      standstill.enable();
      away();
      // By when it was asked: a slow machine asks later, and is answered no more then either.
      const askedAt: number[] = [];
      for (let serves = true; serves && askedAt.length < 1_000; await sleep(20)) {
        const at = performance.now();
        serves = (await client.get('/prices')).status === 200;
        if (serves) askedAt.push(at);
      }
      expect(askedAt.filter((at) => at > awayAt + LEASE_MS + 500)).toEqual([]);
      await sleep(LEASE_MS);
      await asking.stop();
      standstill.disable();
      // What it handed over in its last moment may be read here a little later, and as much later as this process stood still.
      const readBy = awayAt + LEASE_MS + 500 + standstill.max / 1e6;
      expect(asking.received.filter(({ at }) => at > readBy)).toEqual([]);
      // Whatever still waits in the line is lost with it.
      line.cut(true);
      line.delay(0);
      line.cut(false);
      await expect.poll(async () => (await client.get('/prices')).status).toBe(200);
    }
  });

  test('that stand still keep no halt from being acknowledged, and hand over nothing when they go on', async () => {
    const { fleet, folder } = await deskInFleet();
    const { surface, process } = await surfaceOf(fleet, 'paris');
    const connection = await connectionTo(folder, 'mara');
    onTestFinished(() => connection.close());
    const asking = askAllTheTime(surface, world().file, 4);
    await expect.poll(() => asking.received.length).toBeGreaterThan(20);
    process.signal('SIGSTOP');
    await connection.desk.trading.halt({ scope: {}, reason: 'it stands still' });
    const count = asking.received.length;
    const goesOnAt = performance.now();
    const standstill = monitorEventLoopDelay({ resolution: 1 });
    standstill.enable();
    process.signal('SIGCONT');
    await sleep(1_000);
    await asking.stop();
    standstill.disable();
    // What it had written into a socket before it stood still may have been read since; nothing else comes.
    expect(asking.received.length - count).toBeLessThanOrEqual(4);
    const readBy = goesOnAt + 500 + standstill.max / 1e6;
    expect(asking.received.filter(({ at }) => at > readBy)).toEqual([]);
  });

  test('serve whoever takes the desk over, and hear nothing more of the one before', async () => {
    const { file } = world();
    const { fleet, folder } = await deskInFleet();
    const second = folderWithKeyOf(folder);
    const standby = startInFleet(second, ['standby', '--fleet', fleet, '--name', 'second']);
    await standby.said((line) => line.standby === true);
    const { surface, client } = await surfaceOf(fleet, 'paris');
    const asking = askAllTheTime(surface, file, 4);
    await expect.poll(() => asking.received.length).toBeGreaterThan(20);
    const told = await runCommand(null, ['fleet', 'take-over', 'second', '--fleet', fleet]);
    expect(told.code, told.stderr).toBe(0);
    await tradesNow(second, file, standby);
    await expect.poll(async () => (await client.firm('asks', { makerAmount: SMALL })).status).toBe(200);
    await asking.stop();
    expect(await standby.end('SIGTERM')).toBe(0);
    await nothingIsLost(second, asking.received);
  });

  test('are seen by the desk: where they listen, who asked there, and that one is not heard any more', async () => {
    const { fleet, folder } = await deskInFleet();
    const { surface, client, process } = await surfaceOf(fleet, 'paris');
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return (await client.firm('asks', { makerAmount: SMALL })).status;
    };
    await expect.poll(ask).toBe(200);
    const connection = await connectionTo(folder, 'mara');
    onTestFinished(() => connection.close());
    const look = async () => {
      for await (const update of await connection.desk.desk.watch()) return update;
      return expect.fail('the desk says nothing');
    };
    const seen = async () => (await look()).fleet?.surfaces;
    // Of several some may have been asked while the desk was alone for a moment, and not been answered.
    const unanswered = asked === 1 ? 0 : expect.any(Number);
    await expect.poll(seen).toMatchObject([{ name: 'paris', url: surface, asked, unanswered, isSilent: false }]);
    const polls = async () => (await look()).chains?.[0]?.heartbeats.map(({ endpoint, by }) => `${endpoint} ${by}`);
    await expect.poll(polls).toEqual(expect.arrayContaining(['firm test', 'prices test']));
    await process.end('SIGKILL');
    await expect.poll(seen).toMatchObject([{ name: 'paris', isSilent: true }]);
    const wrong = async () => (await look()).attention?.map(({ code }) => code);
    await expect.poll(wrong).toContain('fleet_surface paris');
  });

  test('take the keys that the desk takes: those that were replaced are refused there soon', async () => {
    const { file } = world();
    const { fleet, folder } = await deskInFleet();
    const { surface, client } = await surfaceOf(fleet, 'paris');
    const keys = { accessKey: 'a new access key', secretKey: 'a new secret key of the test' };
    const set = await runCommand(folder, ['counterparty-keys', 'set', 'test'], {
      MAKERDESK_ACCESS_KEY: keys.accessKey,
      MAKERDESK_SECRET_KEY: keys.secretKey,
    });
    expect(set.code, set.stderr).toBe(0);
    await expect.poll(async () => (await client.get('/prices')).status).toBe(401);
    const counterparties = file.counterparties.map((party) => ({ ...party, ...keys }));
    const renewed = takerClient(surface, { ...file, counterparties });
    await expect.poll(async () => (await renewed.firm('asks', { makerAmount: SMALL })).status).toBe(200);
  });

  test('tell the desk that earlier keys are still used there, and that keys come from where they may not', async () => {
    const { file } = world();
    const { fleet, folder } = await deskInFleet();
    const { client } = await surfaceOf(fleet, 'paris');
    const connection = await connectionTo(folder, 'mara');
    onTestFinished(() => connection.close());
    const { settings } = connection.desk;
    const [party] = file.counterparties;
    if (party === undefined) throw new Error('nobody may ask');
    const keys = { accessKey: 'a new access key', secretKey: 'a new secret key of the test' };
    await settings.saveCounterparty({ counterparty: { ...party, ...keys }, earlierKeys: 'keep' });
    const used = async () => (await settings.get()).earlierKeys;
    expect(await used()).toMatchObject([{ domain: party.domain, lastUsed: null }]);
    const before = Date.now();
    await expect
      .poll(async () => {
        expect((await client.get('/prices')).status).toBe(200);
        return (await used())[0]?.lastUsed ?? 0;
      })
      .toBeGreaterThanOrEqual(before);

    const counterparty = { ...party, ...keys, addresses: ['203.0.113.0/24'] };
    await settings.saveCounterparty({ counterparty });
    await expect.poll(async () => (await client.get('/prices')).json.code).toBe('address_not_allowed');
    const refused = async () => (await settings.get()).refusedAddresses;
    await expect.poll(refused).toMatchObject([{ domain: party.domain, address: '127.0.0.1' }]);
  });

  test('are switched off, drained and on again by a word to the fleet server, and stay so over a start', async () => {
    const { fleet } = await deskInFleet();
    const { folder, client, process } = await surfaceOf(fleet, 'paris');
    const say = (word: string) => runCommand(null, ['fleet', word, 'paris', '--fleet', fleet]);
    const answers = async () => [
      (await client.get('/prices')).json.code ?? 'prices',
      (await client.firm('asks', { makerAmount: SMALL })).json.code ?? 'order',
    ];
    expect(await say('drain')).toMatchObject({ code: 0, stdout: 'paris is draining.\n' });
    expect((await client.get('/prices')).json.code).toBe('surface_off');
    await expect.poll(answers).toEqual(['surface_off', 'order']);
    expect((await say('off')).code).toBe(0);
    expect(await answers()).toEqual(['surface_off', 'surface_off']);
    expect(await process.end('SIGTERM')).toBe(0);
    const again = startInFleet(folder, ['surface', '--fleet', fleet, '--name', 'paris']);
    const { surface } = await again.ready();
    const anew = takerClient(surface, world().file);
    await expect.poll(async () => (await anew.get('/prices')).json.code).toBe('surface_off');
    await expect
      .poll(async () => (await runCommand(null, ['fleet', 'status', '--fleet', fleet])).stdout)
      .toMatch(/paris\s+http:\/\/127\.0\.0\.1:\d+\s+\S+\s+off/);
    expect((await say('on')).code).toBe(0);
    await expect.poll(async () => (await anew.get('/prices')).status).toBe(200);
    const nobody = await runCommand(null, ['fleet', 'off', 'nobody', '--fleet', fleet]);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('No surface called nobody is heard.') });
  });

  test('are heard by who switches them also where their machine is held up for some seconds', async () => {
    const { server } = await ownFleet();
    const heard = isSurfaceHeard(server, 'paris');
    await sleep(3_000);
    for (const name of ['tokyo', 'paris']) tellSurface(server, { name, url: '', version: '1', switched: 'on' });
    expect(await heard).toBe(true);
  });

  test('hand over nothing for a desk that has not said itself who may ask, however long it takes to say so', async () => {
    const nats = await startNats();
    onTestFinished(() => nats.close());
    const place = fleetPlace(`nats://127.0.0.1:${nats.port}/desk`);
    const said = { deadlineMs: 100, surfaceNames: [], counterparties: [], chains: [], secrets: '{}' };
    const server = await serverAt(place, 'desk');
    // As the desk before this one has left it.
    await server.bucket.put('served.desk', gzipSync(JSON.stringify(Object.assign({ turn: 1 }, said))));
    const desk = deskAt(server, 2);
    let say = (_: typeof said) => {};
    desk.publishDesk(
      () =>
        new Promise((resolve) => {
          say = resolve;
        }),
    );
    const { link, ask } = await linkAt(place);
    await expect.poll(() => desk.view().length).toBe(1);
    await expect.poll(() => link.desk()).toMatchObject({ turn: 1 });
    await sleep(600);
    expect([link.isHeard, await ask(1)]).toEqual([false, null]);
    say(said);
    await expect.poll(() => link.isHeard).toBe(true);
    await expect.poll(() => ask(1)).toEqual({ status: 200, body: '{}' });
    const before = performance.now() - 501;
    expect(await ask(1, before), 'it has waited too long before its turn came').toBeNull();
  });

  test('answer with the lists that they were told last, while no desk or another one is heard, and never with empty ones in their place', async () => {
    const { place, server } = await ownFleet();
    const chains = [1, 2].map((chainId) => ({ chainId, basePath: `/${chainId}`, feedMaxAgeSeconds: 0 }));
    const secrets = await sealText('{}', OF_SURFACES, { before: null });
    const said = async () => ({ deadlineMs: 100, surfaceNames: [], counterparties: [], chains, secrets });
    const token = { symbol: 'WETH', name: 'Ether', address: `0x${'11'.repeat(20)}`, decimals: 18, type: 'ERC20' };
    const lists = { tokens: { WETH: token }, pairs: {}, blacklist: [`0x${'b1'.repeat(20)}`] };
    const grid = () => ({ closed: null, complete: JSON.stringify(Object.assign({ prices: {} }, lists)) });
    const first = deskAt(server, 1);
    first.publishDesk(said);
    first.publish(1, grid);
    await expect.poll(async () => (await server.bucket.get('served.1'))?.revision).toBeGreaterThan(0);
    await first.close();

    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const own = await serverAt(place, 'surface.paris');
    const log = { ...silent, error() {} };
    const here = { folder, host: '127.0.0.1', port: 0, name: 'paris', place, server: own, log };
    const surface = await openFarSurface({ ...here, passphrase: OF_SURFACES });
    onTestFinished(() => surface.close());
    const answers = async (chainId: number) => {
      const texts = ['tokens', 'pairs', 'blacklist', 'prices'].map(async (path) => {
        const answer = await fetch(`${surface.url}/${chainId}/${path}`);
        const { code, ...json } = (await answer.json()) as { code?: string };
        return answer.status === 200 ? json : code;
      });
      return Promise.all(texts);
    };
    const { tokens, pairs, blacklist } = lists;
    const closed = [{ tokens }, { pairs }, { blacklist }, 'desk_unseen'];
    const nothing = Array.from({ length: 4 }, () => 'desk_unseen');
    await expect.poll(() => answers(1)).toEqual(closed);
    expect(await answers(2)).toEqual(nothing); // no desk has ever said what it lists

    const second = deskAt(server, 2);
    second.publishDesk(said);
    await expect.poll(() => second.view()).toMatchObject([{ serves: true }]);
    expect([await answers(1), await answers(2)]).toEqual([closed, nothing]);
    second.publish(1, grid);
    await expect.poll(() => answers(1)).toEqual([{ tokens }, { pairs }, { blacklist }, { prices: {} }]);
  });

  test('hand over, after a pair was switched off, what the desk lets go of other pairs', async () => {
    const { place, server } = await ownFleet();
    const latch = new Latch(clocks.monotonic);
    const [off, on] = ['LINK/USDC', 'WETH/USDC'] as const;
    /** Lets go what waits for the disk. */
    const written: (() => void)[] = [];
    const desk = deskAt(server, 1, ({ body }, respond) => {
      const reading = latch.read({ chainId: 1, pair: String(body) });
      const order = { status: 200, body: '{"order":{}}' };
      written.push(() => {
        if (latch.release(reading, () => respond(order)) === null) respond({ status: 409, body: '{}' });
      });
    });
    desk.publishDesk(async () => ({
      deadlineMs: 100,
      surfaceNames: [],
      counterparties: [],
      chains: [],
      secrets: '{}',
    }));
    const { link } = await linkAt(place);
    await expect.poll(() => link.isHeard).toBe(true);
    const ask = (pair: string) =>
      new Promise((resolve) =>
        link.firm(
          { chainId: 1, counterparty: null, body: Buffer.from(pair) },
          { came: performance.now(), withinMs: PATIENCE },
          resolve,
        ),
      );
    const asked = [ask(off), ask(on)];
    await expect.poll(() => written.length).toBe(2);
    latch.advance({ chainId: 1, pair: off });
    await desk.stopped();
    // On a machine that stood still its lease may have run out for a moment.
    await expect.poll(() => link.isHeard).toBe(true);
    for (const release of written.splice(0)) release();
    expect(await Promise.all(asked)).toMatchObject([{ status: 409 }, { status: 200 }]);
  });

  test('are not heard from the ninth of one name on, which is logged once and stands under what needs attention', async () => {
    const { place, server } = await ownFleet();
    const logged: unknown[] = [];
    const log = { ...silent, warn: (_: string, facts?: object) => void logged.push(facts) };
    const desk = deskAt(server, 1, undefined, log);
    for (let count = 1; count <= 8; count += 1) await linkAt(place);
    await expect.poll(() => desk.view().length).toBe(8);
    const crowded = () => desk.attention().filter(({ code }) => code === 'fleet_surfaces_crowded paris');
    expect(crowded()).toEqual([]);
    const since = performance.now();
    await linkAt(place);
    await expect.poll(crowded).toMatchObject([{ level: 'look', title: 'More than 8 surfaces are called paris' }]);
    await sleep(1_500); // it goes on asking
    await expect.poll(() => desk.view().length).toBe(8);
    const told = { name: 'paris', url: '', most: 8 };
    if (performance.now() - since < 3 * LEASE_MS) expect(logged).toEqual([told]);
    // On a machine that stood still for so long it was not there meanwhile, and is told anew.
    else expect(new Set(logged.map((one) => JSON.stringify(one)))).toEqual(new Set([JSON.stringify(told)]));
  });

  test('serve all chains but the one whose grid does not come', async () => {
    const { place, server } = await ownFleet();
    const desk = deskAt(server, 1);
    const { link, ask } = await linkAt(place);
    desk.publishDesk(async () => ({
      deadlineMs: 100,
      surfaceNames: [],
      counterparties: [],
      chains: [],
      secrets: '{}',
    }));
    const grid = (blacklist: string[]) => JSON.stringify({ tokens: {}, pairs: {}, prices: {}, blacklist });
    const none = { closed: null, complete: grid([]) };
    for (const chainId of [1, 2]) desk.publish(chainId, () => none);
    await expect.poll(() => [link.serves(1), link.serves(2)]).toEqual([true, true]);
    // More than the fleet server takes in one message.
    const many = grid(Array.from({ length: 60_000 }, () => `0x${randomBytes(20).toString('hex')}`));
    desk.publish(2, () => ({ closed: null, complete: many }));
    await expect.poll(() => link.serves(2)).toBe(false);
    // Longer than a lease. On a machine that has no time one may have run out for a moment, and comes back.
    await sleep(2_500);
    await expect.poll(() => [link.isHeard, link.serves(1), link.serves(2)]).toEqual([true, true, false]);
    await expect.poll(async () => [await ask(1), await ask(2)]).toEqual([{ status: 200, body: '{}' }, null]);
    desk.publish(2, () => none);
    await expect.poll(() => link.serves(2)).toBe(true);
  });

  test('are given also what comes in the very moment in which what was before it has been put', async () => {
    const { server } = await ownFleet();
    const none = JSON.stringify({ tokens: {}, pairs: {}, prices: {}, blacklist: [] });
    const publish = (chainId: number, closed: 'halted' | null) =>
      desk.publish(chainId, () => ({ closed, complete: none }));
    /** The first of each chain is followed, so many steps of this process after it is there, as the number of the chain says. */
    const follow = async (chainId: number) => {
      for (let step = 0; step < chainId; step += 1) await null;
      publish(chainId, 'halted');
    };
    const bucket = new Proxy(server.bucket, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name !== 'create') return member.bind(target);
        return (key: string, bytes: Uint8Array) => {
          const put = target.create(key, bytes);
          void put.then(() => follow(Number(key.split('.').at(-1))));
          return put;
        };
      },
    });
    const desk = deskAt({ ...server, bucket }, 1);
    const chains = [0, 1, 2, 3, 4, 5];
    for (const chainId of chains) publish(chainId, null);
    const served = async (chainId: number) => {
      const entry = await server.bucket.get(`served.${chainId}`);
      return entry && JSON.parse(gunzipSync(entry.value).toString()).closed;
    };
    await expect.poll(() => Promise.all(chains.map(served))).toEqual(chains.map(() => 'halted'));
  });

  test('say to whoever divides requests whether any are to be brought there, and their figures to who watches them', async () => {
    const { fleet, desk } = await deskInFleet();
    const { folder, remove } = temporaryFolder();
    onTestFinished(remove);
    const process = startInFleet(folder, ['surface', '--fleet', fleet, '--name', 'paris', '--metrics-port', '0']);
    const { surface, metrics } = await process.ready();
    const client = takerClient(surface, world().file);
    const readiness = async () => {
      const answer = await fetch(`${metrics}/readyz`);
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    const ready = { status: 200, ready: true, reasons: [] };
    await expect.poll(readiness).toEqual(ready);
    let asked = 0;
    const ask = async () => {
      asked += 1;
      return (await client.firm('asks', { makerAmount: SMALL })).status;
    };
    await expect.poll(ask).toBe(200);
    const figures = async () => (await fetch(`${metrics}/metrics`)).text();
    for (const line of ['makerdesk_ready 1', `makerdesk_surface_firm_total ${asked}`])
      await expect.poll(figures).toContain(`${line}\n`);
    // Of several some may have been asked while the desk was alone for a moment, and not been answered.
    if (asked === 1) expect(await figures()).toContain('makerdesk_surface_unanswered_total 0\n');

    const reasons = (...sentences: string[]) => ({ status: 503, ready: false, reasons: sentences });
    await runCommand(null, ['fleet', 'drain', 'paris', '--fleet', fleet]);
    await expect.poll(readiness).toEqual(reasons('This surface is draining.'));
    await runCommand(null, ['fleet', 'on', 'paris', '--fleet', fleet]);
    await expect.poll(readiness).toEqual(ready);
    desk.signal('SIGKILL');
    await expect.poll(readiness).toEqual(reasons('This surface does not hear its desk.'));
    expect((await fetch(`${metrics}/healthz`)).status).toBe(200);
  });

  test('need a passphrase of their own, which follows from that of the keystore and opens nothing of the desk; no secret lies in their folder', async () => {
    const { fleet, folder } = await deskInFleet();
    expect(await runCommand(folder, ['fleet', 'passphrase'])).toMatchObject({ code: 0, stdout: `${OF_SURFACES}\n` });
    const empty = temporaryFolder();
    onTestFinished(empty.remove);
    for (const [where, given, code] of [
      [folder, OF_SURFACES, /does not open the sealed secrets/],
      [empty.folder, PASSPHRASE, /No counterparty has credentials/],
    ] as const) {
      const refused = await runCommand(where, ['fleet', 'passphrase'], { MAKERDESK_PASSPHRASE: given });
      expect([refused.code, refused.stdout, refused.stderr]).toEqual([1, '', expect.stringMatching(code)]);
    }
    const { folder: own } = await surfaceOf(fleet, 'paris');
    const file = (name: string) => readFileSync(join(own, name), 'utf8');
    const names = readdirSync(own, { recursive: true }).map(String);
    expect(names).not.toContain('secrets.json');
    const [{ secretKey = '', accessKey = '' } = {}] = world().file.counterparties;
    for (const name of names.filter((one) => statSync(join(own, one)).isFile())) {
      for (const secret of [secretKey, accessKey, OF_SURFACES]) expect(file(name)).not.toContain(secret);
    }
    const asked = ['surface', '--fleet', fleet, '--name', 'rome'];
    const wrong = startInFleet(empty.folder, asked, { MAKERDESK_PASSPHRASE: PASSPHRASE });
    expect(await wrong.ended).toBe(1);
    expect(wrong.stderr()).toContain('This is not the passphrase of the surfaces of this desk.');
  });

  test('do not begin where no desk has ever served, in the folder of a desk, or two in one folder', async () => {
    const nats = await startNats();
    onTestFinished(() => nats.close());
    const empty = temporaryFolder();
    onTestFinished(empty.remove);
    const url = `nats://127.0.0.1:${nats.port}/desk`;
    const lonely = startInFleet(empty.folder, ['surface', '--fleet', url]);
    expect(await lonely.ended).toBe(1);
    expect(lonely.stderr()).toContain('has no desk called desk.');
    const made = await serverAt(fleetPlace(url), 'desk');
    await made.close();
    const early = startInFleet(empty.folder, ['surface', '--fleet', url]);
    expect(await early.ended).toBe(1);
    expect(early.stderr()).toContain('No desk of this fleet has said yet what it serves.');

    const { fleet, folder } = await deskInFleet();
    const other = await armedFolder(world().chain, world().file);
    onTestFinished(other.remove);
    const inDesk = startInFleet(other.folder, ['surface', '--fleet', fleet]);
    expect(await inDesk.ended).toBe(1);
    expect(inDesk.stderr()).toContain('has the journal of a desk in it');
    const first = await surfaceOf(fleet, 'paris');
    const second = startInFleet(first.folder, ['surface', '--fleet', fleet, '--name', 'tokyo']);
    expect(await second.ended).toBe(1);
    const status = await runCommand(first.folder, ['status']);
    expect(status).toMatchObject({ code: 1, stderr: expect.stringContaining('This folder is of a surface') });
    expect(folder).not.toBe(first.folder);
  });
});
