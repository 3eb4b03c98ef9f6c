import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type DeskFile, deskFileSchema } from '../../electron/contract/desk-file.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { openFeed } from '../surface/feed-client.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { type RunningDesk, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { type TakerClient, takerClient } from './taker-client.ts';
import { standIn } from './wrong-desks.ts';

const OTHER = `0x${'b2'.repeat(20)}` as const;
const USER = `0x${'b1'.repeat(20)}` as const;

describe('on a folder where no desk runs', () => {
  const made = temporaryFolder();
  beforeAll(async () => {
    const file = join(made.folder, 'nothing.json');
    writeFileSync(file, JSON.stringify({ version: 1, chains: [], counterparties: [] }));
    expect(await runCommand(made.folder, ['import', file])).toMatchObject({ code: 0 });
  });
  afterAll(() => made.remove());
  const run = (...args: string[]) => runCommand(made.folder, args);

  test('a new desk is HALTED, and its journal is whole', async () => {
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ state: 'HALTED', chains: [] });
    expect((await run('verify')).code).toBe(0);
  });

  test('a key is made once, and its address can be asked for', async () => {
    const made = await run('key', 'new');
    expect(made.stdout).toMatch(/^0x[0-9a-f]{40}\n$/);
    expect((await run('key', 'address')).stdout).toBe(made.stdout);
    expect((await run('key', 'new')).code).toBe(1);
  });

  test('a desk file with faults is refused whole, with the path of each', async () => {
    const file = join(made.folder, 'faulty.json');
    writeFileSync(file, JSON.stringify({ version: 1, chains: [{ chainId: 1, basePath: 'x' }] }));
    const refused = await run('import', file);
    expect(refused.code).toBe(1);
    for (const path of ['chains[0].basePath', 'chains[0].rpcUrl', 'chains[0].maker'])
      expect(refused.stderr).toContain(path);
    expect(JSON.parse((await run('export')).stdout).chains).toEqual([]);
  });

  test('resume needs a reason', async () => {
    const refused = await run('resume');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('--reason');
  });

  test('an empty desk is not resumed: what is imported later would be LIVE before anybody looked', async () => {
    const refused = await run('resume', '--reason', 'too early');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('makerdesk import FILE')]);
    expect(JSON.parse((await run('status', '--json')).stdout)).toMatchObject({ state: 'HALTED' });
  });

  test('a stop of something that is not there is no stop', async () => {
    const refused = await run('halt', '--chain', '999');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('999');
  });
});

