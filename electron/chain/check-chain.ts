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
  /** Nodes that are asked in the place of `rpcUrl`, which have to be of the same chain. */
  spareRpcUrls?: readonly string[] | undefined;
  chainId: number;
  rfqContract: Address;
  timeoutMs?: number;
}

/** Compares the desk file with the chain: its id, that the RFQ contract has code, and that each token is what it says. */
export async function checkChain(chain: CheckedChain): Promise<ChainCheck[]> {
  const node = openNode(chain);
  try {
    const chainId = await check('chain_id', () => sameChain(node, chain.chainId, ' under Settings, Chains'));
    // On another chain every other answer would mislead.
    if (chainId.outcome !== 'passed') return [chainId];
    const { secondRpcUrl, spareRpcUrls = [] } = chain;
    const [contract, second, spares, tokens] = await Promise.all([
      check('rfq_contract', () => hasCode(node, chain.rfqContract)),
      secondRpcUrl == null ? [] : checkOther(SECOND, node, secondRpcUrl, chain),
      spareRpcUrls.length === 0 ? [] : checkSpares(node, [chain.rpcUrl, ...spareRpcUrls], chain),
      checkTokens(node, chain),
    ]);
    return [chainId, contract, ...second, ...spares, ...tokens];
  } finally {
    node.close();
  }
}

async function sameChain(node: NodeClient, expected: number, as: string): Promise<string> {
  const [answer] = await node.ask([{ method: 'eth_chainId', params: [] }]);
  const actual = resultOf(node, 'eth_chainId', answer, countSchema);
  if (actual === expected) return `The node at ${nodeName(node.rpcUrl)} is of chain ${actual}.`;
  throw checkFailed(
    `The node at ${nodeName(node.rpcUrl)} is of chain ${actual}, not of chain ${expected}.`,
    `Name a node of this chain${as}.`,
  );
}

/** Each of the nodes that stand in for each other. One that does not answer closes nothing as long as another does. */
async function checkSpares(node: NodeClient, urls: readonly string[], chain: CheckedChain): Promise<ChainCheck[]> {
  const checks = await Promise.all(
    urls.map((url, index) => {
      const name = index === 0 ? 'first_node' : `spare_node ${index}`;
      return checkOther({ name, called: index === 0 ? 'first' : 'spare', ends: 'It can be asked.' }, node, url, chain);
    }),
  );
  return checks.flat().map((one) => (one.outcome === 'unanswered' ? { ...one, outcome: 'warning' } : one));
}

const SECOND = { name: 'second_node', called: 'second', ends: 'Only what both nodes say is believed.' };

/** Another node than the one that is asked: one of another chain says nothing of this one, whatever its id. */
async function checkOther(
  { name, called, ends }: typeof SECOND,
  first: NodeClient,
  rpcUrl: string,
  { chainId, rfqContract, timeoutMs }: CheckedChain,
): Promise<ChainCheck[]> {
  const node = openNode({ rpcUrl, timeoutMs });
  const look = async () => {
    const said = await sameChain(node, chainId, `, as the ${called} one, under Settings, Chains, or in the desk file`);
    const [ours, theirs] = await Promise.all([genesisOf(first), genesisOf(node)]);
    if (ours !== null && theirs !== null && ours !== theirs) {
      throw checkFailed(
        `The ${called} node at ${nodeName(rpcUrl)} is of another chain with the same id: it begins with block ${theirs}, not with ${ours}.`,
        `Name another ${called} node under Settings, Chains, or in the desk file.`,
      );
    }
    await hasCode(node, rfqContract);
    return `${said} ${ends}`;
  };
  try {
    return [await check(name, look)];
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
