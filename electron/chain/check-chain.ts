import type { Address } from '../protocol/address.ts';
import { type ChainCheck, check, checkFailed } from './chain-check.ts';
import { type CheckedTokens, checkTokens } from './check-tokens.ts';
import { bytesSchema, countSchema } from './node-answers.ts';
import { type NodeClient, openNode, resultOf } from './node-client.ts';
import { nodeName } from './node-fault.ts';

export interface CheckedChain extends CheckedTokens {
  rpcUrl: string;
  chainId: number;
  rfqContract: Address;
  timeoutMs?: number;
}

/** Compares the desk file with the chain: its id, that the RFQ contract has code, and that each token is what it says. */
export async function checkChain(chain: CheckedChain): Promise<ChainCheck[]> {
  const node = openNode({ rpcUrl: chain.rpcUrl, timeoutMs: chain.timeoutMs });
  try {
    const chainId = await check('chain_id', () => sameChain(node, chain.chainId));
    // On another chain every other answer would mislead.
    if (chainId.outcome !== 'passed') return [chainId];
    const [contract, tokens] = await Promise.all([
      check('rfq_contract', () => hasCode(node, chain.rfqContract)),
      checkTokens(node, chain),
    ]);
    return [chainId, contract, ...tokens];
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
  throw checkFailed(
    `There is no contract at ${rfqContract}.`,
    'Put in the address of the RFQ contract (rfqContract of the desk file).',
  );
}