describe('against a running desk', () => {
  let chain: TestChain;
  let made: { folder: string; remove(): void };
  let desk: RunningDesk;
  let file: DeskFile;
  let taker: TakerClient;
  const run = (...args: string[]) => runCommand(made.folder, args);
  const ask = async () => (await taker.firm('asks', { makerAmount: '1000000000000' })).json;

  beforeAll(async () => {
    chain = await startTestChain({ blockTimeSeconds: 1 });
    file = deskFileFor(chain);
    made = await armedFolder(chain, file);
    desk = await startDesk(made.folder, 'serve');
    taker = takerClient(desk.ready.surface, file, USER);
    await vi.waitFor(async () => expect((await taker.get('/prices')).status).toBe(200));
  });
  afterAll(async () => {
    await desk?.stop();
    made?.remove();
    await chain?.close();
  });

  test('export gives a desk file that imports again, with secrets only when asked for', async () => {
    const open = deskFileSchema.parse(JSON.parse((await run('export')).stdout));
    expect(open.counterparties).toEqual([{ domain: 'test', signedPath: 'full' }]);
    const whole = deskFileSchema.parse(JSON.parse((await run('export', '--with-secrets')).stdout));
    expect(whole).toEqual(deskFileSchema.parse(file));
  });

  test('a desk that trades takes no desk file', async () => {
    const path = join(made.folder, 'again.json');
    writeFileSync(path, JSON.stringify(file));
    const refused = await run('import', path);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('halted');
  });

  test('a side, a pair and the desk are stopped and started, each alone', async () => {
    expect((await run('halt', '--pair', 'WETH/USDC', '--side', 'asks')).code).toBe(0);
    expect(await ask()).toMatchObject({ code: 'side_disabled' });
    expect((await taker.get('/prices')).json.prices?.['WETH/USDC']).toEqual({ bids: expect.anything() });
    expect((await taker.firm('bids', { takerAmount: '1000000000000' })).status).toBe(200);
    await run('resume', '--pair', 'WETH/USDC', '--side', 'asks', '--reason', 'checked');
    await run('halt', '--pair', 'WETH/USDC', '--reason', 'a slip');
    expect(await ask()).toMatchObject({ code: 'pair_disabled' });
    expect((await taker.get('/prices')).json.prices).toEqual({ 'WETH/USDC': {} });
    await run('resume', '--pair', 'WETH/USDC', '--reason', 'checked');
    expect((await run('halt')).code).toBe(0);
    expect((await taker.get('/prices')).status).toBe(503);
    expect((await run('resume', '--reason', 'checked')).code).toBe(0);
    await vi.waitFor(async () => expect((await ask()).order).toBeDefined());

    const pair = { chainId: file.chains[0]?.chainId, pair: 'WETH/USDC' };
    const stops = JSON.parse((await run('stops', '--limit', '2')).stdout);
    expect(stops).toMatchObject([
      { scope: {}, began: { what: 'halted', reason: null }, words: [], ended: { reason: 'checked' } },
      { scope: pair, began: { reason: 'a slip', time: expect.stringMatching(/Z$/) }, ended: { what: 'resumed' } },
    ]);
    expect((await run('stops', '--limit', '0')).code).toBe(1);
  });

  test('a drain serves no grid, quotes on, and ends halted', async () => {
    expect((await run('drain', '--seconds', '600')).code).toBe(0);
    expect((await taker.get('/prices')).status).toBe(503);
    expect((await ask()).order).toBeDefined();
    // Another one may end it sooner.
    expect((await run('drain', '--seconds', '1')).code).toBe(0);
    await vi.waitFor(async () => expect(await ask()).toMatchObject({ code: 'halted' }));
    await run('resume', '--reason', 'checked');
  });

  test('a blacklisted user gets no quote until they are taken off again', async () => {
    expect((await run('blacklist', 'add', USER, '--reason', 'asks only')).code).toBe(0);
    expect((await taker.get('/blacklist')).json).toMatchObject({ blacklist: [USER] });
    const refused = await taker.firm('asks', { makerAmount: '1000000000000' });
    expect(refused.status).toBe(200);
    expect(refused.json.order).toBeUndefined();
    expect((await run('blacklist', 'remove', USER)).code).toBe(0);
    expect((await ask()).order).toBeDefined();
  });

  test('a user blacklisted by this desk only is named neither by /blacklist nor by the WebSocket, and gets 422', async () => {
    const chainPath = file.chains[0]?.basePath ?? '';
    const feed = await openFeed(Number(new URL(desk.ready.surface).port), `${chainPath}/ws`, taker.signed('/ws'));
    await feed.message(1);
    expect((await run('blacklist', 'add', USER, '--only-here', '--reason', 'asks only')).code).toBe(0);
    const refused = await taker.firm('asks', { makerAmount: '1000000000000' });
    expect([refused.status, refused.json]).toEqual([
      422,
      { error: 'This desk does not quote this user.', code: 'user_barred' },
    ]);
    expect((await run('blacklist', 'add', OTHER)).code).toBe(0);
    expect((await taker.get('/blacklist')).json).toMatchObject({ blacklist: [OTHER] });
    await vi.waitFor(() => {
      const named = feed.messages.flatMap(({ blacklist }) => blacklist ?? []);
      expect(named).toEqual([OTHER]);
    });
    feed.socket.terminate();
    const exported = deskFileSchema.parse(JSON.parse((await run('export')).stdout));
    expect(exported.chains[0]?.blacklist).toEqual([
      { address: USER, reason: 'asks only', onlyHere: true },
      { address: OTHER },
    ]);
    expect((await run('blacklist', 'remove', USER)).code).toBe(0);
    expect((await run('blacklist', 'remove', OTHER)).code).toBe(0);
    expect((await ask()).order).toBeDefined();
  });

  test('the log tells every quote, oldest first, as JSON and as CSV', async () => {
    const rows = JSON.parse((await run('log', '--user', USER)).stdout);
    expect(rows.map((row: { seq: number }) => row.seq)).toEqual(
      rows.map((row: { seq: number }) => row.seq).toSorted((a: number, b: number) => a - b),
    );
    expect(new Set(rows.map((row: { code: string | null }) => row.code))).toEqual(
      new Set([null, 'side_disabled', 'pair_disabled', 'halted', 'blacklisted', 'user_barred']),
    );
    const csv = (await run('log', '--user', USER, '--format', 'csv')).stdout.trim().split('\r\n');
    expect(csv).toHaveLength(rows.length + 1);
    expect(csv[0]).toBe(Object.keys(rows[0]).join(','));
  });

  test('a backup is a journal that verifies, and the journal does', async () => {
    const elsewhere = temporaryFolder();
    onTestFinished(elsewhere.remove);
    const backup = join(elsewhere.folder, 'backup.db');
    expect((await run('backup', backup)).code).toBe(0);
    expect((await run('backup', backup)).stderr).toContain('never writes over one');
    expect((await run('backup', join(made.folder, 'keystore.json'))).stderr).toContain('folder of the desk');
    expect((await run('key', 'address')).code).toBe(0);
    expect(readFileSync(backup).subarray(0, 15).toString()).toBe('SQLite format 3');
    expect((await run('verify')).code).toBe(0);
  });

  test('a second desk on the folder is refused with a sentence, and the first goes on', async () => {
    await expect(startDesk(made.folder, 'serve')).rejects.toThrow('Another desk is running');
    expect((await ask()).order).toBeDefined();
  });

  test('for a person the log is one readable line an event, below what runs and where; for a program it is JSON', async () => {
    expect(
      desk
        .stderr()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    ).toContain('the desk listens');
    const other = temporaryFolder();
    const shown = await startDesk(other.folder, 'serve', ['--log', 'text']);
    await shown.stop();
    const lines = shown.stderr().trim().split('\n');
    const listens = /^\d\d:\d\d:\d\d {4}the desk listens · surface http:.* · state HALTED$/;
    expect(lines).toContainEqual(expect.stringMatching(listens));
    expect(shown.stderr()).toContain(`Console  ${shown.ready.console}`);
    expect(shown.stderr()).toContain(`Folder   ${other.folder}`);
    expect(shown.stderr()).not.toMatch(/^\{/m);
    other.remove();
  });

  test('a desk that hung in a drain is halted once it wakes, where a halt got no answer meanwhile', async () => {
    expect((await run('drain', '--seconds', '600')).code).toBe(0);
    expect((await ask()).order).toBeDefined();
    desk.signal('SIGSTOP');
    try {
      // A disk that is slow to say that it has it is asked again.
      await vi.waitFor(async () => {
        const { code, stderr } = await run('halt');
        expect([code, stderr]).toEqual([1, expect.stringContaining('It halts as soon as it wakes')]);
      });
    } finally {
      desk.signal('SIGCONT');
    }
    expect(await taker.firm('asks', { makerAmount: '1000000000000' })).toMatchObject({
      status: 503,
      json: { code: 'halted' },
    });
  });

  test('a desk that hangs is ended by halt --force and comes back halted', async () => {
    desk.signal('SIGSTOP');
    const unanswered = await run('halt');
    expect(unanswered.code).toBe(1);
    expect(unanswered.stderr).toContain('did not answer');
    const forced = await run('halt', '--force');
    expect(forced.code, forced.stderr).toBe(0);
    desk = await startDesk(made.folder, 'serve');
    expect(JSON.parse((await run('status', '--json')).stdout).state).toBe('HALTED');
  });
});

test('a halt ends although the desk freezes after its acknowledgement', async () => {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const status = { state: 'HALTED', reason: null, actor: 'mara', since: 1, drainUntil: null, chains: [] };
  await standIn(folder, (path) => (path === '/trading/halt' ? { durable: true, at: 1, status } : undefined));
  const halted = await runCommand(folder, ['halt']);
  expect(halted).toMatchObject({ code: 0, stderr: expect.stringContaining('could not be read') });
  expect(JSON.parse(halted.stdout)).toMatchObject({ halted: true, state: 'HALTED' });
});
