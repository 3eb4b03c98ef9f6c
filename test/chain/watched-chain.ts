import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChainView } from '../../electron/chain/chain-view.ts';
import {
  type ChainReset,
  type ChainWatcher,
  openChainWatcher,
  type WatcherOptions,
} from '../../electron/chain/chain-watcher.ts';
import type { OrderEvent } from '../../electron/chain/order-ledger.ts';
import { chainConfigSchema } from '../../electron/contract/desk-file.ts';
import { type Journal, openJournal } from '../../electron/journal/journal.ts';
import type { Deployment } from '../../electron/practice/chain/deployment.ts';
import type { Address } from '../../electron/protocol/address.ts';

/** A journal in a folder of its own. */
export async function testJournal(): Promise<Journal & { folder: string; dispose(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-chain-'));
  const journal = await openJournal({ folder, now: Date.now });
  return Object.assign(journal, {
    folder,
    async dispose() {
      await journal.close();
      rmSync(folder, { recursive: true, force: true });
    },
  });
}

export type Watched = ChainWatcher & {
  events: OrderEvent[];
  views: ChainView[];
  resets: ChainReset[];
  losses: string[];
  lines: string[];
  /** Resolves with the first view, from the present one on, of which this holds. */
  until(holds: (view: ChainView) => boolean): Promise<ChainView>;
  /** Resolves with a view of this block or a later one. */
  reached(block: { number: number; hash: string }): Promise<ChainView>;
};

type Where = Pick<Deployment, 'rfqContract'> & {
  weth: Address;
  usdc: Address;
  rpcUrl: string;
  maker: Address;
  chainId?: number;
  intentContract?: Address;
};

/** A watcher with short intervals that is not started yet and keeps what it tells. */
export function watch(journal: Journal, where: Where, options: Partial<WatcherOptions> = {}): Watched {
  const lines: string[] = [];
  const resets: ChainReset[] = [];
  const losses: string[] = [];
  const log = (line: string) => void lines.push(line);
  const watcher = openChainWatcher({
    config: chainConfigSchema.parse({
      chainId: where.chainId ?? 31337,
      name: 'Test',
      basePath: '/test',
      rpcUrl: where.rpcUrl,
      rfqContract: where.rfqContract,
      intentContract: where.intentContract,
      domainName: 'TEST RFQ',
      maker: where.maker,
      signer: where.maker,
    }),
    tokens: () => [where.weth, where.usdc],
    journal,
    now: Date.now,
    log: { info: log, warn: log, error: log },
    isBegunAnew: () => false,
    onChainLost: (sentence) => void losses.push(sentence),
    onChainReset: (reset) => void resets.push(reset),
    pollIntervalMs: 10,
    retryMaxMs: 100,
    timeoutMs: 30_000,
    ...options,
  });
  const events: OrderEvent[] = [];
  const views: ChainView[] = [];
  watcher.onOrderEvent((event) => events.push(event));
  watcher.onView((view) => views.push(view));
  const until = (holds: (view: ChainView) => boolean) =>
    new Promise<ChainView>((resolve) => {
      if (holds(watcher.view())) return resolve(watcher.view());
      const leave = watcher.onView((view) => {
        if (!holds(view)) return;
        leave();
        resolve(view);
      });
    });
  const reached = ({ number, hash }: { number: number; hash: string }) =>
    until(({ block }) => block !== null && (block.hash === hash || block.number > number));
  return Object.assign(watcher, { events, views, resets, losses, lines, until, reached });
}
