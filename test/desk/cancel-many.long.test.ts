import { expect, onTestFinished, test } from 'vitest';
import type { TransactionRow } from '../../electron/contract/transactions.ts';
import { startTestChain } from '../chain-fixture.ts';
import { connectionTo } from './connection.ts';
import { armedFolder, deskFileFor } from './desk-on-chain.ts';
import { runCommand, startDesk } from './desk-process.ts';
import { takerClient } from './taker-client.ts';

const ORDERS = 1_000;
const AT_ONCE = 50;
/** What the smallest chains put into a block. */
const BLOCK_GAS = 30_000_000n;

test('a thousand live orders are cancelled on chain in chunks that fit a block, and their gas is told before', async () => {
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  // Long enough that none of them ends by itself before it is cancelled.
  const file = deskFileFor(chain, { quoteLifetimeSeconds: 600 });
  const { folder, remove } = await armedFolder(chain, file);
  const desk = await startDesk(folder, 'serve');
  onTestFinished(async () => {
    await desk.stop();
    await chain.close();
    remove();
  });
  const taker = takerClient(desk.ready.surface, file);
  await expect.poll(async () => (await taker.get('/prices')).status).toBe(200);
  for (let done = 0; done < ORDERS; done += AT_ONCE) {
    // Each of its own amount, for the same request signed in the same millisecond is one order.
    const asked = Array.from({ length: AT_ONCE }, (_, at) =>
      taker.firm('asks', { makerAmount: String(1_000_000_000_000 + done + at) }),
    );
    for (const { json } of await Promise.all(asked)) expect(json.order, json.error).toBeDefined();
  }
  const connection = await connectionTo(folder, 'mara');
  onTestFinished(() => connection.close());
  const { desk: client } = connection;
  const count = async (outcome: 'open' | 'cancelled') => {
    let rows = 0;
    for await (const page of await client.log.all({ filter: { outcome } })) rows += page.rows.length;
    return rows;
  };

  const dry = await client.onChain.cancelOrders({ dryRun: true });
  expect(dry.map(({ purpose }) => purpose)).toEqual(Array(5).fill('cancel 200 orders'));
  expect(dry.map(({ orders }) => orders)).toEqual(Array(5).fill(200));
  for (const { gas, feeWei, outcome, transactionHash } of dry) {
    expect([outcome, transactionHash]).toEqual(['dry_run', null]);
    expect(BigInt(gas ?? 0)).toBeGreaterThan(200n * 20_000n);
    expect(BigInt(gas ?? 0)).toBeLessThan(BLOCK_GAS);
    expect(BigInt(feeWei ?? 0)).toBeGreaterThan(0n);
  }
  expect(await count('open')).toBe(ORDERS);

  const { code, stdout: printed } = await runCommand(folder, ['cancel-orders']);
  const sent: TransactionRow[] = JSON.parse(printed);
  expect(code).toBe(0);
  expect(sent.map(({ outcome }) => outcome)).toEqual(Array(5).fill('confirmed'));
  await expect.poll(() => count('cancelled'), { interval: 500 }).toBe(ORDERS);
  expect(await client.onChain.cancelOrders({ dryRun: false })).toEqual([]);
  // Nothing is live any more, so stopping the rest costs one transaction a token.
  const { stdout } = await runCommand(folder, ['allowance', 'WETH', '0']);
  expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'confirmed' }]);
  const refused = async () => (await taker.firm('asks', { makerAmount: '1000000' })).json.code;
  await expect.poll(refused).toBe('not_approved');
});
