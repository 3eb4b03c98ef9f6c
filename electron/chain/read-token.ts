import { decodeAbiParameters, encodeFunctionData, hexToString, parseAbi } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { bytesSchema, countSchema } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, openNode, resultOf } from './node-client.ts';

/** What a token says of itself; null where it does not say it. */
export interface TokenOnChain {
  symbol: string | null;
  name: string | null;
  decimals: number | null;
}

const NAMES_ABI = parseAbi([
  'function symbol() view returns (string)',
  'function name() view returns (string)',
  'function decimals() view returns (uint8)',
]);
const MOST_CHARACTERS = { symbol: 64, name: 200 } as const;

/** Asks a token's contract for its symbol, name and decimals. Throws when the node does not answer, or is of another chain. */
export async function readToken(asked: {
  rpcUrl: string;
  chainId: number;
  address: Address;
  timeoutMs?: number;
}): Promise<TokenOnChain> {
  const node = openNode(asked);
  try {
    const call = (functionName: 'symbol' | 'name' | 'decimals'): NodeCall => ({
      method: 'eth_call',
      params: [{ to: asked.address, data: encodeFunctionData({ abi: NAMES_ABI, functionName }) }, 'latest'],
    });
    const [chain, symbol, name, decimals] = await node.ask([
      { method: 'eth_chainId', params: [] },
      ...(['symbol', 'name', 'decimals'] as const).map(call),
    ]);
    const chainId = resultOf(node, 'eth_chainId', chain, countSchema);
    if (chainId !== asked.chainId) {
      throw new DeskError('wrong_chain', `The node is of chain ${chainId}, not of chain ${asked.chainId}.`);
    }
    return { symbol: textOf(symbol, 'symbol'), name: textOf(name, 'name'), decimals: decimalsOf(decimals) };
  } finally {
    node.close();
  }
}

function bytesOf(answer: NodeAnswer | undefined): Hex | null {
  const parsed = answer?.ok === true ? bytesSchema.safeParse(answer.result) : null;
  return parsed?.success && parsed.data.length >= 66 ? parsed.data : null;
}

/** A string, or the 32 bytes of old tokens. */
function textOf(answer: NodeAnswer | undefined, what: keyof typeof MOST_CHARACTERS): string | null {
  const bytes = bytesOf(answer);
  if (bytes === null) return null;
  try {
    const text = bytes.length === 66 ? hexToString(bytes) : decodeAbiParameters([{ type: 'string' }], bytes)[0];
    const plain = text.replace(/\p{C}/gu, '').trim().slice(0, MOST_CHARACTERS[what]);
    return plain === '' ? null : plain;
  } catch {
    return null;
  }
}

function decimalsOf(answer: NodeAnswer | undefined): number | null {
  const bytes = bytesOf(answer);
  const value = bytes === null ? null : BigInt(bytes.slice(0, 66));
  return value === null || value > 77n ? null : Number(value);
}
