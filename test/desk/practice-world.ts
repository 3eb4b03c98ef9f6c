import { parseEventLogs } from 'viem';
import { expect, vi } from 'vitest';
import type { DeskConnection } from '../../electron/commands/client.ts';
import type { ChainConfig } from '../../electron/contract/desk-file.ts';
import { readDeskFile } from '../../electron/contract/desk-file-text.ts';
import type { ExposureRow } from '../../electron/contract/desk-view.ts';
import type { PracticeState } from '../../electron/contract/practice.ts';
import type { FillRow } from '../../electron/contract/quote-log.ts';
import { SETTLEMENT } from '../../electron/practice/chain/artifacts.ts';
import { openClient } from '../../electron/practice/chain/sender.ts';
import { PATIENCE } from '../how-long.ts';
import { connectionTo } from './connection.ts';
import { type RunningDesk, startDesk, temporaryFolder } from './desk-process.ts';

/** A practice desk in a process of its own, and its controls. */
export interface PracticeWorld {
  folder: string;
  desk: RunningDesk;
  client: DeskConnection['desk'];
  /** The market as it was told last, by chain. */
  state(): PracticeState;
  service(chainId: number): PracticeState['service'][number];
  fault(name: string, on: boolean, depth?: number): Promise<void>;
  /** A chain as the desk file has it. */
  chainOf(chainId: number): Promise<ChainConfig>;
  /** How many fills stand on a chain. */
  fills(chainId: number): Promise<number>;
  chainFills(chainId: number): Promise<Pick<FillRow, 'transactionHash' | 'orderHash' | 'makerAmount'>[]>;
  /** The fills that the desk has of a chain, newest first, those a reorganisation took back included. */
  ledger(chainId: number): Promise<FillRow[]>;
  /** What is signed and still fillable, by token. */
  exposure(chainId: number): Promise<ExposureRow[]>;
  until(look: () => void | Promise<void>, timeoutMs?: number): Promise<void>;
  close(): Promise<void>;
}

export async function openPracticeWorld(args: string[] = []): Promise<PracticeWorld> {
  const { folder, remove } = temporaryFolder();
  const desk = await startDesk(folder, 'practice', args);
  const connection = await connectionTo(folder, 'test');
  const { desk: client } = connection;
  let told = await client.practice.speed({ asksPerSecond: Number(args[args.indexOf('--speed') + 1] || 0.4) });
  const chainOf: PracticeWorld['chainOf'] = async (chainId) => {
    const { chains } = await readDeskFile(await client.desk.export({}));
    const found = chains.find((chain) => chain.chainId === chainId);
    if (found === undefined) throw new Error(`no chain ${chainId}`);
    return found;
  };
  const chainFills: PracticeWorld['chainFills'] = async (chainId) => {
    const { rpcUrl, rfqContract } = await chainOf(chainId);
    const logs = await openClient(rpcUrl).getLogs({ address: rfqContract, fromBlock: 0n });
    return parseEventLogs({ abi: SETTLEMENT.abi, logs, eventName: 'OrderFilled' }).map(({ transactionHash, args }) => {
      const { orderHash, makerAmount } = args as unknown as { orderHash: string; makerAmount: bigint };
      return { transactionHash, orderHash, makerAmount: `${makerAmount}` };
    });
  };
  const ending = new AbortController();
  const watching = (async () => {
    for await (const state of await client.practice.watch(undefined, { signal: ending.signal })) told = state;
  })().catch(() => {});
  return {
    folder,
    desk,
    client,
    state: () => told,
    service(chainId) {
      const found = told.service.find((service) => service.chainId === chainId);
      if (found === undefined) throw new Error(`no service on ${chainId}`);
      return found;
    },
    async fault(name, on, depth) {
      const { faults } = await client.practice.fault({ name, on, depth });
      expect(faults.find((fault) => fault.name === name)).toMatchObject({ on: on && name !== 'reorg' });
    },
    chainOf,
    fills: async (chainId) => (await chainFills(chainId)).length,
    chainFills,
    async ledger(chainId) {
      const rows: FillRow[] = [];
      for (;;) {
        const last = rows.at(-1);
        const before = last === undefined ? undefined : { time: last.time, seq: last.seq };
        const page = await client.fills.list({
          chainId,
          since: 0,
          until: Number.MAX_SAFE_INTEGER,
          limit: 1_000,
          before,
        });
        rows.push(...page);
        if (page.length < 1_000) return rows;
      }
    },
    async exposure(chainId) {
      for await (const { exposure = [] } of await client.desk.watch()) {
        return exposure.filter((row) => row.chainId === chainId);
      }
      throw new Error('the desk says nothing');
    },
    until: async (look, timeoutMs = PATIENCE) => {
      await vi.waitFor(look, { timeout: timeoutMs, interval: 250 });
    },
    async close() {
      ending.abort();
      await watching;
      await connection.close();
      await desk.stop();
      remove();
    },
  };
}
