import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import type { QuoteRow } from '../../electron/contract/quote-log.ts';
import { openJournal } from '../../electron/journal/journal.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { connectionTo } from '../desk/connection.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { runCommand, temporaryFolder } from '../desk/desk-process.ts';
import { type TakerClient, takerClient } from '../desk/taker-client.ts';
import { type FleetDesk, spawnInFleet } from './fleet-process.ts';
import { type Nats, noNats, startNats } from './nats.ts';

/** The same, ended with the test. */
export function startInFleet(folder: string, args: string[], environment?: Record<string, string>): FleetDesk {
  const desk = spawnInFleet(folder, args, environment);
  onTestFinished(async () => void (await desk.end('SIGKILL')));
  return desk;
}

/** A new folder with the key of another desk in it, and nothing else. */
export function folderWithKeyOf(folder: string): string {
  const own = temporaryFolder();
  onTestFinished(own.remove);
  copyFileSync(join(folder, 'keystore.json'), join(own.folder, 'keystore.json'));
  return own.folder;
}

const SMALL = String(10n ** 13n);

/**
 * Asks for small quotes over several connections until it is stopped; whoever answers nothing is asked again. Of each order it keeps
 * when it was asked for and when it came, monotonic milliseconds.
 */
export function askAllTheTime(surface: string, file: DeskFile, clients = 8) {
  const received: { signature: string; sentAt: number; at: number }[] = [];
  const client = takerClient(surface, file);
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      try {
        const { json, sentAt } = await client.firm('asks', { makerAmount: SMALL });
        if (json.order) received.push({ signature: String(json.order.signature), sentAt, at: performance.now() });
        else await new Promise((resolve) => setTimeout(resolve, 20));
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  };
  const asking = Promise.all(Array.from({ length: clients }, ask));
  return {
    received,
    async stop() {
      isOver = true;
      await asking;
    },
  };
}

/** Signatures of all quotes in the journal of a folder on which nobody runs. */
async function signaturesIn(folder: string): Promise<Set<string>> {
  const { stdout } = await runCommand(folder, ['log']);
  const rows: QuoteRow[] = JSON.parse(stdout);
  const journal = await openJournal({ folder, now: Date.now });
  try {
    const signed = rows.filter((row) => row.orderHash !== null);
    const details = await Promise.all(signed.map((row) => journal.read.quote(row.seq)));
    return new Set(details.map((detail) => String(detail?.signature)));
  } finally {
    await journal.close();
  }
}

/** A chain, and the desk file of the desks on it. */
export interface FleetWorld {
  chain: TestChain;
  file: DeskFile;
}

/** A chain of its own for the tests of a file; what it returns gives it once it is there. */
export function fleetWorld(): () => FleetWorld {
  let world: FleetWorld | null = null;
  beforeAll(async () => {
    if (noNats !== null) return;
    const chain = await startTestChain({ blockTimeSeconds: 1 });
    world = { chain, file: deskFileFor(chain) };
  });
  afterAll(() => world?.chain.close());
  return () => world ?? expect.fail('the chain is not there yet');
}

export interface TwoDesks {
  nats: Nats;
  fleet: string;
  folders: { first: string; second: string };
  first: FleetDesk;
  second: FleetDesk;
  surface: string;
}

/** Waits until the grid is served; a desk that a slow machine has halted meanwhile is resumed. */
export async function serves(client: TakerClient, folder: string): Promise<void> {
  await expect
    .poll(async () => {
      const { status } = await client.get('/prices');
      if (status !== 200) await resumeWhereHalted(folder);
      return status;
    })
    .toBe(200);
}

/**
 * A desk that trades in a fleet, and a standby that follows it, each in a folder of its own. `standby`: what it is started with beside
 * that. `isKept`: the desk is kept LIVE on a machine that is held up; not where the test itself takes the fleet from it.
 */
export async function twoDesks(
  { chain, file }: FleetWorld,
  { standby = [], isKept = true }: { standby?: string[]; isKept?: boolean } = {},
): Promise<TwoDesks> {
  const nats = await startNats();
  onTestFinished(() => nats.close());
  const fleet = `nats://127.0.0.1:${nats.port}/desk`;
  const own = await armedFolder(chain, file);
  onTestFinished(own.remove);
  const folders = { first: own.folder, second: folderWithKeyOf(own.folder) };
  const first = startInFleet(folders.first, ['serve', '--fleet', fleet, '--name', 'first']);
  const { surface } = await first.ready();
  const second = startInFleet(folders.second, ['standby', '--fleet', fleet, '--name', 'second', ...standby]);
  await second.said((line) => line.standby === true);
  const client = takerClient(surface, file);
  await serves(client, folders.first);
  if (isKept) await keepsLive(folders.first);
  return { nats, fleet, folders, first, second, surface };
}

/** Resumes the desk of a folder, keeps it LIVE from there on and takes one quote of it. */
export async function tradesNow(folder: string, file: DeskFile, desk: FleetDesk): Promise<void> {
  const { surface } = await desk.ready();
  await expect
    .poll(async () => (await runCommand(folder, ['resume', '--reason', 'taken over'])).code, { interval: 500 })
    .toBe(0);
  await keepsLive(folder);
  const client = takerClient(surface, file);
  await expect.poll(async () => (await client.firm('asks', { makerAmount: SMALL })).status).toBe(200);
}

/**
 * Resumes the desk that runs on a folder, until it ends or the test does, where it has halted because it was alone for a moment, as it
 * is to on a machine that is held up for longer than a lease; and from no other stop.
 */
export async function keepsLive(folder: string): Promise<void> {
  const { desk, isOpen, close } = await connectionTo(folder, 'keeper');
  let isOver = false;
  onTestFinished(async () => {
    isOver = true;
    await close();
  });
  const look = async () => {
    const seen = await desk.trading.stopsAround({ scope: {} });
    if (!seen.some(({ state, reason }) => state === 'HALTED' && reason?.startsWith('The fleet server '))) return;
    // As long as it is alone, or where another stop has come meanwhile, it is refused.
    await desk.trading.resume({ scope: {}, reason: 'it was alone for a moment', seen });
  };
  void (async () => {
    for (; !isOver && isOpen(); await sleep(250)) await look().catch(() => {});
  })();
}

/** The state of the desk of a folder, as its command line says it. */
export async function stateOf(folder: string): Promise<string> {
  const { stdout } = await runCommand(folder, ['status', '--json']);
  return JSON.parse(stdout).state;
}

/** A machine that is held up for longer than a lease halts its desk, as it is to: then somebody resumes it. */
export async function resumeWhereHalted(folder: string): Promise<void> {
  if ((await stateOf(folder)) !== 'HALTED') return;
  await runCommand(folder, ['resume', '--reason', 'it was alone for a moment']);
}

/** Every order that a client has is in the journal of the desk that trades now, and its chain of hashes holds. */
export async function nothingIsLost(folder: string, received: readonly { signature: string }[]): Promise<void> {
  const verified = await runCommand(folder, ['verify']);
  expect(verified.code, verified.stdout + verified.stderr).toBe(0);
  const known = await signaturesIn(folder);
  expect(received.filter(({ signature }) => !known.has(signature))).toEqual([]);
}

/** What `makerdesk fleet status` says. */
export const fleetStatus = async (fleet: string) => {
  const { stdout } = await runCommand(null, ['fleet', 'status', '--json', '--fleet', fleet]);
  return JSON.parse(stdout);
};
