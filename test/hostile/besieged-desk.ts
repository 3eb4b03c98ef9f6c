import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { startTestChain, type TestChain } from '../chain-fixture.ts';
import { armedFolder, deskFileFor } from '../desk/desk-on-chain.ts';
import { type RunningDesk, startDesk } from '../desk/desk-process.ts';
import { type Answer, type TakerClient, takerClient } from '../desk/taker-client.ts';
import type { Door } from './hostile-hands.ts';

/** What every quote here is asked for, raw units of the base token. */
export const SMALL = { makerAmount: '1000000000000' };

/** A desk that is LIVE in a process of its own, its doors, and a client that it knows. */
export interface BesiegedDesk {
  readonly folder: string;
  readonly file: DeskFile;
  readonly chain: TestChain;
  readonly desk: RunningDesk;
  readonly client: TakerClient;
  readonly doors: Door[];
  /** Ends the desk as an operator does, and begins it anew in the same folder. */
  stop(): Promise<void>;
  restart(): Promise<RunningDesk>;
  /** A request for a quote, to the desk as it runs now. */
  quote(running: RunningDesk): Promise<Answer>;
  close(): Promise<void>;
}

/** Opens one and waits until it quotes. */
export async function openBesiegedDesk(program?: string[]): Promise<BesiegedDesk> {
  const chain = await startTestChain({ blockTimeSeconds: 1 });
  const file = deskFileFor(chain);
  const { folder, remove } = await armedFolder(chain, file);
  const start = () => startDesk(folder, 'serve', [], program);
  let desk = await start();
  const client = takerClient(desk.ready.surface, file);
  const late = AbortSignal.timeout(120_000);
  while ((await client.get('/prices')).status !== 200) await pause(50, null, { signal: late });
  return {
    folder,
    file,
    chain,
    desk,
    client,
    doors: doorsOf(desk, client, folder, file),
    stop: async () => void (await desk.stop()),
    quote: (running) => takerClient(running.ready.surface, file).firm('asks', SMALL),
    restart: async () => {
      desk = await start();
      return desk;
    },
    close: async () => {
      await desk.stop();
      await chain.close();
      remove();
    },
  };
}

function doorsOf(desk: RunningDesk, client: TakerClient, folder: string, file: DeskFile): Door[] {
  const loopback = (url: string) => ({ host: '127.0.0.1', port: Number(new URL(url).port) });
  const token = new URL(desk.ready.console).hash.slice(1);
  return [
    {
      name: 'surface',
      at: loopback(desk.ready.surface),
      handshake: () => ({ path: `${file.chains[0]?.basePath}/ws`, headers: client.signed('/ws') }),
    },
    {
      name: 'console',
      at: loopback(desk.ready.console),
      handshake: () => ({ path: `/rpc?token=${token}`, headers: {} }),
    },
    {
      name: 'desk.sock',
      at: { path: join(folder, 'desk.sock') },
      handshake: () => ({ path: '/rpc?actor=test', headers: {} }),
    },
  ];
}

/** Asks for quotes one after another until `over`; gives the statuses of those that brought no order. */
export async function quotesUntil(
  client: TakerClient,
  over: Promise<unknown>,
): Promise<{ orders: number; others: number[] }> {
  let done = false;
  const ended = over.finally(() => {
    done = true;
  });
  const others: number[] = [];
  let orders = 0;
  while (!done) {
    const answer = await client.firm('asks', SMALL).catch(() => null);
    if (answer?.json.order !== undefined) orders += 1;
    else others.push(answer?.status ?? 0);
    if (others.length > 20) break;
  }
  await ended;
  return { orders, others };
}
