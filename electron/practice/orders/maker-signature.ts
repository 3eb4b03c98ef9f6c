import { keccak256 } from 'ox/Hash';
import secp256k1 from 'secp256k1';
import { BaseError, encodeFunctionData, HttpRequestError, type PublicClient, parseAbi, TimeoutError } from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)']);
const ERC1271_VALID = `0x1626ba7e${'0'.repeat(56)}`;

/** Half of the curve's order: a larger `s` is the other form of the same signature, which the contract does not take. */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Whether a signature over an order's hash binds its maker, as the settlement contract judges it (PROTOCOL 2.3): 65 bytes with
 * v 27 or 28 and a low s, or the same in 64 bytes (EIP-2098), by the maker's key; whatever does not yield the maker is put
 * to the maker's contract (EIP-1271). Rejects when that needs the node and the node is away.
 */
export async function signatureBinds(
  client: PublicClient,
  { maker, hash, signature }: { maker: Address; hash: Hex; signature: Hex },
): Promise<boolean> {
  return signerOf(hash, signature) === maker || (await contractAccepts(client, maker, hash, signature));
}

/** The address whose key signed, in lower case, or null when the bytes are no key's signature. */
function signerOf(hash: Hex, signature: Hex): Address | null {
  const bytes = Buffer.from(signature.slice(2), 'hex');
  if (bytes.length !== 65 && bytes.length !== 64) return null;
  const compact = Buffer.from(bytes.subarray(0, 64));
  let recovery = (bytes[64] ?? 0) - 27;
  if (bytes.length === 64) {
    const top = compact[32] ?? 0;
    recovery = top >> 7;
    compact[32] = top & 0x7f;
  }
  if (recovery !== 0 && recovery !== 1) return null;
  if (BigInt(`0x${compact.toString('hex', 32)}`) > HALF_ORDER) return null;
  try {
    const publicKey = secp256k1.ecdsaRecover(compact, recovery, Buffer.from(hash.slice(2), 'hex'), false);
    return `0x${keccak256(publicKey.subarray(1), { as: 'Hex' }).slice(-40)}`;
  } catch {
    return null;
  }
}

/** The answer must be one word, the magic value and zeros, as the settlement contract has it. */
async function contractAccepts(client: PublicClient, maker: Address, hash: Hex, signature: Hex): Promise<boolean> {
  const data = encodeFunctionData({ abi: ERC1271, args: [hash, signature] });
  try {
    return (await client.call({ to: maker, data })).data === ERC1271_VALID;
  } catch (error) {
    if (isNodeAway(error)) throw error;
    return false;
  }
}

function isNodeAway(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  return error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null;
}
