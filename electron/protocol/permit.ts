import * as AbiParameters from 'ox/AbiParameters';
import type { Address, Hex } from './address.ts';
import { splitSignature } from './compact-signature.ts';
import { DeskError } from './desk-error.ts';
import type { ToSign } from './typed-data.ts';

const EIP2612 = AbiParameters.from('address, address, uint256, uint256, uint8, bytes32, bytes32');
const PERMIT2 = AbiParameters.from([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature',
]);

/** A permission to spend, bound to one spender, amount and deadline (PROTOCOL 15.6). Raw units; Unix seconds. */
export interface Permit {
  chainId: number;
  token: Address;
  owner: Address;
  spender: Address;
  amount: bigint;
  nonce: bigint;
  deadline: bigint;
}

/** What a token signs its permits under. */
export interface PermitDomain {
  name: string;
  version: string;
}

/** The typed data of an EIP-2612 permit; `nonce` is the token's `nonces(owner)`. */
export function eip2612TypedData({ name, version }: PermitDomain, permit: Permit): ToSign {
  const { chainId, token, owner, spender, amount, nonce, deadline } = permit;
  return {
    domain: { name, version, chainId, verifyingContract: token },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    value: { owner, spender, value: `${amount}`, nonce: `${nonce}`, deadline: `${deadline}` },
  };
}

/** The arguments of the token's `permit`, seven words: what goes into a build's `permit` (PROTOCOL 14.2). */
export function encodeEip2612({ owner, spender, amount, deadline }: Permit, signature: Hex): Hex {
  const { v, r, s } = splitSignature(signature);
  return AbiParameters.encode(EIP2612, [owner, spender, amount, deadline, v, r, s]);
}

/** The typed data of a Permit2 transfer; `nonce` is any that the owner has not used. */
export function permit2TypedData(permit2: Address, permit: Permit): ToSign {
  const { chainId, token, spender, amount, nonce, deadline } = permit;
  return {
    domain: { name: 'Permit2', chainId, verifyingContract: permit2 },
    types: {
      PermitTransferFrom: [
        { name: 'permitted', type: 'TokenPermissions' },
        { name: 'spender', type: 'address' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
      TokenPermissions: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint256' },
      ],
    },
    value: { permitted: { token, amount: `${amount}` }, spender, nonce: `${nonce}`, deadline: `${deadline}` },
  };
}

/** The arguments of Permit2's `permitTransferFrom` by which the spender takes the amount itself. */
export function encodePermit2(permit: Permit, signature: Hex): Hex {
  const { token, owner, spender, amount, nonce, deadline } = permit;
  splitSignature(signature);
  return AbiParameters.encode(PERMIT2, [
    { permitted: { token, amount }, nonce, deadline },
    { to: spender, requestedAmount: amount },
    owner,
    signature,
  ]);
}

/** A permit's arguments as they were encoded. `nonce` is Permit2's; of a token's own the signature alone binds it. */
export type DecodedPermit =
  | { kind: 'eip2612'; owner: Address; spender: Address; amount: bigint; deadline: bigint }
  | {
      kind: 'permit2';
      owner: Address;
      spender: Address;
      amount: bigint;
      deadline: bigint;
      token: Address;
      nonce: bigint;
    };

const EIP2612_BYTES = 7 * 32;

/** What `encodeEip2612` and `encodePermit2` wrote, told apart by its length. Throws DeskError `bad_permit`. */
export function decodePermit(permit: Hex): DecodedPermit {
  try {
    const lower = (address: string) => address.toLowerCase() as Address;
    if ((permit.length - 2) / 2 === EIP2612_BYTES) {
      const [owner, spender, amount, deadline] = AbiParameters.decode(EIP2612, permit);
      return { kind: 'eip2612', owner: lower(owner), spender: lower(spender), amount, deadline };
    }
    const [{ permitted, nonce, deadline }, { to }, owner] = AbiParameters.decode(PERMIT2, permit);
    const { token, amount } = permitted;
    const ends = { owner: lower(owner), spender: lower(to), token: lower(token) };
    return { kind: 'permit2', ...ends, amount, deadline, nonce };
  } catch (cause) {
    throw new DeskError('bad_permit', 'The permit is none of the forms that this desk signs.', { cause });
  }
}
