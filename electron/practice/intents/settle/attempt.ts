import { BaseError, ContractFunctionRevertedError, encodeFunctionData } from 'viem';
import type { Address, Hex } from '../../../protocol/address.ts';
import type { Artifact } from '../../chain/artifacts.ts';
import { unlessUnknown } from '../../chain/sender.ts';
import type { IntentRow } from '../intent-store.ts';
import type { IntentChain } from './intent-chain.ts';
import { type Attempt, chainOf, notesOf, type Relay, withNotes } from './relay.ts';

/** More than any call of an intent uses. */
const GAS = 1_500_000n;

/** A call that writes to a chain in the name of a key. */
export interface RelayCall {
  chain: IntentChain;
  key: Hex;
  artifact: Artifact;
  to: Address;
  functionName: string;
  args: readonly unknown[];
}

/**
 * Tries a call, and sends it when the contract takes it, noted with the order before it goes out; waits until it is decided on
 * chain. Gives the contract's reason when it does not take it, else null.
 * @throws what a node says that is away
 */
export async function makeAttempt(relay: Relay, id: string, call: RelayCall): Promise<string | null> {
  const { chain, key, artifact, to, functionName, args } = call;
  const { store } = relay;
  const { chainId, client } = chain.chain;
  const wallet = relay.wallet(key, chain);
  try {
    await client.simulateContract({ account: wallet.address, address: to, abi: artifact.abi, functionName, args });
  } catch (error) {
    return reasonOf(error);
  }
  const data = encodeFunctionData({ abi: artifact.abi, functionName, args });
  // Of a reorganisation nobody tells it: the node says which nonce is next.
  wallet.forgetNonce();
  await wallet.send({ to, data, gas: GAS }, (signed) => {
    const row = store.byId(id);
    if (row === null || relay.signal.aborted) throw new Error(`order ${id} is not sent for any more`);
    store.update(id, withNotes(row, { attempt: { chainId, ...signed } }));
  });
  await finishAttempt(relay, id);
  return null;
}

/** The contract's own words. @throws what is no answer of a contract */
function reasonOf(error: unknown): string {
  const revert =
    error instanceof BaseError ? error.walk((cause) => cause instanceof ContractFunctionRevertedError) : null;
  if (revert instanceof ContractFunctionRevertedError) return revert.reason ?? revert.shortMessage;
  throw error;
}

/**
 * Waits until the transaction that is noted with an order is in a block, handing it to the node again where it has lost it,
 * and takes the note away: what came of it, the contracts know. Nothing else is sent for the order before.
 */
export async function finishAttempt(relay: Relay, id: string): Promise<void> {
  for (;;) {
    const row = relay.store.byId(id);
    const attempt = row === null ? null : notesOf(row).attempt;
    if (row === null || attempt === null) return;
    if (await isDecided(chainOf(relay, attempt.chainId), attempt)) {
      dropAttempt(relay, id, attempt);
      return;
    }
    if (relay.signal.aborted) throw new Error('the relayer stops');
    await relay.pause(relay.timing.pollMs, relay.signal);
  }
}

function dropAttempt({ store }: Relay, id: string, { hash }: Attempt): void {
  const row: IntentRow | null = store.byId(id);
  if (row !== null && notesOf(row).attempt?.hash === hash) store.update(id, withNotes(row, { attempt: null }));
}

/** In a block, or impossible because its nonce is taken by another one. */
async function isDecided({ chain: { client } }: IntentChain, { hash, raw }: Attempt): Promise<boolean> {
  const mined = () => client.getTransactionReceipt({ hash }).catch(unlessUnknown);
  if ((await mined()) !== null) return true;
  try {
    await client.sendRawTransaction({ serializedTransaction: raw });
    return false;
  } catch (error) {
    if (!/nonce too low/i.test(`${error}`)) {
      if (/already (imported|known)/i.test(`${error}`)) return false;
      throw error;
    }
    // Mined between the two questions, or never to be.
    await mined();
    return true;
  }
}
