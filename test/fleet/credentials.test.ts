import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectPlain, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { fleetPlace } from '../../electron/fleet/fleet-place.ts';
import { openFleetServer } from '../../electron/fleet/fleet-server.ts';
import { seatHolder } from '../../electron/fleet/seat.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { TestAuthority } from './authority.ts';
import { guardedFleet, guideRights } from './guarded.ts';
import { TestOperator } from './jwt.ts';
import { type Nats, noNats, startNats } from './nats.ts';

function folderHere(): string {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  return folder;
}

/** A server whose certificate is for these names, and the authority that it is of. */
async function withTls(names: string, days?: number): Promise<{ nats: Nats; folder: string; authority: string }> {
  const folder = folderHere();
  const authority = new TestAuthority(folder);
  const { certificate, key } = authority.certify('server', names, days);
  const nats = await startNats(['--tls', '--tlscert', certificate, '--tlskey', key]);
  onTestFinished(() => nats.close());
  return { nats, folder, authority: authority.certificate };
}

async function opens(address: string, authority: string | null, credentials: string | null = null): Promise<string> {
  const server = await openFleetServer(fleetPlace(`${address}/emea`), credentials, { authority });
  await server.close();
  return 'open';
}

describe.skipIf(noNats !== null)('TLS to a fleet server', () => {
  test('is had with the authority that is named, by the name and by the address of the machine', async () => {
    const { nats, authority } = await withTls('DNS:localhost,IP:127.0.0.1');
    expect(await opens(`tls://localhost:${nats.port}`, authority)).toBe('open');
    expect(await opens(`tls://127.0.0.1:${nats.port}`, authority)).toBe('open');
  });

  test('is had with an authority in NODE_EXTRA_CA_CERTS too, and refused without either', async () => {
    const { nats, authority } = await withTls('DNS:localhost');
    const fleet = ['fleet', 'status', '--fleet', `tls://localhost:${nats.port}/emea`];
    expect((await runCommand(null, fleet)).stderr).toMatch(/certificate .* is not taken.*--fleet-ca/s);
    const trusted = await runCommand(null, fleet, { NODE_EXTRA_CA_CERTS: authority });
    expect(trusted).toMatchObject({ code: 1, stderr: expect.stringContaining('has no desk called emea') });
  });

  test('is refused where the certificate is of another authority, or for another name, whatever the address is', async () => {
    const { nats, folder, authority } = await withTls('DNS:localhost');
    const other = new TestAuthority(folder, 'other-authority').certificate;
    const refused = { code: 'fleet_tls', message: expect.stringContaining('is not taken') };
    await expect(opens(`tls://localhost:${nats.port}`, other)).rejects.toMatchObject(refused);
    await expect(opens(`tls://localhost:${nats.port}`, null)).rejects.toMatchObject(refused);
    await expect(opens(`tls://127.0.0.1:${nats.port}`, authority)).rejects.toMatchObject(refused);
    const elsewhere = await withTls('DNS:nats.example,IP:10.0.0.5');
    await expect(opens(`tls://localhost:${elsewhere.nats.port}`, elsewhere.authority)).rejects.toMatchObject(refused);
  });

  test('is refused where the server has none, and it is told nothing, neither at the start nor when it comes in the place of another', async () => {
    const heard: string[] = [];
    const sockets: Socket[] = [];
    const plain = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.on('data', (bytes) => heard.push(bytes.toString()));
      socket.write(
        'INFO {"server_id":"X","version":"2.10.0","proto":1,"headers":true,"max_payload":1048576,"nonce":"x"}\r\n',
      );
    });
    const close = () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => plain.close(resolve));
    };
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    onTestFinished(async () => void (await close()));
    const { port } = plain.address() as { port: number };
    const seed = join(folderHere(), 'user.nk');
    writeFileSync(seed, new TextDecoder().decode(nkeys.createUser().getSeed()), { mode: 0o600 });
    const opening = opens(`tls://127.0.0.1:${port}`, null, seed);
    await expect(opening).rejects.toMatchObject({ code: 'fleet_tls', message: expect.stringContaining('has no TLS') });
    expect(heard).toEqual([]);

    const { nats, authority } = await withTls('IP:127.0.0.1');
    let goesTo = nats.port;
    const line = createServer((socket) => {
      const far = connectPlain(goesTo, '127.0.0.1');
      sockets.push(socket, far);
      for (const end of [socket, far]) end.on('error', () => {});
      socket.pipe(far).pipe(socket);
    });
    await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void line.close());
    const { port: at } = line.address() as { port: number };
    const server = await openFleetServer(fleetPlace(`tls://127.0.0.1:${at}/emea`), seed, { authority });
    onTestFinished(() => server.close());
    goesTo = port;
    const before = sockets.length;
    for (const socket of [...sockets]) socket.destroy();
    await expect.poll(() => sockets.length).toBeGreaterThan(before + 5);
    expect(heard).toEqual([]);
    goesTo = nats.port;
    await expect.poll(() => seatHolder(server).catch(() => 'not back')).toBeNull();
  });

  test('is asked for where the server takes nothing else and the address says nats://', async () => {
    const { nats } = await withTls('DNS:localhost');
    const refused = { code: 'fleet_tls', remedy: expect.stringContaining('tls://') };
    await expect(opens(`nats://localhost:${nats.port}`, null)).rejects.toMatchObject(refused);
  });

  test('is refused where the file of the authority is none', async () => {
    const file = join(folderHere(), 'authority.pem');
    const refused = { code: 'bad_authority_file' };
    await expect(opens('tls://127.0.0.1:1', file)).rejects.toMatchObject(refused);
    writeFileSync(file, 'nothing of the kind');
    await expect(opens('tls://127.0.0.1:1', file)).rejects.toMatchObject(refused);
  });
});

