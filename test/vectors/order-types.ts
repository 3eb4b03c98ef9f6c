/**
 * The order's EIP-712 type as published, spelt here a second time on purpose: tests hash with viem and this, never with
 * the desk's own code. The order of the fields is the type's, not that of the protocol's table.
 */
export const ORDER_TYPES = {
  Order: [
    { name: 'nonceAndMeta', type: 'uint256' },
    { name: 'expiry', type: 'uint128' },
    { name: 'makerAsset', type: 'address' },
    { name: 'takerAsset', type: 'address' },
    { name: 'maker', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
  ],
} as const;
