import { encodeFunctionData } from 'viem';
import type { Address } from '../protocol/address.ts';
import { ERC20_ABI } from './erc20-abi.ts';
import { bytesSchema, toQuantity } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, resultOf } from './node-client.ts';

/** What the maker has of a token and lets the RFQ contract take of it, raw units. */
export interface Holding {
  balance: bigint;
  allowance: bigint;
}

export interface Holdings {
  held: ReadonlyMap<Address, Holding>;
  /** Tokens whose contract does not answer like an ERC-20. */
  unreadable: readonly Address[];
}

/** Two calls a token, in the order of `tokens`. */
export function holdingCalls(tokens: readonly Address[], maker: Address, spender: Address, block: number): NodeCall[] {
  const balance = encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [maker] });
  const allowance = encodeFunctionData({ abi: ERC20_ABI, functionName: 'allowance', args: [maker, spender] });
  const at = toQuantity(block);
  return tokens.flatMap((to) => [
    { method: 'eth_call', params: [{ to, data: balance }, at] },
    { method: 'eth_call', params: [{ to, data: allowance }, at] },
  ]);
}

/** Errors that are the contract's doing; every other one is the node's. */
const CONTRACT_FAILED = /revert|invalid opcode|out of gas|stack (under|over)flow|invalid jump|VM execution/i;

/** The amount a contract answered, or null when it does not answer with one. Throws when the node refused the call. */
function amountOf(node: NodeClient, answer: NodeAnswer | undefined): bigint | null {
  if (answer?.ok === false && (answer.error.code === 3 || CONTRACT_FAILED.test(answer.error.message))) return null;
  const data = resultOf(node, 'eth_call', answer, bytesSchema);
  return data.length < 66 ? null : BigInt(data.slice(0, 66));
}

/** Takes the answers to `holdingCalls`. One token that cannot be read removes only itself. */
export function readHoldings(node: NodeClient, tokens: readonly Address[], answers: readonly NodeAnswer[]): Holdings {
  const held = new Map<Address, Holding>();
  const unreadable: Address[] = [];
  tokens.forEach((token, index) => {
    const balance = amountOf(node, answers[2 * index]);
    const allowance = amountOf(node, answers[2 * index + 1]);
    if (balance === null || allowance === null) unreadable.push(token);
    else held.set(token, { balance, allowance });
  });
  return { held, unreadable };
}
