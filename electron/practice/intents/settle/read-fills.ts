import { parseAbi } from 'viem';
import type { Hex } from '../../../protocol/address.ts';
import type { IntentChain } from './intent-chain.ts';

/** One fill as the chain tells it, raw units. */
export interface ChainFill {
  transactionHash: Hex;
  /** Fees included. */
  spent: bigint;
  /** By beneficiary, handler or bridge. */
  received: bigint;
  /** What the bridge took in; null for an order of one chain. `output` is what arrives at the other end. */
  lock: { id: Hex; output: bigint } | null;
}

const [FILLED, LOCKED, RELEASED, REFUNDED] = parseAbi([
  'event IntentFilled(bytes32 indexed orderHash, address indexed owner, uint256 fill, address solver, uint256 spent, uint256 received)',
  'event BridgeLocked(bytes32 indexed id, bytes32 indexed orderHash, address token, uint256 amount, uint256 output)',
  'event BridgeReleased(bytes32 indexed id, address token, address to, uint256 amount)',
  'event BridgeRefunded(bytes32 indexed id, address token, address owner, uint256 amount)',
]);
const EVER = { fromBlock: 0n, strict: true } as const;

/** The fills of an order by their number, from 0; a chain forgets the logs of old ones. */
export async function readFills({ chain, addresses }: IntentChain, orderHash: Hex): Promise<Map<number, ChainFill>> {
  const [fills, locks] = await Promise.all([
    chain.client.getLogs({ address: addresses.intents, event: FILLED, args: { orderHash }, ...EVER }),
    chain.client.getLogs({ address: addresses.escrow, event: LOCKED, args: { orderHash }, ...EVER }),
  ]);
  return new Map(
    fills.map(({ transactionHash, args: { fill, spent, received } }) => {
      const lock = locks.find((one) => one.transactionHash === transactionHash)?.args;
      const locked = lock === undefined ? null : { id: lock.id, output: lock.output };
      return [Number(fill), { transactionHash, spent, received, lock: locked }];
    }),
  );
}

/** What left the bridge at this end: for somebody, or back to the owner. */
export interface BridgeEnd {
  transactionHash: Hex;
  token: Hex;
  amount: bigint;
}

/** The payment of a lock at this end of the bridge; null while there is none. */
export async function readRelease({ chain, addresses }: IntentChain, id: Hex): Promise<BridgeEnd | null> {
  const [log] = await chain.client.getLogs({ address: addresses.escrow, event: RELEASED, args: { id }, ...EVER });
  return log === undefined ? null : { transactionHash: log.transactionHash, ...log.args };
}

/** The way back of a lock to its owner, by the receipt of its transaction; null while there is none. */
export async function readRefund({ chain, addresses }: IntentChain, id: Hex): Promise<BridgeEnd | null> {
  const [log] = await chain.client.getLogs({ address: addresses.escrow, event: REFUNDED, args: { id }, ...EVER });
  if (log === undefined) return null;
  const { status } = await chain.client.getTransactionReceipt({ hash: log.transactionHash });
  return status === 'success' ? { transactionHash: log.transactionHash, ...log.args } : null;
}
