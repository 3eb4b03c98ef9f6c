import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { haltCommand, type RunningDesk, runCommand, startDesk } from '../desk/desk-process.ts';
import { takerClient } from '../desk/taker-client.ts';
import { howOften } from '../how-often.ts';

const KILLS = howOften(1, 5, 'MAKERDESK_KILLS');
const CLIENTS = 16;
const SMALL = String(10n ** 13n);

let chain: TestChain;
let file: DeskFile;
let folder: { folder: string; remove(): void };
let desk: RunningDesk | null = null;

beforeAll(async () => {
  chain = await startTestChain({ blockTimeSeconds: 1 });
  file = deskFileFor(chain);
  folder = await armedFolder(chain, file);
});
afterAll(async () => {
  await desk?.stop();
  folder?.remove();
  await chain?.close();
});

/** Asks for quotes over several connections until the desk dies, and adds the signature of each order that arrived whole. */
async function loadUntilDeath(running: RunningDesk, received: string[]): Promise<void> {
  const client = takerClient(running.ready.surface, file);
  const ask = async () => {
    for (;;) {
      const { json } = await client.firm('asks', { makerAmount: SMALL });
      if (json.order) received.push(String(json.order.signature));
    }
  };
  await Promise.allSettled(Array.from({ length: CLIENTS }, ask));
}

test(`every order a client received is in the journal after kill -9, ${KILLS} times, and the chain of hashes holds`, async () => {
  const received: string[] = [];
  for (let kill = 0; kill < KILLS; kill += 1) {
    desk = await startDesk(folder.folder, 'serve');
    const client = takerClient(desk.ready.surface, file);
    await expect.poll(async () => (await client.get('/prices')).status).toBe(200);
    const before = received.length;
    const loading = loadUntilDeath(desk, received);
    await expect.poll(() => received.length, { message: 'orders arrive before the kill' }).toBeGreaterThan(before);
    await sleep(Math.random() * 800);
    await desk.kill();
    await loading;
    const verified = await runCommand(folder.folder, ['verify']);
    expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  }
  desk = null;
  const known = new Set(await journaledSignatures(folder.folder));
  expect(received.filter((signature) => !known.has(signature))).toEqual([]);
});

test('a halted desk comes back halted after kill -9', async () => {
  desk = await startDesk(folder.folder, 'serve');
  const halted = await haltCommand(folder.folder, ['--reason', 'before the crash']);
  expect(halted.code, halted.stderr).toBe(0);
  await desk.kill();
  desk = await startDesk(folder.folder, 'serve');
  const client = takerClient(desk.ready.surface, file);
  await sleep(1_500);
  expect((await client.get('/prices')).status).toBe(503);
  expect(await client.firm('asks', { makerAmount: SMALL })).toMatchObject({ status: 503, json: { code: 'halted' } });
  const { stdout } = await runCommand(folder.folder, ['status', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'HALTED', reason: 'before the crash' });
});

/** Signatures of all rows, read through the desk's own rooms with nobody running. */
async function journaledSignatures(path: string): Promise<string[]> {
  const { openJournal } = await import('../../electron/journal/journal.ts');
  const { stdout } = await runCommand(path, ['log']);
  const rows: QuoteRow[] = JSON.parse(stdout);
  const journal = await openJournal({ folder: path, now: Date.now });
  try {
    const details = await Promise.all(
      rows.filter((row) => row.orderHash !== null).map((row) => journal.read.quote(row.seq)),
    );
    return details.map((detail) => String(detail?.signature));
  } finally {
    await journal.close();
  }
}
