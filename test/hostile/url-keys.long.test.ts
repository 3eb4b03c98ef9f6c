import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { sealChain, UrlSeals } from '../../electron/book/url-seals.ts';
import { openNode } from '../../electron/chain/node-client.ts';
import { readDeskFile } from '../../electron/contract/desk-file-text.ts';
import { type FolderClient, openFolderClient } from '../../electron/desk/folder-client.ts';
import { GroupCommit } from '../../electron/journal/group-commit.ts';
import { openJournalFile } from '../../electron/journal/open-journal-file.ts';
import { SLICES } from '../../electron/journal/slices.ts';
import { readReference } from '../../electron/service/read-reference.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { PASSPHRASE, runCommand, startDesk, temporaryFolder } from '../desk/desk-process.ts';
import { openTestJournal } from '../journal/fixture.ts';
import { configured, deskFile } from '../journal/sample-events.ts';
import { answering, json } from '../service/http-answers.ts';
import { browserConsole } from './browser-console.ts';

const CANARY = `canary${randomBytes(6).toString('hex')}`;
/** What signs for the desk of the first test, in each form in which it could be written down; and what opens its file. */
const KEY = randomBytes(32);
const SECRETS = [...(['hex', 'base64', 'base64url', 'latin1'] as const).map((form) => KEY.toString(form)), PASSPHRASE];
const SEALED = /^http:\/\/127\.0\.0\.1:\d+\/#sealed-[0-9a-f]{16}$/;

/** A node and a reference that repeat what they were asked with in what they answer, as some do. */
async function tellTale() {
  const seen: string[] = [];
  const server = await answering((request: IncomingMessage, response) => {
    const { url = '', headers } = request;
    const login = Buffer.from(headers.authorization?.slice('Basic '.length) ?? '', 'base64').toString();
    seen.push(`${login} ${url}`);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (url.startsWith('/prices')) return json({ prices: {} })(request, response);
      const body = JSON.parse(Buffer.concat(parts).toString());
      const error = { code: -32_000, message: `nothing for ${CANARY}-path, ${CANARY}-query, ${CANARY}-user` };
      const refused = [body].flat().map(({ id }: { id: number }) => ({ jsonrpc: '2.0', id, error }));
      return json(Array.isArray(body) ? refused : refused[0])(request, response);
    });
  });
  const host = new URL(server.url).host;
  const login = `${CANARY}-user:${CANARY}-pass`;
  return {
    seen,
    host,
    rpcUrl: `http://${login}@${host}/v2/${CANARY}-path?key=${CANARY}-query`,
    referenceUrl: `http://${login}@${host}/prices?key=${CANARY}-query`,
    asNode: `${login} /v2/${CANARY}-path?key=${CANARY}-query`,
    asReference: `${login} /prices?key=${CANARY}-query`,
  };
}

const desk = (changes: Record<string, unknown>) => ({ ...deskFile(changes), counterparties: [] });

/** While no desk runs on it. */
async function onFolder<T>(folder: string, act: (client: FolderClient['desk']) => Promise<T>): Promise<T> {
  const client = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  try {
    return await act(client.desk);
  } finally {
    await client.close();
  }
}

const exported = async (client: FolderClient['desk'], withSecrets: boolean) =>
  readDeskFile(await client.desk.export({ withSecrets }));

/** Nowhere in the folder in the open: journal, log, secrets and all. */
function expectHidden(folder: string): void {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    expectNoSecret(readFileSync(join(file.parentPath, file.name), 'latin1'), file.name);
  }
}

function expectNoSecret(text: string, where: string): void {
  const lower = text.toLowerCase();
  for (const secret of [CANARY, ...SECRETS]) {
    expect(lower.includes(secret.toLowerCase()), `${where} has a secret`).toBe(false);
  }
}

