import { expect, onTestFinished, test, vi } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { openNodeProxy } from '../chain/node-proxy.ts';
import { startTestChain } from '../chain-fixture.ts';
import { connectionTo } from './connection.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { haltCommand, runCommand, startDesk } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

/** A desk with something between it and its node, which a test can take away; `before` runs before the desk starts. */
async function deskBehindProxy(changes: Partial<DeskFile['chains'][number]>, before: 'node up' | 'node down') {
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  const proxy = await openNodeProxy(() => chain.rpcUrl);
  const file = deskFileFor(chain, { rpcUrl: proxy.url, ...changes });
  const { folder, remove } = await armedFolder(chain, file);
  if (before === 'node down') await proxy.down();
  const desk = await startDesk(folder, 'serve');
  onTestFinished(async () => {
    await desk.stop();
    await proxy.down();
    await chain.close();
    remove();
  });
  return { proxy, folder, client: takerClient(desk.ready.surface, file) };
}

test('a node that goes away closes its chain, which opens by itself when the node is back', async () => {
  const { proxy, folder, client } = await deskBehindProxy({ balanceMaxAgeSeconds: 10 }, 'node up');
  const ask = async () => (await client.firm('asks', { makerAmount: '1000000000000' })).json;
  const status = async () => JSON.parse((await runCommand(folder, ['status', '--json'])).stdout);
  const statesChain = (closed: string | null) =>
    vi.waitFor(async () =>
      expect(await status()).toMatchObject({ state: 'LIVE', chains: [{ state: 'LIVE', closed }] }),
    );
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200));
  expect((await ask()).order).toBeDefined();

  await proxy.down();
  await vi.waitFor(async () => expect(await ask()).toMatchObject({ code: 'chain_unseen' }));
  const closed = { status: 503, json: { code: 'chain_unseen' } };
  await vi.waitFor(async () => expect(await client.get('/prices')).toMatchObject(closed));
  await statesChain('chain_unseen');

  await proxy.up();
  await vi.waitFor(async () => expect((await ask()).order).toBeDefined());
  await statesChain(null);
});

test('a node that is away when the desk starts keeps its chain closed until it can be checked', async () => {
  const { proxy, folder, client } = await deskBehindProxy({}, 'node down');
  expect((await client.get('/prices')).status).toBe(503);
  expect((await haltCommand(folder)).code).toBe(0);
  const resumed = await runCommand(folder, ['resume', '--reason', 'the node will be back']);
  expect(JSON.parse(resumed.stdout)).toMatchObject({
    resumed: true,
    tookOff: [{ state: 'HALTED' }],
    staysClosed: [{ pair: null, sentence: expect.stringContaining('node') }],
  });
  expect(resumed.stderr).toContain('stays closed');
  expect((await client.get('/tokens')).status).toBe(200);
  await proxy.up();
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200));
});

test('a node that shows another chain halts it: nothing that was signed ends but by the word of a person', async () => {
  const { proxy, folder, client } = await deskBehindProxy({}, 'node up');
  const ask = async () => (await client.firm('asks', { makerAmount: '1000000000000' })).json;
  const run = async (...args: string[]) => JSON.parse((await runCommand(folder, args)).stdout);
  await vi.waitFor(async () => expect((await client.get('/prices')).status).toBe(200));
  expect((await ask()).order).toBeDefined();

  let end = '0badc0de';
  const other = (hash: string) => `${hash.slice(0, -8)}${end}`;
  proxy.change = ({ method }, answer) => {
    const block = answer.result as { hash: string; parentHash: string } | null;
    if (method !== 'eth_getBlockByNumber' || !block?.hash) return undefined;
    return { ...answer, result: { ...block, hash: other(block.hash), parentHash: other(block.parentHash) } };
  };
  await vi.waitFor(async () => expect(await ask()).toMatchObject({ code: 'halted' }));
  expect(await run('status', '--json')).toMatchObject({ state: 'LIVE', chains: [{ state: 'HALTED' }] });
  const states = async () => (await run('log')).map(({ state }: { state: string }) => state);
  expect((await states()).at(0)).toBe('live');
  const connection = await connectionTo(folder, 'mara');
  // What the console draws its button by.
  const shown = async () => {
    for await (const { attention = [] } of await connection.desk.desk.watch()) {
      const row = attention.find(({ title }) => title === 'The node of Test has another chain');
      return row?.action?.kind === 'accept_chain' ? row.action.genesis : null;
    }
    return null;
  };
  const genesis = (await shown()) ?? '';
  expect(genesis).toMatch(/0badc0de$/);
  // Yet another one stands there before the first is accepted.
  end = '0badcafe';
  await vi.waitFor(async () => expect(await shown()).toMatch(/0badcafe$/));
  const reason = 'it was begun anew';
  const accepting = connection.desk.trading.acceptChain({ chainId: 31337, genesis, reason });
  await expect(accepting).rejects.toMatchObject({ data: { code: 'changed_meanwhile' } });
  await connection.close();
  const refused = await runCommand(folder, ['accept-chain', '--genesis', genesis, '--reason', reason]);
  expect([refused.code, refused.stderr]).toEqual([expect.any(Number), expect.stringContaining('yet another chain')]);
  expect(refused.code).not.toBe(0);
  expect((await states()).at(0)).toBe('live');
  const other2 = `${genesis.slice(0, -8)}0badcafe`;
  expect(await run('accept-chain', '--genesis', other2, '--reason', reason)).toMatchObject({
    accepted: true,
    genesis: other2,
  });
  await vi.waitFor(async () => expect((await states()).at(0)).toBe('expired'));
  expect(await run('status', '--json')).toMatchObject({ chains: [{ state: 'HALTED' }] });
});
