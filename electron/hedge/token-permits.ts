import { encodeAbiParameters, keccak256, parseAbi, stringToHex } from 'viem';
import type { Address, Hex } from '../protocol/address.ts';
import { isNative } from '../protocol/route-token.ts';
import type { PermitWay } from '../service/approval-plan.ts';
import { approval, type HedgeNode, readAllowance } from './hedge-node.ts';

/** Where Permit2 is on nearly every chain that has it; one that has it elsewhere counts as one without. */
const PERMIT2: Address = '0x000000000022d473030f116ddee9f6b43ac78ba3';
const ABI = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
]);
const DOMAIN = keccak256(
  stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
);

const PERMIT2_DOMAIN = keccak256(stringToHex('EIP712Domain(string name,uint256 chainId,address verifyingContract)'));

/** How the token lets itself be spent by signature, as far as it can be proved on the chain; null when it does not. */
export async function permitWayOf(
  chain: HedgeNode,
  token: Address,
  owner: Address,
  nonce: bigint,
): Promise<PermitWay | null> {
  if (isNative(token)) return null;
  return (await eip2612Way(chain, token, owner)) ?? (await permit2Way(chain, token, owner, nonce));
}

/** The token's own permit: only when the domain that we would sign under is the one that it checks. */
async function eip2612Way({ client, chainId }: HedgeNode, address: Address, owner: Address): Promise<PermitWay | null> {
  const read = { abi: ABI, address } as const;
  try {
    const [name, nonce, separator] = await Promise.all([
      client.readContract({ ...read, functionName: 'name' }),
      client.readContract({ ...read, functionName: 'nonces', args: [owner] }),
      client.readContract({ ...read, functionName: 'DOMAIN_SEPARATOR' }),
    ]);
    const version = await client.readContract({ ...read, functionName: 'version' }).catch(() => '1');
    if (separatorOf({ name, version }, chainId, address) !== separator) return null;
    return { kind: 'eip2612', domain: { name, version }, nonce };
  } catch {
    return null; // a token without one has none of these functions
  }
}

/** Permit2: only where there is one at that address, and what it checks is what we would sign under. */
async function permit2Way(chain: HedgeNode, token: Address, owner: Address, nonce: bigint): Promise<PermitWay | null> {
  const read = { abi: ABI, address: PERMIT2, functionName: 'DOMAIN_SEPARATOR' } as const;
  // Nothing there, or something else: both are no Permit2.
  const separator = await chain.client.readContract(read).catch(() => null);
  if (separator !== permit2Separator(chain.chainId)) return null;
  return { kind: 'permit2', contract: PERMIT2, nonce, allowance: await readAllowance(chain, token, owner, PERMIT2) };
}

function permit2Separator(chainId: number): Hex {
  const words = [PERMIT2_DOMAIN, keccak256(stringToHex('Permit2')), BigInt(chainId), PERMIT2] as const;
  return keccak256(
    encodeAbiParameters([{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }], words),
  );
}

function separatorOf({ name, version }: { name: string; version: string }, chainId: number, token: Address): Hex {
  const words = [
    DOMAIN,
    keccak256(stringToHex(name)),
    keccak256(stringToHex(version)),
    BigInt(chainId),
    token,
  ] as const;
  return keccak256(
    encodeAbiParameters(
      [{ type: 'bytes32' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint256' }, { type: 'address' }],
      words,
    ),
  );
}

/** Whether the token refuses to change an allowance that is not zero into another that is not: tried, not sent. */
export async function needsZeroFirst(
  { client }: HedgeNode,
  token: Address,
  owner: Address,
  spender: Address,
  amount: bigint,
): Promise<boolean> {
  try {
    await client.call({ account: owner, ...approval(token, spender, amount) });
    return false;
  } catch {
    return true;
  }
}
