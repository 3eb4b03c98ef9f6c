import { encodeAbiParameters, keccak256, type PublicClient, parseAbiParameters } from 'viem';
import { z } from 'zod';
import { type Address, addressSchema, type Hex } from '../../../protocol/address.ts';
import { INTENT_BRIDGE_ESCROW, INTENT_SETTLEMENT } from '../../chain/artifacts.ts';
import { allowanceOf, balanceOf } from '../../chain/read-amount.ts';
import type { FillState } from './fill-part.ts';
import type { IntentChain } from './intent-chain.ts';

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
