import { z } from 'zod';
import { resultOf } from '../../../chain/node-client.ts';
import { Reverted, reasonOfError } from '../../../chain/revert.ts';
import type { Address, Hex } from '../../../protocol/address.ts';
import { DeskError } from '../../../protocol/desk-error.ts';
import { type HedgeCall, type HedgeNode, wouldFail } from '../../hedge-node.ts';
import { movedTokens } from '../../moved-tokens.ts';

/** Calls that a node tries one after the other (eth_simulateV1), with the logs they would leave; the native asset's too. */
const simulatedSchema = z.tuple([
  z.object({
    calls: z.tuple([
      z.object({
        status: z.string(),
        gasUsed: z.string(),
        logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })).default([]),
        error: z.object({ message: z.string(), data: z.unknown().optional() }).optional(),
        returnData: z.string().default('0x'),
      }),
    ]),
  }),
]);

/** What nodes answer that cannot do it: the code of JSON-RPC, of EIP-1474, of a request that they do not serve, and of one that they break at. */
const NO_SUCH_METHOD: ReadonlySet<number> = new Set([-32_601, -32_004, -32_600, -32_603]);

/** Who gives what and who receives it. */
export interface TriedSwap {
  owner: Address;
  receiver: Address;
  src: Address;
  dest: Address;
  least: bigint;
  most: bigint;
}

/**
 * Tries the swap on the chain as it is now, without sending it: it must not fail, must bring at least what was agreed and take
 * no more, and nothing but that. Gives its gas and what it would bring; null where the node does not know how to try it and can only say
 * that it does not fail. Throws DeskError `would_fail`, and of the node.
 */
export async function trySwap(
  chain: HedgeNode,
  call: HedgeCall,
  swap: TriedSwap,
): Promise<{ gas: bigint; received: bigint | null }> {
  const { owner, receiver, src, dest, least, most } = swap;
  const transaction = { from: owner, to: call.to, data: call.data, value: hex(call.value) };
  const params = [{ blockStateCalls: [{ calls: [transaction] }], traceTransfers: true }, 'latest'];
  const [answer] = await chain.node.ask([{ method: 'eth_simulateV1', params }]);
  if (answer?.ok === false && NO_SUCH_METHOD.has(answer.error.code)) {
    const gas = await chain.client.estimateGas({ account: owner, ...call }).catch((error: unknown) => {
      throw wouldFail(error);
    });
    return { gas, received: null };
  }
  const [block] = resultOf(chain.node, 'eth_simulateV1', answer, simulatedSchema);
  const [tried] = block.calls;
  if (BigInt(tried.status) !== 1n) {
    const { message = '', data } = tried.error ?? {};
    const reason = reasonOfError({
      code: 3,
      message,
      data: data ?? (tried.returnData === '0x' ? undefined : tried.returnData),
    });
    throw wouldFail(new Reverted(reason || message));
  }
  const received = movedTokens(tried.logs, dest, receiver);
  const spent = -movedTokens(tried.logs, src, owner);
  if (received < least) throw short(`it would bring ${received} raw units, and the least allowed is ${least}`);
  if (spent <= 0n) throw short('it would take nothing of what is to be sold');
  const taken = new Set(tried.logs.map(({ address }) => address.toLowerCase() as Address));
  for (const token of taken) {
    if (token !== src && movedTokens(tried.logs, token, owner) < 0n) throw short(`it would take of ${token} as well`);
  }
  if (spent > most) throw short(`it would take ${spent} raw units, and the most allowed is ${most}`);
  return { gas: BigInt(tried.gasUsed), received };
}

function short(what: string): DeskError {
  return new DeskError('would_fail', `The swap is not what was agreed: ${what}.`, { remedy: 'Nothing was signed.' });
}

function hex(value: bigint): Hex {
  return `0x${value.toString(16)}`;
}
