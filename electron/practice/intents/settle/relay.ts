import { keccak256, type PublicClient } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Address, Hex } from '../../../protocol/address.ts';
import type { SwapSide } from '../../../protocol/market-wire.ts';
import { SerialQueue } from '../../../protocol/serial-queue.ts';
import type { PracticeLog } from '../../practice-log.ts';
import type { IntentRow } from '../intent-row.ts';
import type { IntentPatch, IntentStore } from '../intent-store.ts';
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
  wallet(key: Hex, chain: IntentChain): RelayWallet;
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

/** Fixed, so that a transaction is one request. The practice chain asks for about 1 gwei. */
const FEES = { maxFeePerGas: 100_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
const GAS = 1_500_000n;

export interface RelayWallet {
  address: Address;
  /** Signs with the next nonce, has it kept, and only then hands it to the node; one after another. */
  send(call: { to: Address; data: Hex }, keep: (signed: { hash: Hex; raw: Hex }) => void): Promise<void>;
}

/** An account of the relayer or a solver on one chain. */
export function openRelayWallet(options: { client: PublicClient; chainId: number; key: Hex }): RelayWallet {
  const { client, chainId, key } = options;
  const account = privateKeyToAccount(key);
  const address = account.address.toLowerCase() as Address;
  const queue = new SerialQueue();
  return {
    address,
    send({ to, data }, keep) {
      return queue.run(async () => {
        const nonce = await client.getTransactionCount({ address, blockTag: 'pending' });
        const raw = await account.signTransaction({
          type: 'eip1559',
          chainId,
          nonce,
          to,
          data,
          gas: GAS,
          ...FEES,
        });
        keep({ hash: keccak256(raw), raw });
        await client.sendRawTransaction({ serializedTransaction: raw });
      });
    },
  };
}