test('the keys in a node’s and a reference’s address are used, and are nowhere but in the sealed file, nor is the key that signs', async () => {
  const { folder, remove } = temporaryFolder();
  await storeKey(folder, PASSPHRASE, `0x${KEY.toString('hex')}`, randomBytes);
  const copies = temporaryFolder();
  onTestFinished(remove);
  onTestFinished(copies.remove);
  const { seen, rpcUrl, referenceUrl, asNode, asReference } = await tellTale();
  const whole = { rpcUrl, referenceUrl };
  await onFolder(folder, async (client) => {
    await client.desk.import({ desk: desk(whole) });
    const open = await exported(client, false);
    expect(open.chains[0]?.rpcUrl).toMatch(SEALED);
    expect(JSON.stringify(open)).not.toContain(CANARY);
    expect((await exported(client, true)).chains).toMatchObject([whole]);
    await client.desk.import({ desk: open });
  });
  await onFolder(folder, async (client) => {
    expect((await exported(client, true)).chains, 'the open file kept the keys').toMatchObject([whole]);
  });

  const running = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await running.stop()));
  await vi.waitFor(() => expect(seen).toEqual(expect.arrayContaining([asNode, asReference])));
  const { desk: client, socket } = await browserConsole(running.ready.console);
  const told: unknown[] = [];
  const tell = async (answer: Promise<unknown>) => told.push(await answer.catch((error: unknown) => inspect(error)));
  const look = async () => {
    for await (const update of await client.desk.watch()) return told.push(update);
    return 0;
  };
  await look();
  const settings = await client.settings.get();
  const [chain] = settings.desk.chains;
  if (chain === undefined) throw new Error('the chain is gone');
  const { chainId, maker, rfqContract } = chain;
  const asked = seen.length;
  await tell(client.settings.tryChain({ chainId, rpcUrl: chain.rpcUrl, rfqContract, tokens: {} }));
  expect(seen.slice(asked), 'a form tries the address as it is sealed').toContain(asNode);
  await tell(client.settings.saveChain({ chain: { chainId, rpcUrl: chain.rpcUrl, name: 'Another name' } }));
  await tell(client.settings.saveChain({ chain: { chainId, rpcUrl: rpcUrl.replace('http', 'gopher') } }));
  await tell(client.service.state({ chainId }));
  await tell(client.service.checks({ chainId }));
  await tell(client.onChain.stillLive({}));
  await tell(client.onChain.setAllowance({ chainId, tokenId: 'USDC', amount: '1', dryRun: false }));
  await tell(client.listings.readToken({ chainId, address: maker }));
  await tell(client.trading.resume({ scope: {}, reason: 'a test' }));
  await tell(client.desk.backup({ file: join(copies.folder, 'backup.db') }));
  const replaced = [rpcUrl, asNode].map((text) => text.replace('-path', '-path/another'));
  await tell(client.settings.saveChain({ chain: { chainId, rpcUrl: replaced[0] } }));
  await vi.waitFor(() => expect(seen, 'a key that is replaced is used at once').toContain(replaced[1]));
  await look();
  told.push(settings, await client.settings.get(), await exported(client, false));
  socket.terminate();
  const commands = await Promise.all(
    [['status', '--json'], ['check'], ['export']].map((args) => runCommand(folder, args)),
  );
  const all = inspect([told, commands, running.stderr()], { depth: 30, maxArrayLength: null, maxStringLength: null });
  expectNoSecret(all, 'what was told');
  expect(all, 'nobody was asked at a sealed address').not.toContain('not at hand');
  expect(all, 'and what the node said is told').toContain('nothing for …, …, …');
  expect((await chainOf(folder)).name).toBe('Another name');

  await running.stop();
  const before = seen.length;
  const again = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await again.stop()));
  await vi.waitFor(() => expect(seen.slice(before)).toEqual(expect.arrayContaining([replaced[1], asReference])));
  await again.stop();
  expectNoSecret(again.stderr(), 'the log');
  expectHidden(folder);
  expectHidden(copies.folder);
});

/** The one chain of a desk that runs. */
async function chainOf(folder: string): Promise<{ name: string; rpcUrl: string }> {
  const { stdout } = await runCommand(folder, ['export', '--with-secrets']);
  return JSON.parse(stdout).chains[0];
}

test('a mark of which nothing is kept, or on another host, is refused with its place, and nothing changes', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const { rpcUrl, host } = await tellTale();
  await onFolder(folder, async (client) => {
    await client.desk.import({ desk: desk({ rpcUrl }) });
    const open = await exported(client, false);
    const sealed = open.chains[0]?.rpcUrl ?? '';
    for (const wrong of [`http://${host}/#sealed-0123456789abcdef`, sealed.replace(host, 'elsewhere.example')]) {
      const refused = await client.desk.import({ desk: desk({ rpcUrl: wrong }) }).catch((error: unknown) => error);
      const at = expect.objectContaining({ path: 'chains[0].rpcUrl' });
      expect(refused).toMatchObject({ data: { code: 'desk_file_faulty', faults: [at] } });
    }
    expect((await exported(client, true)).chains[0]?.rpcUrl).toBe(rpcUrl);
    await client.desk.import({ desk: desk({ rpcUrl: `http://${host}/` }) });
    expect((await exported(client, true)).chains[0]?.rpcUrl, 'an address without a key takes it away').toBe(
      `http://${host}/`,
    );
  });
});

test('keys that stand in the journal of an earlier program go on being used, are sealed at the start, and show no more', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const { seen, rpcUrl, host, asNode } = await tellTale();
  const { db, head } = openJournalFile(folder, Date.now(), SLICES);
  const { time, actor, kind, body } = configured({ rpcUrl });
  new GroupCommit(db, head, SLICES).write([{ time, actor, kind, body: JSON.stringify(body) }]);
  db.close();

  const running = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await running.stop()));
  await vi.waitFor(() => expect(seen).toContain(asNode));
  const { desk: client, socket } = await browserConsole(running.ready.console);
  const { chains } = (await client.settings.get()).desk;
  socket.terminate();
  expect(chains[0]?.rpcUrl).toMatch(SEALED);
  expect((await chainOf(folder)).rpcUrl).toBe(rpcUrl);
  await running.stop();
  expect(running.stderr()).toContain(host);
  expect(running.stderr()).not.toContain(CANARY);
  expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toHaveProperty('ciphertext');
});

