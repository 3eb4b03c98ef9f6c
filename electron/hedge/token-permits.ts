import { encodeAbiParameters, encodeFunctionData, keccak256, parseAbi, parseSignature, stringToHex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readAllowance } from '../chain/allowance.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { eip2612TypedData, type PermitDomain } from '../protocol/permit.ts';
import { isNative } from '../protocol/route-token.ts';
import { typedDataHash } from '../protocol/typed-data.ts';
import type { PermitWay } from '../service/approval-plan.ts';
import { type HedgeNode, wouldFail } from './hedge-node.ts';

const ABI = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function nonces(address) view returns (uint256)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
]);
const DOMAIN = keccak256(
  stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
);
/** A key of nobody, with which a token's permit is tried without the signature of anybody. */
const NOBODY = keccak256(stringToHex('a permit of nobody, tried and never sent'));
const NO_END = 2n ** 256n - 1n;

const PERMIT2_DOMAIN = keccak256(stringToHex('EIP712Domain(string name,uint256 chainId,address verifyingContract)'));

/** How the token lets itself be spent by signature, as far as it can be proved on the chain; null when it does not. */
export async function permitWayOf(
  chain: HedgeNode,
  token: Address,
  owner: Address,
  { permit2, nonce }: { permit2: Address | null; nonce: bigint },
): Promise<PermitWay | null> {
  if (isNative(token)) return null;
  const own = await eip2612Way(chain, token, owner);
  if (own !== null || permit2 === null) return own;
  return permit2Way(chain, { token, owner, permit2, nonce });
}

/**
 * The token's own permit: only when the domain that we would sign under is the one that it checks, and the token takes such a
 * permit. Others have the same name, nonces and domain, and sign something else, as DAI does.
 */
async function eip2612Way(chain: HedgeNode, address: Address, owner: Address): Promise<PermitWay | null> {
  const { client, chainId } = chain;
  const read = { abi: ABI, address } as const;
  try {
    const [name, nonce, separator] = await Promise.all([
      client.readContract({ ...read, functionName: 'name' }),
      client.readContract({ ...read, functionName: 'nonces', args: [owner] }),
      client.readContract({ ...read, functionName: 'DOMAIN_SEPARATOR' }),
    ]);
    const version = await client.readContract({ ...read, functionName: 'version' }).catch(() => '1');
    const domain = { name, version };
    if (separatorOf(domain, chainId, address) !== separator) return null;
    if (!(await takesPermit(chain, address, domain))) return null;
    return { kind: 'eip2612', domain, nonce };
  } catch {
    return null; // a token without one has none of these functions
  }
}

/**
 * Whether the token takes a permit of this form, tried without sending with a key that holds nothing: the right signature goes
 * through, and the same for another amount does not. Where both do, something takes any call, as a fallback does.
 */
async function takesPermit({ client, chainId }: HedgeNode, token: Address, domain: PermitDomain): Promise<boolean> {
  const nobody = privateKeyToAccount(NOBODY);
  const owner = nobody.address.toLowerCase() as Address;
  const nonce = await client.readContract({ abi: ABI, address: token, functionName: 'nonces', args: [owner] });
  const permit = { chainId, token, owner, spender: token, amount: 1n, nonce, deadline: NO_END };
  const signature = await nobody.sign({ hash: typedDataHash(eip2612TypedData(domain, permit)) });
  const { r, s, yParity } = parseSignature(signature);
  const passes = async (amount: bigint) => {
    const args = [owner, token, amount, NO_END, 27 + yParity, r, s] as const;
    const data = encodeFunctionData({ abi: ABI, functionName: 'permit', args });
    try {
      await client.call({ to: token, data });
      return true;
    } catch (error) {
      if (wouldFail(error).code !== 'would_fail') throw error;
      return false;
    }
  };
  return (await passes(1n)) && !(await passes(2n));
}

/** Permit2: only where there is one at that address, and what it checks is what we would sign under. */
async function permit2Way(
  chain: HedgeNode,
  { token, owner, permit2, nonce }: { token: Address; owner: Address; permit2: Address; nonce: bigint },
): Promise<PermitWay | null> {
  const read = { abi: ABI, address: permit2, functionName: 'DOMAIN_SEPARATOR' } as const;
  // Nothing there, or something else: both are no Permit2.
  const separator = await chain.client.readContract(read).catch(() => null);
  if (separator !== permit2Separator(chain.chainId, permit2)) return null;
  return { kind: 'permit2', contract: permit2, nonce, allowance: await readAllowance(chain, token, owner, permit2) };
}

function permit2Separator(chainId: number, permit2: Address): Hex {
  const words = [PERMIT2_DOMAIN, keccak256(stringToHex('Permit2')), BigInt(chainId), permit2] as const;
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