describe.skipIf(noNats !== null)('a file of credentials', () => {
  test.skipIf(process.platform === 'win32')('that every user of the machine may read is refused', async () => {
    const fleet = await guardedFleet('keys');
    chmodSync(fleet.credentials('fra-1'), 0o644);
    const refused = { code: 'bad_credentials_file', message: expect.stringContaining('Every user of this machine') };
    await expect(
      opens(fleet.url.replace('/emea', ''), fleet.authority, fleet.credentials('fra-1')),
    ).rejects.toMatchObject(refused);
  });

  test('of a user that the server does not know is refused in so many words, as is none at all, and half a file', async () => {
    const fleet = await guardedFleet('tokens');
    const folder = folderHere();
    const file = join(folder, 'other.creds');
    const stranger = new TestOperator().credentials('fra-1', guideRights('fra-1'));
    writeFileSync(file, stranger.replaceAll('\n', '\r\n'), { mode: 0o600 });
    const say = await runCommand(null, [
      'fleet',
      'status',
      '--fleet',
      fleet.url,
      '--fleet-ca',
      fleet.authority,
      '--fleet-credentials',
      file,
    ]);
    expect(say).toMatchObject({ code: 1, stderr: expect.stringMatching(/does not take this user.*has not expired/s) });
    const without = await runCommand(null, ['fleet', 'status', '--fleet', fleet.url, '--fleet-ca', fleet.authority]);
    expect(without).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/does not take this user.*--fleet-credentials/s),
    });
    writeFileSync(file, stranger.slice(0, 100));
    await expect(opens(fleet.url.replace('/emea', ''), fleet.authority, file)).rejects.toMatchObject({
      code: 'bad_credentials_file',
    });
  });

  test('that was renewed is taken with the next connection, also after a time in which it was not there or had expired', async () => {
    const operator = new TestOperator();
    const folder = folderHere();
    const configuration = join(folder, 'nats.conf');
    writeFileSync(configuration, operator.configuration());
    const nats = await startNats(['-c', configuration]);
    onTestFinished(() => nats.close());
    const file = join(folder, 'desk.creds');
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1_000) + seconds;
    const write = (expires: number) =>
      writeFileSync(file, operator.credentials('fra-1', guideRights('fra-1'), undefined, expires), { mode: 0o600 });
    write(inSeconds(-10));
    const place = fleetPlace(`nats://127.0.0.1:${nats.port}/emea`);
    await expect(openFleetServer(place, file)).rejects.toMatchObject({ code: 'fleet_denied' });
    // It expires soon, on a machine that is held up before it was made use of: then another one is written.
    const server = await vi.waitFor(
      async () => {
        write(inSeconds(3));
        const opened = await openFleetServer(place, file);
        await seatHolder(opened).catch(async (error: unknown) => {
          await opened.close();
          throw error;
        });
        return opened;
      },
      { interval: 100 },
    );
    onTestFinished(() => server.close());
    const works = () =>
      seatHolder(server).then(
        () => true,
        () => false,
      );
    rmSync(file);
    await expect.poll(works).toBe(false);
    write(inSeconds(600));
    await expect.poll(works).toBe(true);
  });
});
