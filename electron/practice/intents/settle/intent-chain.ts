import { encodeAbiParameters, keccak256, type PublicClient, parseAbi, parseAbiParameters } from 'viem';
import { z } from 'zod';
import { type Address, addressSchema, type Hex } from '../../../protocol/address.ts';
import { INTENT_BRIDGE_ESCROW, INTENT_SETTLEMENT } from '../../chain/artifacts.ts';
import { allowanceOf, balanceOf } from '../../chain/read-amount.ts';
import type { PracticeChain } from '../../practice-chain.ts';
import type { FillState } from './fill-part.ts';

/** Where the intent side's contracts are on one chain. */
export const intentAddressesSchema = z.object({
  /** The intent contract: what owners approve and sign for. */
  intents: addressSchema,
  /** This chain's end of the bridge. */
  escrow: addressSchema,
  /** A handler for external orders: it divides the output by `Share[]` in their `data`. */
  handler: addressSchema,
  /** A strategy for productive orders: it pays interest by the second. */
  strategy: addressSchema,
});
export type IntentAddresses = z.infer<typeof intentAddressesSchema>;

/** One chain as the relayer sees it. */
export interface IntentChain {
  chain: Pick<PracticeChain, 'chainId' | 'name' | 'client'>;
  addresses: IntentAddresses;
}

/** What the intent contract knows of an order. */
export interface OrderState extends FillState {
  /** Unix seconds; 0 before the first fill. */
  lastFillAt: number;
  cancelled: boolean;
  /** Whether its input lies in its strategy. */
  parked: boolean;
}

const stateSchema = z
  .tuple([z.bigint(), z.bigint(), z.bigint(), z.boolean(), z.boolean()])
  .transform(([filled, fills, lastFillAt, cancelled, parked]): OrderState => {
    return { filled, fills: Number(fills), lastFillAt: Number(lastFillAt), cancelled, parked };
  });

export async function readState({ chain, addresses }: IntentChain, orderHash: Hex): Promise<OrderState> {
  return stateSchema.parse(await readIntents(chain.client, addresses.intents, 'states', [orderHash]));
}

/** Whether the owner's signature binds them now: their key's, their contract's, or one given on chain. */
export async function isSigned(
  { chain, addresses }: IntentChain,
  order: { owner: Address; orderHash: Hex; signature: Hex },
): Promise<boolean> {
  const { owner, orderHash, signature } = order;
  const args = [owner, orderHash, signature];
  return z.boolean().parse(await readIntents(chain.client, addresses.intents, 'isSigned', args));
}

/** What the escrow knows of a lock: whether it was paid at this end, or went back to its owner from here. */
export async function readLock(
  { chain: { client }, addresses: { escrow: address } }: IntentChain,
  id: Hex,
): Promise<{ released: boolean; refunded: boolean }> {
  const read = (functionName: string) =>
    client.readContract({ address, abi: INTENT_BRIDGE_ESCROW.abi, functionName, args: [id] });
  const [released, lock] = await Promise.all([read('released'), read('locks')]);
  return { released: z.boolean().parse(released), refunded: z.array(z.unknown()).parse(lock)[3] === true };
}

/** As the escrow names what it takes in of a fill. */
export function lockId({ chain, addresses }: IntentChain, orderHash: Hex, fill: number): Hex {
  const parts = parseAbiParameters('uint256, address, bytes32, uint256');
  return keccak256(encodeAbiParameters(parts, [BigInt(chain.chainId), addresses.intents, orderHash, BigInt(fill)]));
}

function readIntents(client: PublicClient, address: Address, functionName: string, args: readonly unknown[]) {
  return client.readContract({ address, abi: INTENT_SETTLEMENT.abi, functionName, args });
}

/** What an owner has of a token and lets the intent contract take, raw units. */
export async function readFunds(
  { chain, addresses }: IntentChain,
  { owner, srcToken }: { owner: Address; srcToken: Address },
): Promise<{ balance: bigint; allowance: bigint }> {
  const [balance, allowance] = await Promise.all([
    balanceOf(chain.client, srcToken, owner),
    allowanceOf(chain.client, srcToken, owner, addresses.intents),
  ]);
  return { balance, allowance };
}

/** The contract that moves tokens for Permit2 payloads. */
export async function permit2Of({ chain, addresses }: IntentChain): Promise<Address> {
  return addressSchema.parse(await readIntents(chain.client, addresses.intents, 'permit2', []));
}

/** The ERC-20 form of the native asset, which solvers give for it. */
export async function wrappedOf({ chain, addresses }: IntentChain): Promise<Address> {
  return addressSchema.parse(await readIntents(chain.client, addresses.intents, 'wrapped', []));
}

/** The latest block's time in Unix seconds. */
export async function chainSeconds({ chain }: IntentChain): Promise<number> {
  return Number((await chain.client.getBlock()).timestamp);
}

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
