import { encodeFunctionData } from 'viem';
import type { Address } from '../protocol/address.ts';
import type { Token } from '../protocol/wire.ts';
import { type ChainCheck, check, checkFailed } from './chain-check.ts';
import { ERC20_ABI } from './erc20-abi.ts';
import { bytesSchema, countSchema } from './node-answers.ts';
import { type NodeClient, openNode, resultOf } from './node-client.ts';
import { nodeName } from './node-fault.ts';

export interface CheckedChain {
  rpcUrl: string;
  chainId: number;
  rfqContract: Address;
  /** By token ID. */
  tokens: Readonly<Record<string, Pick<Token, 'address' | 'decimals'>>>;
  timeoutMs?: number;
}

/**
 * Compares the desk file with the chain: its id, that the RFQ contract has code, and that each token answers the
 * decimals that amounts are computed with (spec 2.6: they must be correct).
 */
export async function checkChain(chain: CheckedChain): Promise<ChainCheck[]> {
  const node = openNode({ rpcUrl: chain.rpcUrl, timeoutMs: chain.timeoutMs });
  try {
    const chainId = await check('chain_id', () => sameChain(node, chain.chainId));
    // On another chain every other answer would mislead.
    if (chainId.outcome !== 'passed') return [chainId];
    return await Promise.all([
      chainId,
      check('rfq_contract', () => hasCode(node, chain.rfqContract)),
      ...Object.entries(chain.tokens).map(([id, token]) => check(`token ${id}`, () => sameDecimals(node, id, token))),
    ]);
  } finally {
    node.close();
  }
}

async function sameChain(node: NodeClient, expected: number): Promise<string> {
  const [answer] = await node.ask([{ method: 'eth_chainId', params: [] }]);
  const actual = resultOf(node, 'eth_chainId', answer, countSchema);
  if (actual === expected) return `The node at ${nodeName(node.rpcUrl)} is of chain ${actual}.`;
  throw checkFailed(
    `The node at ${nodeName(node.rpcUrl)} is of chain ${actual}, not of chain ${expected}.`,
    'Put the right rpcUrl (or chainId) into the desk file.',
  );
}

async function hasCode(node: NodeClient, rfqContract: Address): Promise<string> {
  const [answer] = await node.ask([{ method: 'eth_getCode', params: [rfqContract, 'latest'] }]);
  const code = resultOf(node, 'eth_getCode', answer, bytesSchema);
  if (code !== '0x') return `There is a contract at ${rfqContract}.`;
  throw checkFailed(`There is no contract at rfqContract, ${rfqContract}.`, 'Put its address into the desk file.');
}

async function sameDecimals(node: NodeClient, id: string, token: Pick<Token, 'address' | 'decimals'>): Promise<string> {
  const data = encodeFunctionData({ abi: ERC20_ABI, functionName: 'decimals' });
  const [answer] = await node.ask([{ method: 'eth_call', params: [{ to: token.address, data }, 'latest'] }]);
  const reverted = answer?.ok === false && (answer.error.code === 3 || /revert/i.test(answer.error.message));
  const word = reverted ? '0x' : resultOf(node, 'eth_call', answer, bytesSchema);
  if (word.length < 66) {
    throw checkFailed(
      `The contract of ${id}, ${token.address}, does not say its decimals.`,
      'See that its address is right.',
    );
  }
  const decimals = BigInt(word.slice(0, 66));
  if (decimals === BigInt(token.decimals)) return `${id} has ${token.decimals} decimals.`;
  throw checkFailed(
    `${id} has ${decimals} decimals on chain, but ${token.decimals} in the desk file.`,
    'Correct them: every amount of it is wrong until then.',
  );
}
