import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { statusSchema } from '../../electron/contract/trading.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import { type Address, addressSchema } from '../../electron/protocol/address.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { deskFileFor } from './desk-on-chain.ts';
import { type CommandResult, type RunningDesk, runCommand, startDesk, temporaryFolder } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

const made = temporaryFolder();
let chain: TestChain;
let desk: RunningDesk | undefined;
let file: DeskFile;

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
});
afterAll(async () => {
  await desk?.stop();
  await chain?.close();
  made.remove();
});

/**
 * What the README has a newcomer type for a desk of their own, in its order, up to LIVE. The network is no public one, so the desk
 * file is written here, with the keys of who may ask; `test/setup/new-firm.long.test.ts` goes the whole way.
 */
function readmeSteps(): string[][] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [, section = ''] = readme.split('## A real desk, step by step');
  const blocks = section.split('```sh\n').slice(1, 3);
  const commands = blocks.flatMap((block) => [
    ...(block.split('```')[0] ?? '').matchAll(/^makerdesk (.*?)(?:\s+(?:#.*|\\))?$/gm),
  ]);
  return commands.map(([, command = '']) =>
    [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? ''),
  );
}
const WRITTEN_HERE = ['desk-file', 'counterparty-keys'];

const run = (args: readonly string[]) =>
  runCommand(
    made.folder,
    args.map((arg) => (arg === 'desk.json' ? join(made.folder, arg) : arg)),
  );

/** What a newcomer has besides the README: a chain with a contract on it, and funds at the address of their key. */
async function funded(maker: Address): Promise<void> {
  const { weth, usdc, accounts, control } = chain;
  await control.setBalance({ address: maker, value: 10n ** 18n });
  await accounts.maker.call(TEST_TOKEN, weth, 'mint', [maker, 100n * 10n ** 18n]);
  await accounts.maker.call(TEST_TOKEN, usdc, 'mint', [maker, 500_000n * 10n ** 6n]);
  file = deskFileFor(chain, { maker, signer: maker });
  writeFileSync(join(made.folder, 'desk.json'), JSON.stringify(file));
}

const pairsOf = async () => statusSchema.parse(JSON.parse((await run(['status', '--json'])).stdout)).chains[0]?.pairs;
const ask = async () => {
  const client = takerClient(desk?.ready.surface ?? '', file);
  return [
    await client.firm('asks', { makerAmount: '1000000000000' }),
    await client.firm('bids', { takerAmount: '1000000000000' }),
  ];
};

test('the steps of the README, and nothing else, end in a desk on a chain of its own that signs on both sides', async () => {
  const steps = readmeSteps();
  expect(steps.map(([command]) => command)).toEqual([
    'key',
    'desk-file',
    'import',
    'counterparty-keys',
    'allowance',
    'allowance',
    'check',
    'serve',
    'resume',
    'status',
    'token',
    'token',
  ]);
  for (const args of steps) {
    if (WRITTEN_HERE.includes(args[0] ?? '')) continue;
    if (args[0] === 'serve') {
      desk = await startDesk(made.folder, 'serve');
      continue;
    }
    const { code, stdout, stderr } = await run(args);
    expect(code, `makerdesk ${args.join(' ')}: ${stdout}${stderr}`).toBe(0);
    if (args[0] === 'key') await funded(addressSchema.parse(stdout.trim()));
    if (args[0] === 'import') await nothingGoesLive();
  }
  await vi.waitFor(async () => expect(await pairsOf()).toEqual({ 'WETH/USDC': 'LIVE' }));
  await vi.waitFor(async () => expect((await ask()).map(({ status }) => status)).toEqual([200, 200]));
  const [asks, bids] = await ask();
  expect([asks?.json.order, bids?.json.order]).toEqual([expect.anything(), expect.anything()]);
  expect((await run(['check'])).code).toBe(0);
});

/** Before anything is approved: each command says what is missing and what mends it. */
async function nothingGoesLive(): Promise<void> {
  const says = (result: CommandResult) => {
    expect(result.code).toBe(1);
    for (const token of ['WETH', 'USDC']) {
      expect(result.stdout + result.stderr).toContain(`${token} is not approved for the RFQ contract`);
      expect(result.stdout + result.stderr).toContain(`makerdesk allowance ${token} AMOUNT`);
    }
  };
  says(await run(['check']));
  says(await run(['resume', '--reason', 'in a hurry']));
  expect(await pairsOf()).toEqual({ 'WETH/USDC': 'HALTED' });
}

test('an approval that is taken away closes the pairs that pay the token, and status, /prices, /firm and check say so', async () => {
  const client = takerClient(desk?.ready.surface ?? '', file);
  expect((await run(['allowance', 'USDC', '0'])).code).toBe(0);
  await vi.waitFor(async () => expect(await pairsOf()).toEqual({ 'WETH/USDC': 'CLOSED' }));
  expect((await run(['status'])).stdout).toContain('WETH/USDC: CLOSED, USDC is not approved for the RFQ contract.');
  await vi.waitFor(async () => expect((await client.get('/prices')).json.prices).toEqual({ 'WETH/USDC': {} }));
  for (const answer of await ask()) {
    expect(answer).toMatchObject({
      status: 409,
      json: { code: 'not_approved', error: 'USDC is not approved for the RFQ contract.' },
    });
  }
  const check = JSON.parse((await run(['check', '--json'])).stdout);
  expect(check).toMatchObject({ ok: false });
  expect(check.chains[0].checks).toContainEqual(
    expect.objectContaining({
      name: 'allowance USDC',
      outcome: 'failed',
      mend: expect.objectContaining({ kind: 'approve' }),
    }),
  );
  // A restart and a resume do not change that; the approval does, by itself.
  await desk?.stop();
  desk = await startDesk(made.folder, 'serve');
  await vi.waitFor(async () => expect(await pairsOf()).toEqual({ 'WETH/USDC': 'CLOSED' }));
  expect((await run(['resume', '--reason', 'insists'])).code).toBe(1);
  expect((await run(['allowance', 'USDC', '85000'])).code).toBe(0);
  await vi.waitFor(async () => expect((await ask()).map(({ status }) => status)).toEqual([200, 200]));
});

test('a folder without a desk does not pass, and gets none by that', async () => {
  const empty = temporaryFolder();
  const { code, stderr } = await runCommand(empty.folder, ['check']);
  const left = readdirSync(empty.folder);
  empty.remove();
  expect([code, stderr, left]).toEqual([1, expect.stringContaining('import a desk file to make one'), []]);
});
