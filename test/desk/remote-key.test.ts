import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addDrain } from '../../electron/commands/drain.ts';
import { addExport } from '../../electron/commands/export.ts';
import { addLog } from '../../electron/commands/log.ts';
import { addOnChain } from '../../electron/commands/on-chain.ts';
import { addResume } from '../../electron/commands/resume.ts';
import { addStatus } from '../../electron/commands/status.ts';
import { addVerify } from '../../electron/commands/verify.ts';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { domainSeparator, fromWireOrder, orderHash } from '../../electron/protocol/order-hash.ts';
import { signedOrderSchema } from '../../electron/protocol/wire.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { openSigningServer, type SigningServer } from '../signer/signing-server.ts';
import { program, told } from './alerts/alerting.ts';
import { commandsHere } from './commands-here.ts';
import { deskFileFor } from './desk-on-chain.ts';
import { PASSPHRASE, type RunningDesk, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

let chain: TestChain;
let signer: SigningServer;
let file: DeskFile;
let home: ReturnType<typeof temporaryFolder>;
let desk: RunningDesk;
let client: ReturnType<typeof takerClient>;

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  signer = await openSigningServer(chain.accounts.maker.privateKey);
  const { address } = chain.accounts.maker;
  const remoteSigner = {
    kind: 'json-rpc',
    address,
    url: signer.url,
    timeoutMs: 10_000,
    method: 'eth_signTypedData_v4',
  } as const;
  file = { ...deskFileFor(chain), remoteSigner };
  home = temporaryFolder();
  writeFileSync(join(home.folder, 'import.json'), JSON.stringify(file));
  const imported = await runCommand(home.folder, ['import', join(home.folder, 'import.json')]);
  expect(imported).toMatchObject({ code: 0 });
  desk = await startDesk(home.folder, 'serve');
  client = takerClient(desk.ready.surface, file);
});
afterAll(async () => {
  await desk?.stop();
  home?.remove();
  await signer?.close();
  await chain?.close();
});

const here = commandsHere(addDrain, addExport, addLog, addOnChain, addResume, addStatus, addVerify);
const run = (...args: string[]) => here(home.folder, args);
const status = async () => JSON.parse((await run('status', '--json')).stdout);
const ask = async () => (await client.firm('asks', { makerAmount: '1000000000000000' })).json;
const resume = () => run('resume', '--reason', 'the signer was checked');

test('a desk without a key in its folder passes its checks, and quotes with the key of the signer elsewhere', async () => {
  expect(existsSync(join(home.folder, 'keystore.json'))).toBe(false);
  await vi.waitFor(async () => expect(await resume()).toMatchObject({ code: 0 }));
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200));
  const { order } = await ask();
  expect(order).toMatchObject({ maker: chain.accounts.maker.address });
  const { signature, ...fields } = signedOrderSchema.parse(order);
  const hash = orderHash(domainSeparator(chain), fromWireOrder(fields));
  const log = JSON.parse((await run('log')).stdout);
  expect(log.at(-1)).toMatchObject({ orderHash: hash, state: 'live' });
  expect(signature).toMatch(/^0x[0-9a-f]{130}$/);
  expect(JSON.parse((await run('verify')).stdout)).toMatchObject({ ok: true });
  expect(JSON.parse((await run('export')).stdout).remoteSigner).toEqual(file.remoteSigner);
});

test('the orders that are live are cancelled on chain by the key elsewhere', async () => {
  expect((await ask()).order).toBeDefined();
  const cancelled = JSON.parse((await run('cancel-orders')).stdout);
  expect(cancelled).toMatchObject([{ outcome: 'confirmed' }]);
  expect(signer.asked.map(({ method }) => method)).toContain('eth_signTransaction');
});

test('a resume in a drain says that the drain is over, and no other does', async () => {
  expect(await run('drain', '--seconds', '600')).toMatchObject({ code: 0 });
  const { code, stderr } = await resume();
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^It was draining until 2\S+Z: that drain is over, and it quotes on\.\n/),
  ]);
  expect((await resume()).stderr).not.toContain('drain');
});

