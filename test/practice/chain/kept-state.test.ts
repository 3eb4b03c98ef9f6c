import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startAnvil } from '../../../electron/practice/chain/anvil.ts';
import { KEPT_BLOCKS, tidyState } from '../../../electron/practice/chain/folder-node.ts';
import { openControl } from '../../../electron/practice/chain/preparation.ts';
import { openSender } from '../../../electron/practice/chain/sender.ts';
import { collectLog } from '../collected-log.ts';

const BLOCKS = 2_000;
const KEY = `0x${'44'.repeat(32)}` as const;

async function openNode(stateFile: string) {
  const anvil = await startAnvil({ port: 0, stateFile, keptBlocks: KEPT_BLOCKS });
  onTestFinished(() => anvil.close());
  const control = openControl(anvil.rpcUrl);
  return { ...anvil, control, sender: openSender(anvil.rpcUrl, KEY) };
}

test('a long chain is gone on with without its old blocks: same head, same balances, still reorganised 64 deep', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kept-state-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const stateFile = join(folder, 'anvil-state.json');
  const { control, sender, close } = await openNode(stateFile);
  await control.setBalance({ address: sender.address, value: 10n ** 20n });
  const early = await sender.send({ to: sender.address, data: '0x01' });
  for (let mined = 0; mined < BLOCKS; mined += 50) await control.mine({ blocks: 50, interval: 0 });
  const late = await sender.send({ to: sender.address, data: '0x02' });
  await sender.mined(late);
  const head = await sender.client.getBlock();
  const balance = await sender.client.getBalance({ address: sender.address });
  await close();
  const before = statSync(stateFile).size;

  const log = collectLog();
  tidyState(stateFile, Date.now, log);
  expect(statSync(stateFile).size).toBeLessThan(before * 0.7);
  expect(JSON.parse(readFileSync(stateFile, 'utf8')).blocks).toHaveLength(KEPT_BLOCKS + 1);
  expect(log.lines).toEqual([]);

  const again = await openNode(stateFile);
  const { client } = again.sender;
  expect((await client.getBlock()).hash).toBe(head.hash);
  expect(await client.getBalance({ address: sender.address })).toBe(balance);
  expect((await client.getTransactionReceipt({ hash: late })).status).toBe('success');
  await expect(client.getTransactionReceipt({ hash: early })).rejects.toThrow();
  expect(await client.getLogs({ fromBlock: 0n })).toEqual([]);
  await again.control.mine({ blocks: 70, interval: 0 });
  await again.control.request({ method: 'anvil_reorg', params: [64, []] } as never);
  expect(await client.getBlockNumber()).toBe(head.number + 70n);
});
