import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readDeskFile } from '../../electron/contract/desk-file-text.ts';
import { type FolderClient, openFolderClient } from '../../electron/desk/folder-client.ts';
import { fingerprint } from '../../electron/signer/secrets.ts';
import { answering, json } from '../service/http-answers.ts';
import { connectionTo } from './connection.ts';
import { PASSPHRASE, runCommand, startDesk, temporaryFolder } from './desk-process.ts';

const KEY = `canary-${randomBytes(12).toString('hex')}`;
const CHAIN = 4_242;
const HASH = `0x${'ab'.repeat(32)}` as const;
const ADDRESS = `0x${'c1'.repeat(20)}`;

/** A folder whose one chain has a service that remembers what key each request came with. */
async function folderWithService() {
  const seen: (string | undefined)[] = [];
  const service = await answering((request: IncomingMessage, response) => {
    const [key] = [request.headers['x-api-key']].flat();
    seen.push(key);
    if (request.url?.includes('/adapters/')) json([ADDRESS])(request, response);
    else json({ orderHash: HASH, state: 'PENDING' })(request, response);
  });
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const chain = {
    chainId: CHAIN,
    name: 'Nowhere',
    basePath: '/4242',
    rpcUrl: 'http://127.0.0.1:1',
    domainName: 'TEST',
    rfqContract: ADDRESS,
    maker: ADDRESS,
    signer: ADDRESS,
    serviceUrl: `${service.url}/api`,
  };
  await onFolder(folder, ({ desk }) => desk.desk.import({ desk: { version: 1, chains: [chain], counterparties: [] } }));
  return { folder, origin: service.url, seen };
}

/** While no desk runs on it. */
async function onFolder<T>(folder: string, act: (client: FolderClient) => Promise<T>): Promise<T> {
  const client = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  try {
    return await act(client);
  } finally {
    await client.close();
  }
}

/** Nowhere in the folder but in the sealed file, and not there in the open. */
function expectHidden(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    expect(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain(KEY);
  }
}

test('a key to the service is taken from the environment, sealed, sent, exported only when asked, and taken back', async () => {
  const { folder, origin, seen } = await folderWithService();
  const print = fingerprint(KEY);
  const refused = await runCommand(folder, ['service-key', 'set']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('MAKERDESK_SERVICE_KEY')]);
  const environment = { MAKERDESK_SERVICE_KEY: KEY };
  const set = await runCommand(folder, ['service-key', 'set', '--chain', `${CHAIN}`], environment);
  expect(JSON.parse(set.stdout)).toEqual({ set: true, origin, fingerprint: print });
  await onFolder(folder, async ({ desk }) => {
    const exported = async (withSecrets: boolean) => readDeskFile(await desk.desk.export({ withSecrets }));
    expect((await exported(false)).serviceKeys).toBeUndefined();
    expect((await exported(true)).serviceKeys).toEqual({ [origin]: KEY });
  });

  const desk = await startDesk(folder, 'serve');
  const connection = await connectionTo(folder, 'mara');
  onTestFinished(async () => {
    await connection.close();
    await desk.stop();
  });
  const { service, settings } = connection.desk;
  await vi.waitFor(() => expect(seen).toEqual([KEY]), { interval: 50 });
  await service.order({ chainId: CHAIN, orderHash: HASH });
  expect(seen).toEqual([KEY, KEY]);
  expect((await settings.get()).services).toEqual([{ origin, chainIds: [CHAIN], fingerprint: print }]);

  await expect(settings.setServiceKey({ chainId: CHAIN, key: 'two\nlines' })).rejects.toThrow();
  expect(await settings.setServiceKey({ chainId: CHAIN, key: 'another' })).toEqual({
    origin,
    fingerprint: fingerprint('another'),
  });
  const removed = await runCommand(folder, ['service-key', 'remove']);
  expect(JSON.parse(removed.stdout)).toEqual({ removed: true, origin, fingerprint: null });
  await service.order({ chainId: CHAIN, orderHash: `0x${'cd'.repeat(32)}` }).catch(() => {});
  expect(seen).toEqual([KEY, KEY, undefined]);
  expect((await settings.get()).services).toEqual([{ origin, chainIds: [CHAIN], fingerprint: null }]);

  expectHidden(folder);
  expect(desk.stderr()).not.toContain(KEY);
});

test('keys to services come with a desk file, are kept by one without any, and each is for its origin only', async () => {
  const { folder, origin } = await folderWithService();
  await onFolder(folder, async ({ desk }) => {
    const importing = (serviceKeys?: Record<string, string>) =>
      desk.desk.import({ desk: { version: 1, chains: [], counterparties: [], serviceKeys } });
    await importing({ [origin]: KEY, 'https://other.example': 'k2' });
    await importing();
    const kept = await readDeskFile(await desk.desk.export({ withSecrets: true }));
    expect(kept.serviceKeys).toEqual({ [origin]: KEY, 'https://other.example': 'k2' });
    for (const wrong of [{ [`${origin}/api`]: KEY }, { nowhere: KEY }, { [origin]: 'two words' }, { [origin]: '' }]) {
      const refused = await importing(wrong).catch((error: Error & { data?: unknown }) => error);
      expect(refused).toBeInstanceOf(Error);
      const said = JSON.stringify([String(refused), (refused as { data?: unknown }).data]);
      expect(said).toContain('serviceKeys');
      expect(said).not.toContain(KEY);
    }
  });
  expectHidden(folder);
});
