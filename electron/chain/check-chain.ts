import type { Address, Hex } from '../protocol/address.ts';
import { type ChainCheck, check, checkFailed } from './chain-check.ts';
import { type CheckedTokens, checkTokens } from './check-tokens.ts';
import { blockHeaderSchema, bytesSchema, countSchema } from './node-answers.ts';
import { type NodeClient, openNode, resultOf } from './node-client.ts';
import { nodeName } from './node-fault.ts';
import { headerCall } from './pinned-read.ts';

export interface CheckedChain extends CheckedTokens {
  rpcUrl: string;
  /** Another node of the chain, which has to be of the same one; none where it is null. */
  secondRpcUrl?: string | null | undefined;
  chainId: number;
  rfqContract: Address;
  timeoutMs?: number;
}

/** Compares the desk file with the chain: its id, that the RFQ contract has code, and that each token is what it says. */
export async function checkChain(chain: CheckedChain): Promise<ChainCheck[]> {
  const node = openNode({ rpcUrl: chain.rpcUrl, timeoutMs: chain.timeoutMs });
  try {
    const chainId = await check('chain_id', () => sameChain(node, chain.chainId, false));
    // On another chain every other answer would mislead.
    if (chainId.outcome !== 'passed') return [chainId];
    const { secondRpcUrl } = chain;
    const [contract, second, tokens] = await Promise.all([
      check('rfq_contract', () => hasCode(node, chain.rfqContract)),
      secondRpcUrl == null ? [] : checkSecond(node, secondRpcUrl, chain),
      checkTokens(node, chain),
    ]);
    return [chainId, contract, ...second, ...tokens];
  } finally {
    node.close();
  }
}

async function sameChain(node: NodeClient, expected: number, isSecond: boolean): Promise<string> {
  const [answer] = await node.ask([{ method: 'eth_chainId', params: [] }]);
  const actual = resultOf(node, 'eth_chainId', answer, countSchema);
  if (actual === expected) return `The node at ${nodeName(node.rpcUrl)} is of chain ${actual}.`;
  throw checkFailed(
    `The node at ${nodeName(node.rpcUrl)} is of chain ${actual}, not of chain ${expected}.`,
    `Name a node of this chain under Settings, Chains${isSecond ? ', as the second one' : ''}.`,
  );
}

/** The second node: a node of another chain confirms nothing of this one, whatever its id. */
async function checkSecond(
  first: NodeClient,
  rpcUrl: string,
  { chainId, rfqContract, timeoutMs }: CheckedChain,
): Promise<ChainCheck[]> {
  const node = openNode({ rpcUrl, timeoutMs });
  const look = async () => {
    const said = await sameChain(node, chainId, true);
    const [ours, theirs] = await Promise.all([genesisOf(first), genesisOf(node)]);
    if (ours !== null && theirs !== null && ours !== theirs) {
      throw checkFailed(
        `The second node at ${nodeName(rpcUrl)} is of another chain with the same id: it begins with block ${theirs}, not with ${ours}.`,
        'Name another second node under Settings, Chains.',
      );
    }
    await hasCode(node, rfqContract);
    return `${said} Nothing is believed that both nodes do not say.`;
  };
  try {
    return [await check('second_node', look)];
  } finally {
    node.close();
  }
}

/** The hash of block 0; null where a node does not have it any more. */
async function genesisOf(node: NodeClient): Promise<Hex | null> {
  const [answer] = await node.ask([headerCall(0)]);
  return resultOf(node, 'eth_getBlockByNumber', answer, blockHeaderSchema.nullable())?.hash ?? null;
}

async function hasCode(node: NodeClient, rfqContract: Address): Promise<string> {
  const [answer] = await node.ask([{ method: 'eth_getCode', params: [rfqContract, 'latest'] }]);
  const code = resultOf(node, 'eth_getCode', answer, bytesSchema);
  if (code !== '0x') return `There is a contract at ${rfqContract}.`;
  throw checkFailed(
    `There is no contract at ${rfqContract}.`,
    'Put in the address of the RFQ contract under Settings, Chains.',
  );
}
