import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openJournal } from '../../electron/journal/journal.ts';
import { hedgeFolder, openHedgingDesk } from '../hedge/hedging-desk.ts';
import { startChild } from '../journal/child-process.ts';
import { type IntentMarket, openIntentMarket } from '../practice/intents/intent-market.ts';

vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 120_000 });

const KILLS = Number(process.env.MAKERDESK_HEDGE_KILLS ?? 30);
/** A hedge of each kind takes about this long from its opening to its end. */
const WITHIN_MS = 900;

let market: IntentMarket;
const home = hedgeFolder();
beforeAll(async () => {
  process.env.NODE_COMPILE_CACHE = join(home.folder, 'compiled');
  spawnSync(process.execPath, [fileURLToPath(new URL('./hedge-process.ts', import.meta.url)), 'warm']);
  market = await openIntentMarket();
  market.start();
});
afterAll(async () => {
  await market?.close();
  home.remove();
});

const holdings = async (maker: `0x${string}`) => ({
  WETH: await market.floor.balance('WETH', maker),
  USDC: await market.floor.balance('USDC', maker),
  nonce: await market.floor.chain.client.getTransactionCount({ address: maker }),
});

test(`kill -9 in the middle of hedges, ${KILLS} times: each position is right, and nothing is sent twice`, async () => {
  const desk = await openHedgingDesk(market, home);
  const { maker } = desk;
  await desk.close();
  const before = await holdings(maker);
  const args = [home.folder, market.url, market.floor.owner.key, market.token('WETH'), market.token('USDC')];
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = await startChild('hedge-process.ts', [...args, 'place']);
    // At times before both are opened.
    if (kill % 5 !== 0) await child.line((line) => line === 'placed');
    await sleep(Math.random() * WITHIN_MS);
    await child.kill();
  }
  const last = await startChild('hedge-process.ts', [...args, 'finish']);
  await last.line((line) => line === 'done');
  await last.kill();

  const journal = await openJournal({ folder: home.folder, now: Date.now });
  const hedges = await journal.read.hedges({ limit: 10_000 });
  const positions = await journal.read.positions(null, Date.now());
  await journal.close();
  const after = await holdings(maker);

  expect(hedges.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  const sum = (which: 'spent' | 'received') => hedges.reduce((total, hedge) => total + BigInt(hedge[which]), 0n);
  expect(after.WETH - before.WETH, 'what the chain says was spent').toBe(-sum('spent'));
  expect(after.USDC - before.USDC, 'what the chain says was received').toBe(sum('received'));
  const net = (symbol: string) => BigInt(positions.find(({ token }) => token.symbol === symbol)?.net ?? 0);
  expect([net('WETH'), net('USDC')]).toEqual([after.WETH - before.WETH, after.USDC - before.USDC]);

  const own = hedges.flatMap(({ transactions }) => transactions.filter(({ nonce }) => nonce !== null));
  expect(own.every(({ outcome }) => outcome === 'confirmed')).toBe(true);
  expect(new Set(own.map(({ nonce }) => nonce)).size, 'each nonce once').toBe(own.length);
  expect(after.nonce - before.nonce, 'transactions of the maker on chain').toBe(own.length);
  for (const { transactions } of hedges) {
    expect(transactions.filter(({ purpose }) => purpose === 'swap').length).toBeLessThanOrEqual(1);
  }
  const { rows, total } = market.store.list({ owner: maker, limit: 1_000, offset: 0 });
  const signed = new Set(hedges.flatMap(({ orderHash, orderId }) => (orderId === null ? [] : [orderHash])));
  expect(total, 'orders at the service').toBe(signed.size);
  expect(new Set(rows.map(({ orderHash }) => orderHash))).toEqual(signed);

  // Enough of them ended, and enough were interrupted, for this to say something.
  const done = hedges.filter(({ state }) => state === 'done').length;
  expect(done).toBeGreaterThan(0);
  expect(hedges.length).toBeGreaterThan(KILLS);
});