test('a command on a folder without a desk asks the node with its key where it has the passphrase, and halts without', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const { seen, rpcUrl, asNode } = await tellTale();
  await onFolder(folder, (client) => client.desk.import({ desk: desk({ rpcUrl }) }));
  expect(seen).toEqual([]);
  const checked = await runCommand(folder, ['check']);
  expect(checked.stdout).toContain('nothing for …, …, …');
  expect(seen).toContain(asNode);
  const asked = seen.length;
  for (const passphrase of ['', 'a wrong one']) {
    const without = { MAKERDESK_PASSPHRASE: passphrase };
    expect((await runCommand(folder, ['check'], without)).stdout).toContain('is not at hand');
    const halted = await runCommand(folder, ['halt', '--reason', 'a test'], without);
    expect(halted, halted.stderr).toMatchObject({ code: 0 });
  }
  expect(seen.slice(asked), 'and nothing was asked without the key').toEqual([]);
  expectHidden(folder);
});

test('the journal itself refuses a configuration with a key in an address', async () => {
  const journal = await openTestJournal();
  for (const changes of [
    { rpcUrl: 'https://node.example/v2/key' },
    { rpcUrl: 'https://node.example/?key=key' },
    { rpcUrl: 'wss://user:key@node.example' },
    { rpcUrl: 'https://node.example/#key' },
    { referenceUrl: 'https://reference.example/mid?key=key' },
    { serviceUrl: 'https://key@service.example/api' },
  ]) {
    await expect(journal.append(configured(changes))).rejects.toMatchObject({ code: 'journal_row_refused' });
  }
  await journal.append(configured({ rpcUrl: 'https://node.example/', referenceUrl: 'https://reference.example/mid' }));
});

test('whatever a node’s address holds beyond its origin is behind the seal, and comes back whole', () => {
  const part = fc.stringMatching(/^[A-Za-z0-9_-]{1,40}$/);
  const maybe = fc.option(part, { nil: null });
  fc.assert(
    fc.property(
      fc.constantFrom('http', 'https', 'ws', 'wss'),
      fc.record({ user: maybe, password: maybe, path: maybe, query: maybe, hash: maybe }),
      (scheme, { user, password, path, query, hash }) => {
        const login = user === null ? '' : `${user}${password === null ? '' : `:${password}`}@`;
        const rest = `${path === null ? '' : `/${path}`}${query === null ? '' : `?k=${query}`}${hash === null ? '' : `#${hash}`}`;
        const rpcUrl = `${scheme}://${login}node.example${rest}`;
        const { sealed, urls } = sealChain({ rpcUrl, serviceUrl: null, referenceUrl: null });
        const seals = new UrlSeals();
        seals.learn(urls);
        expect(seals.whole(sealed.rpcUrl)).toBe(rpcUrl);
        if (`${login}${rest}` === '') expect(sealed.rpcUrl, 'an open address stays as it is').toBe(rpcUrl);
        else expect(sealed.rpcUrl).toMatch(/^(https?|wss?):\/\/node\.example\/#sealed-[0-9a-f]{16}$/);
        expect(sealChain(sealed).sealed, 'what is sealed is not sealed again').toEqual(sealed);
      },
    ),
  );
});

test.each(['http', 'https', 'ws', 'wss'])(
  'an error of a node over %s says its host and nothing more of its address',
  async (scheme) => {
    for (const url of [
      `${scheme}://${CANARY}-user:${CANARY}-pass@127.0.0.1:1/v2/${CANARY}-path?key=${CANARY}-query#${CANARY}`,
      `${scheme}://127.0.0.1:1/#sealed-0123456789abcdef`,
    ]) {
      const node = openNode({ rpcUrl: url, timeoutMs: 1_000 });
      const error = await node.ask([{ method: 'eth_chainId', params: [] }]).catch((thrown: unknown) => thrown);
      node.close();
      expect(error).toMatchObject({ code: expect.stringMatching(/^node_(unreachable|sealed)$/) });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(CANARY);
    }
  },
);

test('a reference that cannot be reached is told without its address', async () => {
  const url = `http://${CANARY}-user:${CANARY}-pass@127.0.0.1:1/prices?key=${CANARY}-query`;
  const error = await readReference(url, { now: Date.now }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'service_unreachable' });
  expect(inspect(error, { depth: 10 })).not.toContain(CANARY);
});

test('a reference that repeats its keys is told without them', async () => {
  const prices = { 'A/B': { mid: '31337.5', time: 1 } };
  const echo = await answering(json({ error: `${CANARY}-query and ${CANARY}-pass are not valid` }, 401));
  const url = `${echo.url.replace('//', `//${CANARY}-user:${CANARY}-pass@`)}/prices?key=${CANARY}-query`;
  const error = await readReference(url, { now: Date.now }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: 'The reference refused with HTTP 401: … and … are not valid' });
  echo.answer = json({ prices });
  const heard = await readReference(`${echo.url}/prices?chain=31337`, { now: Date.now });
  expect(heard.prices.get('A/B'), 'prices stay as they are').toEqual(prices['A/B']);
});
