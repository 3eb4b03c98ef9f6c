import type { Address } from './address.ts';
import { DeskError } from './desk-error.ts';

/** Version of the intent contract's EIP-712 domain. */
export const INTENT_DOMAIN_VERSION = '2.0.0';

const BRIDGE = [
  { name: 'protocolSelector', type: 'bytes4' },
  { name: 'destinationChainId', type: 'uint256' },
  { name: 'outputToken', type: 'address' },
  { name: 'scalingFactor', type: 'int8' },
  { name: 'protocolData', type: 'bytes' },
];

/** EIP-712 types of the plain order. `kind` is 0 for SELL and 1 for BUY; `deadline` Unix seconds; amounts raw units. */
export const INTENT_ORDER_TYPES = {
  Order: [
    { name: 'owner', type: 'address' },
    { name: 'beneficiary', type: 'address' },
    { name: 'srcToken', type: 'address' },
    { name: 'destToken', type: 'address' },
    { name: 'srcAmount', type: 'uint256' },
    { name: 'destAmount', type: 'uint256' },
    { name: 'expectedAmount', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
    { name: 'kind', type: 'uint8' },
    { name: 'nonce', type: 'uint256' },
    { name: 'partnerAndFee', type: 'uint256' },
    { name: 'permit', type: 'bytes' },
    { name: 'metadata', type: 'bytes' },
    { name: 'bridge', type: 'Bridge' },
  ],
  Bridge: BRIDGE,
};

/** EIP-712 types of a cancellation (PROTOCOL 15, 13). */
export const ORDER_CANCELLATIONS_TYPES = { OrderCancellations: [{ name: 'orderIds', type: 'string[]' }] };

/** Who gets a fee of an intent order. `flags` is one byte that the contract reads, `feeBps` at most 200 (PROTOCOL 18). */
export interface PartnerAndFee {
  partner: Address;
  flags: number;
  feeBps: number;
}

/** The most that a partner may take, basis points (PROTOCOL 18). */
export const MOST_FEE_BPS = 200;

/** `partner << 96 | flags << 8 | feeBps`. Throws DeskError `bad_partner_fee` for a fee over 200 bps or flags over a byte. */
export function packPartnerAndFee({ partner, flags, feeBps }: PartnerAndFee): bigint {
  if (!isWithin(feeBps, MOST_FEE_BPS) || !isWithin(flags, 255)) {
    throw new DeskError('bad_partner_fee', `A partner's fee is 0 to ${MOST_FEE_BPS} bps and its flags are one byte.`);
  }
  return (BigInt(partner) << 96n) | (BigInt(flags) << 8n) | BigInt(feeBps);
}

/** The other way round; what lies between the flags and the partner is not read. */
export function unpackPartnerAndFee(packed: bigint): PartnerAndFee {
  return {
    partner: `0x${(packed >> 96n).toString(16).padStart(40, '0')}`,
    flags: Number((packed >> 8n) & 0xffn),
    feeBps: Number(packed & 0xffn),
  };
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= most;
}
