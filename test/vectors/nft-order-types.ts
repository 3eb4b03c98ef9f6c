/** The NFT order's EIP-712 type as published, spelt a second time on purpose, as in order-types.ts. */
export const NFT_ORDER_TYPES = {
  OrderNFT: [
    { name: 'nonceAndMeta', type: 'uint256' },
    { name: 'expiry', type: 'uint128' },
    { name: 'makerAsset', type: 'uint256' },
    { name: 'makerAssetId', type: 'uint256' },
    { name: 'takerAsset', type: 'uint256' },
    { name: 'takerAssetId', type: 'uint256' },
    { name: 'maker', type: 'address' },
    { name: 'taker', type: 'address' },
    { name: 'makerAmount', type: 'uint256' },
    { name: 'takerAmount', type: 'uint256' },
  ],
} as const;

/** As published: the hash of the type's text. */
export const NFT_ORDER_TYPE_HASH = '0xba5673374f195ea076b91318b714c4f3d0887a650164f117b9a64de6237587fb';
