import { decodeAbiParameters, encodeFunctionData, hexToString, parseAbi } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { ERC20_ABI } from './erc20-abi.ts';
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
    const [chain, ...said] = await node.ask([{ method: 'eth_chainId', params: [] }, ...tokenCalls(asked.address)]);
    const chainId = resultOf(node, 'eth_chainId', chain, countSchema);
    if (chainId !== asked.chainId) {
      throw new DeskError('wrong_chain', `The node is of chain ${chainId}, not of chain ${asked.chainId}.`);
    }
    return tokenSaid(said);
  } finally {
    node.close();
  }
}

/** What a token is asked for its symbol, name and decimals. */
function tokenCalls(address: Address): NodeCall[] {
  return (['symbol', 'name', 'decimals'] as const).map((functionName) => ({
    method: 'eth_call',
    params: [{ to: address, data: encodeFunctionData({ abi: NAMES_ABI, functionName }) }, 'latest'],
  }));
}

function tokenSaid([symbol, name, decimals]: readonly NodeAnswer[]): TokenOnChain {
  return { symbol: textOf(symbol, 'symbol'), name: textOf(name, 'name'), decimals: decimalsOf(decimals) };
}

/** A token with what somebody holds of it, raw units, more than none. */
export interface HeldToken {
  address: Address;
  symbol: string;
  name: string | null;
  decimals: number;
  balance: bigint;
}

/**
 * Those of the tokens that have a symbol and decimals and that `holder` holds any of: a contract that does not answer so is left
 * out, and with several nodes whatever they do not all say. Throws when a node does not answer at all, or is of another chain.
 */
export async function readHeldTokens(asked: {
  rpcUrls: readonly string[];
  chainId: number;
  holder: Address;
  tokens: readonly Address[];
  timeoutMs?: number;
}): Promise<HeldToken[]> {
  const { rpcUrls, ...rest } = asked;
  const [first = [], ...others] = await Promise.all(rpcUrls.map((rpcUrl) => heldBy({ rpcUrl, ...rest })));
  return first.filter((token) =>
    others.every((held) =>
      held.some(
        ({ address, symbol, decimals }) =>
          address === token.address && symbol === token.symbol && decimals === token.decimals,
      ),
    ),
  );
}

async function heldBy(asked: {
  rpcUrl: string;
  chainId: number;
  holder: Address;
  tokens: readonly Address[];
  timeoutMs?: number;
}): Promise<HeldToken[]> {
  const { chainId: wanted, holder, tokens } = asked;
  const node = openNode(asked);
  const data = encodeFunctionData({ abi: ERC20_ABI, functionName: 'balanceOf', args: [holder] });
  try {
    const [chain, ...said] = await node.ask([
      { method: 'eth_chainId', params: [] },
      ...tokens.flatMap((to): NodeCall[] => [
        ...tokenCalls(to),
        { method: 'eth_call', params: [{ to, data }, 'latest'] },
      ]),
    ]);
    const chainId = resultOf(node, 'eth_chainId', chain, countSchema);
    if (chainId !== wanted) {
      throw new DeskError('wrong_chain', `The node is of chain ${chainId}, not of chain ${wanted}.`);
    }
    const each = said.length / Math.max(1, tokens.length);
    return tokens.flatMap((address, index) => {
      const answers = said.slice(index * each, (index + 1) * each);
      const { symbol, name, decimals } = tokenSaid(answers);
      const bytes = bytesOf(answers.at(-1));
      const balance = bytes === null ? 0n : BigInt(bytes.slice(0, 66));
      return symbol === null || decimals === null || balance === 0n
        ? []
        : [{ address, symbol, name, decimals, balance }];
    });
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
