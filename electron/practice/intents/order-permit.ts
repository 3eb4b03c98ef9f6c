import { decodeAbiParameters, parseAbiParameters } from 'viem';
import type { Address, Hex } from '../../protocol/address.ts';
import { WireRefused } from '../wire-refused.ts';
import type { ServedChain } from './intent-desk.ts';

/** The arguments of EIP-2612's `permit`, and of Permit2's `permitTransferFrom` (PROTOCOL 15.6). */
const EIP2612 = parseAbiParameters('address, address, uint256, uint256, uint8, bytes32, bytes32');
const PERMIT2 = parseAbiParameters([
  'struct TokenPermissions { address token; uint256 amount; }',
  'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
  'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
  'PermitTransferFrom permit, SignatureTransferDetails details, address owner, bytes signature',
]);
const EIP2612_BYTES = 7 * 32;

/** What an order says of its permit and what that must be for. `amount` raw units, `now` Unix seconds. */
interface PermitOf {
  permit: Hex;
  owner: Address;
  token: Address;
  amount: bigint;
  /** The order waits for its price or its time, longer than a permit is good. */
  isSettledLater: boolean;
  now: number;
}

/** How a permit has the token taken: by its own allowance, or through Permit2; `none` without one. */
export function permitKind(permit: Hex): 'none' | 'eip2612' | 'permit2' {
  if (permit === '0x') return 'none';
  return byteCount(permit) > EIP2612_BYTES ? 'permit2' : 'eip2612';
}

/**
 * Rules 6 to 8 of PROTOCOL 15: a token that is spent by a permit only has one; an order that is settled later has none; and a permit
 * is of this owner, for the intent contract, for enough, and not over. Who signed it shows on chain.
 * @throws WireRefused `Permit / Permit2 required`, or `Invalid permit`, saying what is wrong
 */
export function checkPermit(chain: ServedChain, wanted: PermitOf): void {
  const { permit } = wanted;
  if (permit === '0x') {
    if (!chain.permitOnly.has(wanted.token)) return;
    throw new WireRefused('PermitRequired', 'Permit / Permit2 required');
  }
  if (wanted.isSettledLater) {
    throw new WireRefused('InvalidPermit', 'Limit and TWAP orders need an approval, not a permit');
  }
  const given = permitKind(permit) === 'permit2' ? fromPermit2(permit) : fromEip2612(permit);
  const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
  if (!isSame(given.owner, wanted.owner)) throw invalid('owner');
  if (!isSame(given.spender, chain.addresses.intents)) throw invalid('spender');
  if (given.token !== null && !isSame(given.token, wanted.token)) throw invalid('token');
  if (given.amount < wanted.amount) throw invalid('amount');
  if (given.deadline < BigInt(wanted.now)) throw invalid('deadline');
}

function fromEip2612(permit: Hex) {
  if (byteCount(permit) !== EIP2612_BYTES) throw invalid('form');
  const [owner, spender, amount, deadline] = decoded(() => decodeAbiParameters(EIP2612, permit));
  return { owner, spender, amount, deadline, token: null };
}

function fromPermit2(permit: Hex) {
  const [{ permitted, deadline }, { to, requestedAmount }, owner] = decoded(() => decodeAbiParameters(PERMIT2, permit));
  const amount = requestedAmount < permitted.amount ? requestedAmount : permitted.amount;
  return { owner, spender: to, amount, deadline, token: permitted.token };
}

function decoded<Values>(decode: () => Values): Values {
  try {
    return decode();
  } catch {
    throw invalid('form');
  }
}

function byteCount(bytes: Hex): number {
  return (bytes.length - 2) / 2;
}

function invalid(what: string): WireRefused {
  return new WireRefused('InvalidPermit', `Invalid permit: ${what}`);
}
