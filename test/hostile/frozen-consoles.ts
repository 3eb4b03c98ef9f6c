import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { openFolderClient } from '../../electron/desk/folder-client.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { storeKey } from '../../electron/signer/keystore.ts';
import { PASSPHRASE, startDesk, temporaryFolder } from '../desk/desk-process.ts';
import { PATIENCE } from '../how-long.ts';
import { addressOf, deskFile, quote } from '../journal/sample-events.ts';
import { type BrowserConsole, browserConsole } from './browser-console.ts';

const PAIRS = 60;
const LEVELS = 20;
/** So many quotes make an export of some 20 MB. */
const QUOTES = 20_000;

export interface Frozen {
  /** Resident memory of the desk, MB: before anybody froze, and when the time was over. */
  before: number;
  after: number;
  /** How often the console that reads was told something while the others were frozen. */
  told: number;
}

/**
 * What a desk comes to weigh while consoles follow everything and read nothing, and exports are asked for and not read: all
 * pairs change some times a second, and one console reads as it should.
 */
export async function freezeConsoles(wanted: {
  consoles: number;
  exports: number;
  seconds: number;
  told: number;
}): Promise<Frozen> {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const rpcUrl = await deafAddress();
  await storeKey(folder, PASSPHRASE, `0x${randomBytes(32).toString('hex')}`, randomBytes, { scryptCost: 2 });
  const { desk: inFolder, close } = await openFolderClient(folder, 'mara', async () => PASSPHRASE);
  await inFolder.desk.import({ desk: movedFile(rpcUrl, 0) });
  await close();
  const journal = await openJournal({ folder, now: Date.now });
  const requestBody = JSON.stringify({ padding: 'as long as a request is'.repeat(12) });
  await Promise.all(Array.from({ length: QUOTES }, (_, n) => journal.append(quote(n, { requestBody }, Date.now()))));
  await journal.close();

  const running = await startDesk(folder, 'serve');
  onTestFinished(async () => void (await running.stop()));
  const opened: BrowserConsole[] = [];
  onTestFinished(() => {
    for (const { socket } of opened) socket.terminate();
  });
  const open = async () => {
    const console = await browserConsole(running.ready.console, 'mara');
    opened.push(console);
    return console;
  };
  const memory = () =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${running.ready.pid}/status`, 'utf8'))?.[1]) / 1_024;

  const reader = await open();
  let told = 0;
  const follow = async () => {
    for await (const _ of await reader.desk.desk.watch()) told += 1;
  };
  follow().catch(() => {}); // it ends with its socket
  let moves = 0;
  const moveFor = async (ms: number) => {
    for (const until = performance.now() + ms; performance.now() < until; moves += 1) {
      await reader.desk.desk.import({ desk: movedFile(rpcUrl, moves % 50) });
      await sleep(100);
    }
  };
  // What a desk at work weighs: it moved, and one export was read to its end.
  for await (const _ of await reader.desk.log.all({ filter: {} }));
  await moveFor(wanted.seconds * 1_000);
  const before = memory();
  told = 0;

  for (let made = 0; made < wanted.consoles; made += 1) freeze(await open(), 'everything');
  for (let made = 0; made < wanted.exports; made += 1) freeze(await open(), 'an export');
  await moveFor(wanted.seconds * 1_000);
  const after = memory();
  // Whoever reads is told more where a slow machine had no time for it.
  for (const until = performance.now() + PATIENCE; told <= wanted.told && performance.now() < until; )
    await moveFor(500);
  process.stderr.write(`before ${before.toFixed(0)} MB, after ${after.toFixed(0)} MB, told ${told}\n`);
  return { before, after, told };
}

/** Asks, and reads no answer. */
function freeze({ desk, socket }: BrowserConsole, what: 'everything' | 'an export'): void {
  const asked =
    what === 'an export'
      ? [desk.log.all({ filter: {} }), desk.desk.export({})]
      : [desk.desk.watch(), desk.log.watch(), desk.fills.watch(), desk.hedge.watch()];
  for (const answer of asked) answer.catch(() => {});
  socket.pause();
}

/** A desk file with other prices for each `number`. */
function movedFile(rpcUrl: string, number: number): DeskFile {
  const ids = Array.from({ length: PAIRS }, (_, index) => `T${index}`);
  const side = (direction: 1 | -1) =>
    Array.from({ length: LEVELS }, (_, level) => [(1_000 + number / 10 + direction * (1 + level)).toFixed(1), '2.5']);
  const token = (id: string) => ({ symbol: id, name: id, address: addressOf(id), decimals: 18, type: 'ERC20' });
  return {
    ...deskFile({
      rpcUrl,
      tokens: Object.fromEntries(['USDC', ...ids].map((id) => [id, token(id)])),
      pairs: Object.fromEntries(ids.map((id) => [`${id}/USDC`, { base: id, quote: 'USDC', liquidityUSD: 1_000 }])),
      prices: Object.fromEntries(ids.map((id) => [`${id}/USDC`, { bids: side(-1), asks: side(1) }])),
    }),
    counterparties: [],
  };
}

/** An address at which nothing listens. */
function deafAddress(): Promise<string> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(`http://127.0.0.1:${port}`));
    });
  });
}
