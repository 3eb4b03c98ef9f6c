// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// The signed order, its fields in the order in which they are hashed.
struct Order {
    uint256 nonceAndMeta;
    uint128 expiry;
    address makerAsset;
    address takerAsset;
    address maker;
    address taker;
    uint256 makerAmount;
    uint256 takerAmount;
}

/// One order of a batch: how much of it to fill, and the permits to hand to its two tokens first.
struct OrderInfo {
    Order order;
    bytes signature;
    uint256 takerTokenFillAmount;
    bytes permitTakerAsset;
    bytes permitMakerAsset;
}

bytes32 constant ORDER_TYPEHASH = keccak256(
    "Order(uint256 nonceAndMeta,uint128 expiry,address makerAsset,address takerAsset,address maker,address taker,uint256 makerAmount,uint256 takerAmount)"
);

/// The EIP-712 struct hash: every field is one static word, so the calldata is its own encoding.
function structHash(Order calldata order) pure returns (bytes32) {
    return keccak256(abi.encode(ORDER_TYPEHASH, order));
}
