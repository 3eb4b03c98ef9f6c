// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The signed order in which either side may be an NFT, its fields in the order in which they are hashed. An asset is packed:
/// bits 0 to 159 its address, above them its kind (see AssetMoves).
struct OrderNFT {
    uint256 nonceAndMeta;
    uint128 expiry;
    uint256 makerAsset;
    uint256 makerAssetId;
    uint256 takerAsset;
    uint256 takerAssetId;
    address maker;
    address taker;
    uint256 makerAmount;
    uint256 takerAmount;
}

bytes32 constant ORDER_NFT_TYPEHASH = keccak256(
    "OrderNFT(uint256 nonceAndMeta,uint128 expiry,uint256 makerAsset,uint256 makerAssetId,uint256 takerAsset,uint256 takerAssetId,address maker,address taker,uint256 makerAmount,uint256 takerAmount)"
);

/// The EIP-712 struct hash: every field is one static word, so the calldata is its own encoding.
function structHashNFT(OrderNFT calldata order) pure returns (bytes32) {
    return keccak256(abi.encode(ORDER_NFT_TYPEHASH, order));
}
