import { z } from 'zod';
import type { Address, Hex } from '../../../protocol/address.ts';
import { rawAmountSchema } from '../../../protocol/amount.ts';
import type { SwapSide } from '../../../protocol/market-wire.ts';
import { hash32Schema } from '../../../protocol/order-record.ts';
import type { Wallet } from '../../chain/wallet.ts';
import type { PracticeLog } from '../../practice-log.ts';
import type { IntentPatch, IntentRow, IntentStore } from '../intent-store.ts';
import type { SignedIntent } from '../kinds/signed-intent.ts';
import type { IntentChain } from './intent-chain.ts';

/** Who fills orders out of their own stock. */
export interface Solver {
  name: string;
  key: Hex;
  /** By how much they are worse than the price, hundredths of a percent. */
  spreadBps: number;
  /** Of an order that may be filled in parts they take at most so much at once, percent; all of it unless given. */
  mostPercent?: number;
}

/** Both tokens on one chain; `amount` raw units of the side that is exact. `bridge` is null for an order of one chain. */
export interface PriceAsk {
  chainId: number;
  side: SwapSide;
  amount: bigint;
  srcToken: Address;
  destToken: Address;
  bridge: SignedIntent['bridge'] | null;
}

export interface RelayerTiming {
  /** Bids are taken for so long. */
  auctionMs: number;
  /** After an auction without a bid the next one begins so much later. */
  retryMs: number;
  pollMs: number;
  /** What is in the bridge arrives no sooner, and is paid back when the bridge was down for longer than `patienceMs`. */
  bridgeMs: number;
  patienceMs: number;
}

export interface RelayerOptions {
  chains: readonly IntentChain[];
  store: IntentStore;
  /** Cancels, parks, and works the bridge. */
  operatorKey: Hex;
  solvers: readonly Solver[];
  /** The other amount that the market gives or asks for, before spreads; null while nobody knows. */
  price(ask: PriceAsk): Promise<bigint | null>;
  /** Looked at whenever it matters: while the bridge is down nothing arrives. */
  bridgeDown: { on: boolean };
  timing: RelayerTiming;
  /** Unix milliseconds. */
  now: () => number;
  pause: (ms: number, signal: AbortSignal) => Promise<void>;
  log: PracticeLog;
}

/** What every step of an order has at hand. */
export interface Relay extends RelayerOptions {
  signal: AbortSignal;
  /** The account of the relayer or a solver on a chain. */
  wallet(key: Hex, chain: IntentChain): Wallet;
}

/** The row is no longer what a step was begun for: it is looked at anew. */
export class Superseded extends Error {}

/** Changes an order unless somebody else took it on meanwhile, to another status or by a fill. @throws Superseded */
export function moveOn(
  { store, log }: Pick<Relay, 'store' | 'log'>,
  { id, status, transactions }: Pick<IntentRow, 'id' | 'status' | 'transactions'>,
  patch: (now: IntentRow) => IntentPatch,
): IntentRow {
  const current = store.byId(id);
  if (current?.status !== status || current.transactions.length !== transactions.length)
    throw new Superseded(`order ${id} is ${current?.status ?? 'gone'}`);
  const row = store.update(id, patch(current));
  if (row.status !== status) log.info(`intent ${id}: ${row.status}`);
  return row;
}

export function chainOf({ chains }: Pick<Relay, 'chains'>, chainId: number): IntentChain {
  const found = chains.find(({ chain }) => chain.chainId === chainId);
  if (found === undefined) throw new Error(`no intents are settled on chain ${chainId}`);
  return found;
}

const rawTransactionSchema = z
  .string()
  .regex(/^0x[0-9a-f]+$/)
  .transform((text) => text as Hex);

/** A transaction that was signed, whether or not it was sent: kept before it goes out, so that no other takes its place. */
const attemptSchema = z.object({
  chainId: z.int().positive(),
  hash: hash32Schema,
  raw: rawTransactionSchema,
});
export type Attempt = z.infer<typeof attemptSchema>;

/** What lies in the bridge of one fill, raw units. */
const crossingSchema = z.object({
  id: hash32Schema,
  /** As much as arrives at the other end. */
  output: rawAmountSchema,
  /** Unix milliseconds. */
  since: z.int(),
  /** Once it is decided which way the tokens go, they never go the other way. */
  decided: z.enum(['release', 'refund']).nullable(),
  /** Which of the order's fills; the last one unless said. */
  fill: z.int().nonnegative().nullable().default(null),
});
export type Crossing = z.infer<typeof crossingSchema>;

const notesSchema = z.object({
  attempt: attemptSchema.nullable().default(null),
  crossing: crossingSchema.nullable().default(null),
  /** How often a fill could not be made, in a row. */
  failures: z.int().default(0),
  /** How the order ends once its input is out of its strategy. */
  ending: z.enum(['EXPIRED', 'FAILED']).nullable().default(null),
  /** The height of the order's chains when it had ended, by chain ID: see `watchEnded`. */
  endedAt: z.record(z.string(), z.int()).nullable().default(null),
  /** No reorganisation reaches back to its end any more. */
  final: z.boolean().default(false),
});
export type RelayNotes = z.infer<typeof notesSchema>;

/** What the relayer has noted with an order. */
export function notesOf({ bridgeState }: Pick<IntentRow, 'bridgeState'>): RelayNotes {
  return notesSchema.parse(bridgeState ?? {});
}

/** The patch that changes some of the notes and keeps the others. */
export function withNotes(row: Pick<IntentRow, 'bridgeState'>, changes: Partial<RelayNotes>) {
  return { bridgeState: { ...notesOf(row), ...changes } };
}