test('a signer that is gone closes the chain, which says so, and opens by itself when it is back', async () => {
  await signer.close();
  await vi.waitFor(async () => expect(await ask()).toMatchObject({ code: 'signer_unseen' }));
  expect(await status()).toMatchObject({
    state: 'LIVE',
    chains: [{ closed: 'signer_unseen', why: expect.stringContaining('ECONNREFUSED') }],
  });
  expect((await client.get('/prices')).json).toMatchObject({ code: 'signer_unseen' });
  await signer.reopen();
  await vi.waitFor(async () => expect((await ask()).order).toBeDefined());
  expect(await status()).toMatchObject({ state: 'LIVE', chains: [{ closed: null }] });
});

test('a signature of another key halts the chain until a person resumes it, and nothing of it is handed out', async () => {
  signer.behaviour = 'another key';
  const refused = await ask();
  expect(refused.order).toBeUndefined();
  await vi.waitFor(async () => expect(await status()).toMatchObject({ chains: [{ state: 'HALTED' }] }));
  const resumeChain = () => run('resume', '--chain', `${chain.chainId}`, '--reason', 'the signer was checked');
  const resumed = await resumeChain();
  expect(resumed.code).toBe(1);
  expect(resumed.stderr).toContain('no signature of');
  // With its only chain failing its checks the desk is halted as well.
  signer.behaviour = 'well';
  await vi.waitFor(async () => expect(await resumeChain()).toMatchObject({ code: 0 }));
  await vi.waitFor(async () => expect(await resume()).toMatchObject({ code: 0 }));
  await vi.waitFor(async () => expect((await ask()).order).toBeDefined());
});

test('a locked desk asks the signer nothing, and is unlocked by its own passphrase alone', async () => {
  expect(await runCommand(home.folder, ['lock'])).toMatchObject({ code: 0 });
  expect(await ask()).toMatchObject({ code: 'halted' });
  const before = signer.asked.length;
  const wrong = await runCommand(home.folder, ['unlock'], { MAKERDESK_PASSPHRASE: 'another one' });
  expect(wrong.code).toBe(1);
  expect((await run('cancel-orders')).stderr).toContain('locked');
  expect(signer.asked).toHaveLength(before);
  const right = () => runCommand(home.folder, ['unlock'], { MAKERDESK_PASSPHRASE: PASSPHRASE });
  await vi.waitFor(async () => expect(await right()).toMatchObject({ code: 0 }));
  await vi.waitFor(async () => expect(await resume()).toMatchObject({ code: 0 }));
  await vi.waitFor(async () => expect((await ask()).order).toBeDefined());
});

test('a desk whose signer is away when it starts keeps its chains closed until it signs, and calls once for that and for its end', async () => {
  const { file: command, calls } = program();
  const called = () =>
    calls()
      .filter(({ code }) => code === 'signer')
      .map(told);
  await desk.stop();
  await signer.close();
  desk = await startDesk(home.folder, 'serve', ['--alert-command', command]);
  client = takerClient(desk.ready.surface, file);
  expect((await client.get('/prices')).status).toBe(503);
  await vi.waitFor(() => expect(called()).toEqual(['raised signer']));
  await signer.reopen();
  await vi.waitFor(async () => expect((await ask()).order).toBeDefined());
  await vi.waitFor(() => expect(called()).toEqual(['raised signer', 'over signer']));
  await desk.stop();
});

test('a desk that does not run is resumed for its next start, and the command says that nothing is quoted now', async () => {
  const { code, stdout, stderr } = await resume();
  expect([code, JSON.parse(stdout)], stderr).toMatchObject([0, { resumed: true, state: 'LIVE', running: false }]);
  expect(stderr).toContain(`No desk runs in ${home.folder}: this counts for its next start, and nothing is quoted`);
});
