import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type IntentRow, openIntentStore } from '../../../electron/practice/intents/intent-store.ts';
import { notesOf } from '../../../electron/practice/intents/settle/relay.ts';
import { ENDED_STATUSES } from '../../../electron/protocol/intent-order-record.ts';
import { type Market, type MarketOwner, openMarketOwner } from './market-owner.ts';

const AMOUNT = 1_000n * 10n ** 6n;

let folder: string;
let child: ChildProcess;
let market: Market;
let owner: MarketOwner;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'killed-market-'));
  await open();
  owner = openMarketOwner(() => market);
});
afterEach(async () => {
  await kill();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the market of the folder in a process of its own. */
async function open(): Promise<void> {
  const script = new URL('../market-in-a-process.ts', import.meta.url).pathname;
  child = spawn(process.execPath, [script, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.stdout === null) throw new Error('no output');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  market = JSON.parse(line);
}

async function kill(): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const INSTANTS: [string, (row: IntentRow) => boolean][] = [
  ['in the middle of the auction', ({ auctionStartedAt }) => auctionStartedAt !== null],
  ['with a fill on its way', (row) => notesOf(row).attempt !== null],
  ['once it is decided where it goes', (row) => notesOf(row).crossing?.decided === 'release'],
];

/** Whether the order was seen at this instant: a slow machine may look only when it is over. */
async function isSeen(id: string, isThen: (row: IntentRow) => boolean): Promise<boolean> {
  const store = openIntentStore({ file: join(folder, 'intents.db'), now: Date.now });
  try {
    return await vi.waitFor(
      () => {
        const row = store.byId(id) as IntentRow;
        const isSo = isThen(row);
        expect(isSo || ENDED_STATUSES.has(row.status), row.status).toBe(true);
        return isSo;
      },
      { interval: 2 },
    );
  } finally {
    store.close();
  }
}

test('an order is settled once, to the last unit, whenever the market is killed (kill -9) and begins again', async () => {
  for (const [when, isThen] of INSTANTS) {
    const [src = '0x', dest = '0x'] = [
      market.chains[0]?.addresses.tokens.USDC,
      market.chains[1]?.addresses.tokens.WETH,
    ];
    const across = { srcToken: src, srcDecimals: 6, destToken: dest, destDecimals: 18, destChainId: 31338 };
    let id: string;
    let before: bigint;
    for (;;) {
      await owner.gets(src, AMOUNT);
      before = await owner.has(dest, 1);
      id = await owner.submit(await owner.route({ ...across, amount: `${AMOUNT}` }));
      if (await isSeen(id, isThen)) break;
      await owner.reaches(id, 'COMPLETED');
    }
    await kill();
    await open();
    const { transactions, output } = await owner.reaches(id, 'COMPLETED');
    await vi.waitFor(async () => expect(await owner.has(dest, 1), when).toBeGreaterThan(before));
    const moved = [await owner.has(src), `${(await owner.has(dest, 1)) - before}`, transactions.length];
    expect(moved, when).toEqual([0n, output.executedAmount, 1]);
  }
});
