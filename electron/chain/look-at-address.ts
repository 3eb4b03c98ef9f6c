import { keccak256 } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { bytesSchema, countSchema } from './node-answers.ts';
import { openNode, resultOf } from './node-client.ts';
import { readToken } from './read-token.ts';

/** What EIP-7702 puts at an account that lets a contract act for it, before that contract's address. */
const DELEGATION = '0xef0100';

/**
 * Says what is at an address, for a person who has to decide about it: an ordinary account, a token, or a contract, with
 * its size, the hash of its code, and which of `known` has the same code. Throws when the node does not say, or is of
 * another chain.
 */
export async function lookAtAddress(asked: {
  rpcUrl: string;
  chainId: number;
  address: Address;
  known: readonly Address[];
  timeoutMs?: number;
}): Promise<string> {
  const { address, known } = asked;
  const node = openNode(asked);
  try {
    const codeOf = (of: Address) => ({ method: 'eth_getCode', params: [of, 'latest'] });
    const [chain, ...answers] = await node.ask([
      { method: 'eth_chainId', params: [] },
      ...[address, ...known].map(codeOf),
    ]);
    const chainId = resultOf(node, 'eth_chainId', chain, countSchema);
    if (chainId !== asked.chainId) {
      throw new DeskError('wrong_chain', `The node is of chain ${chainId}, not of chain ${asked.chainId}.`);
    }
    const [code = '0x', ...others] = answers.map((answer) => resultOf(node, 'eth_getCode', answer, bytesSchema));
    if (code === '0x') return 'No contract is there: it is an ordinary account, and whoever holds its key would fill.';
    if (code.startsWith(DELEGATION)) {
      return `It is an ordinary account that lets the contract 0x${code.slice(DELEGATION.length)} act for it.`;
    }
    const alike = known.filter((_, index) => others[index] === code);
    const same = alike.length === 0 ? '' : ` It has the same code as ${alike.join(' and ')}, which is on the list.`;
    return `${await contractAt(asked, code)}${same}`;
  } finally {
    node.close();
  }
}

async function contractAt(asked: { rpcUrl: string; chainId: number; address: Address }, code: Hex): Promise<string> {
  const { symbol, decimals } = await readToken(asked);
  if (symbol !== null && decimals !== null) return `It is a token that calls itself ${symbol}.`;
  return `A contract of ${(code.length - 2) / 2} bytes is there, with the code hash ${keccak256(code)}.`;
}
