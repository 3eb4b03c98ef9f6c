import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import {
  type IntentRow,
  type IntentStore,
  openIntentStore,
} from '../../../../electron/practice/intents/intent-store.ts';
import { signedIntent } from '../../../../electron/practice/intents/kinds/kinds.ts';
import type { PriceAsk, RelayerOptions, Solver } from '../../../../electron/practice/intents/settle/relay.ts';
import { openRelayer, type Relayer } from '../../../../electron/practice/intents/settle/relayer.ts';
import { newRow } from '../../../../electron/practice/intents/submit-order.ts';
import { intentSubmitBodySchema } from '../../../../electron/protocol/intent-build.ts';
import { pause } from '../../../../electron/time/pause.ts';
import { collectLog } from '../../collected-log.ts';
import { DOLLAR, ETHER, type IntentFloor, OPERATOR_KEY, type Signed, SOLVER_KEYS } from './intent-floor.ts';

/** What a WETH is worth to the solvers. */
export const PRICE = 3_100n * DOLLAR;

const SOLVERS: Solver[] = [
  { name: 'steady', key: SOLVER_KEYS.steady, spreadBps: 10 },
  { name: 'swift', key: SOLVER_KEYS.swift, spreadBps: 0 },
  { name: 'patient', key: SOLVER_KEYS.patient, spreadBps: 20 },
];
/** Told from other pauses by its length. */
const AUCTION_MS = 7;
const TIMING = { auctionMs: AUCTION_MS, retryMs: 10, pollMs: 5, bridgeMs: 0, patienceMs: 0 };

export interface RelayFloor {
  store: IntentStore;
  relayer: Relayer;
  bridgeDown: { on: boolean };
  /** What solvers are told; null while nobody knows. Raw dollars for a WETH. */
  price: { now: bigint | null };
  /** While it is closed auctions do not end. */
  auctions: { open: boolean };
  lines: string[];
  submit(order: Signed, options?: { status?: 'AWAITING_SIGNATURE'; chainId?: number }): IntentRow;
  row(id: string): IntentRow;
  /** Waits until the order is so. */
  reaches(id: string, status: IntentRow['status']): Promise<IntentRow>;
  /** The statuses that an order had, one after another. */
  life(id: string): string[];
  /** Opens another relayer on the same file, which ends with this one. */
  beside(): void;
  /** Ends the relayer and opens the next one on the same file. */
  restart(changes?: (store: IntentStore) => Partial<RelayerOptions>): Promise<void>;
  close(): Promise<void>;
}

export function openRelayFloor(floors: readonly IntentFloor[], changes: Partial<RelayerOptions> = {}): RelayFloor {
  const folder = mkdtempSync(join(tmpdir(), 'makerdesk-relay-'));
  const file = join(folder, 'intents.db');
  const log = collectLog();
  const [first] = floors;
  const floor: RelayFloor = {
    store: openIntentStore({ file, now: Date.now }),
    relayer: { start() {}, wake() {}, stop: async () => {} },
    bridgeDown: { on: false },
    price: { now: PRICE },
    auctions: { open: true },
    lines: log.lines,
    submit({ type, value, hash, signature }, { status, chainId = first?.chain.chainId ?? 0 } = {}) {
      const submitted = intentSubmitBodySchema.parse({ chainId, order: value, signature });
      const signed = { kind: type, order: value, intent: signedIntent(type, value), orderHash: hash };
      const row = floor.store.insert(newRow(submitted, signed, status ?? 'PENDING'));
      floor.relayer.wake();
      return row;
    },
    row(id) {
      const row = floor.store.byId(id);
      if (row === null) throw new Error(`no order ${id}`);
      return row;
    },
    async reaches(id, status) {
      await vi.waitFor(() => expect(floor.row(id).status, log.lines.join('\n')).toBe(status), { interval: 5 });
      return floor.row(id);
    },
    life: (id) => log.lines.flatMap((line) => /: ([A-Z]+(?:_[A-Z]+)?)$/.exec(line.includes(id) ? line : '')?.[1] ?? []),
    beside() {
      const store = openIntentStore({ file, now: Date.now });
      const other = begin(store, {});
      others.push(async () => {
        await other.stop();
        store.close();
      });
    },
    async restart(again = () => ({})) {
      await floor.relayer.stop();
      floor.store.close();
      floor.store = openIntentStore({ file, now: Date.now });
      start(again(floor.store));
    },
    async close() {
      for (const end of others) await end();
      await floor.relayer.stop();
      floor.store.close();
      rmSync(folder, { recursive: true });
    },
  };

  async function price({ side, amount, srcToken, destToken }: PriceAsk): Promise<bigint | null> {
    const { now } = floor.price;
    const isWeth = floors.some(({ token }) => token('WETH') === srcToken);
    if (now === null || !isWeth || srcToken === destToken) return now === null ? null : amount;
    return side === 'SELL' ? (amount * now) / ETHER : (amount * ETHER + now - 1n) / now;
  }

  const others: (() => Promise<void>)[] = [];
  const start = (more: Partial<RelayerOptions>) => {
    floor.relayer = begin(floor.store, more);
  };

  function begin(store: IntentStore, more: Partial<RelayerOptions>): Relayer {
    const relayer = openRelayer({
      chains: floors,
      store,
      operatorKey: OPERATOR_KEY,
      solvers: SOLVERS,
      price,
      bridgeDown: floor.bridgeDown,
      timing: TIMING,
      now: Date.now,
      log,
      async pause(ms, signal) {
        await pause(ms, signal);
        while (ms === AUCTION_MS && !floor.auctions.open && !signal.aborted) await pause(2, signal);
      },
      ...changes,
      ...more,
    });
    relayer.start();
    return relayer;
  }
  start({});
  return floor;
}
