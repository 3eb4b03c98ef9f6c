// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// How an order crosses chains; a destination of 0 is not at all.
struct Bridge {
    bytes4 protocolSelector;
    uint256 destinationChainId;
    address outputToken;
    int8 scalingFactor;
    bytes protocolData;
}

enum IntentType {
    Order,
    ExternalOrder,
    ProductiveOrder,
    TWAPOrder,
    TWAPBuyOrder
}

/// An order of any type: each signs the fields that it has, and the others are empty.
struct Intent {
    IntentType orderType;
    address owner;
    address beneficiary;
    address srcToken;
    address destToken;
    /// Of all slices (`totalSrcAmount`, `maxSrcAmount`) for the TWAP types.
    uint256 srcAmount;
    /// Of one slice for TWAPOrder, of all (`totalDestAmount`) for TWAPBuyOrder.
    uint256 destAmount;
    uint256 expectedAmount;
    uint256 deadline;
    /// 0 sells exactly `srcAmount`, 1 buys exactly `destAmount`; the TWAP types say it by their names.
    uint8 kind;
    uint256 nonce;
    uint256 partnerAndFee;
    bytes permit;
    bytes metadata;
    address handler;
    bytes data;
    address strategy;
    uint256 interval;
    uint256 numSlices;
    Bridge bridge;
}

/// EIP-712 hashes of the five types.
library IntentOrder {
    bytes private constant BRIDGE =
        "Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData)";
    bytes32 private constant BRIDGE_TYPEHASH = keccak256(BRIDGE);
    bytes private constant PLAIN =
        "Order(address owner,address beneficiary,address srcToken,address destToken,uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline,uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,";
    bytes private constant TWAP_END =
        "uint256 expectedAmount,uint256 deadline,uint256 interval,uint256 numSlices,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge)";
    bytes private constant TWAP_START = "(address owner,address beneficiary,address srcToken,address destToken,";

    bytes32 private constant ORDER_TYPEHASH = keccak256(bytes.concat(PLAIN, "Bridge bridge)", BRIDGE));
    bytes32 private constant EXTERNAL_TYPEHASH =
        keccak256(bytes.concat("External", PLAIN, "address handler,bytes data,Bridge bridge)", BRIDGE));
    bytes32 private constant PRODUCTIVE_TYPEHASH =
        keccak256(bytes.concat("Productive", PLAIN, "address strategy,Bridge bridge)", BRIDGE));
    bytes32 private constant TWAP_TYPEHASH = keccak256(
        bytes.concat("TWAPOrder", TWAP_START, "uint256 totalSrcAmount,uint256 destAmount,", TWAP_END, BRIDGE)
    );
    bytes32 private constant TWAP_BUY_TYPEHASH = keccak256(
        bytes.concat("TWAPBuyOrder", TWAP_START, "uint256 totalDestAmount,uint256 maxSrcAmount,", TWAP_END, BRIDGE)
    );

    function isSliced(Intent calldata intent) internal pure returns (bool) {
        return intent.orderType >= IntentType.TWAPOrder;
    }

    function isBuy(Intent calldata intent) internal pure returns (bool) {
        if (isSliced(intent)) return intent.orderType == IntentType.TWAPBuyOrder;
        return intent.kind == 1;
    }

    /// From when on the next fill may be: each slice but the first comes an interval after the last one.
    function dueAt(Intent calldata intent, uint256 fills, uint256 lastFillAt) internal pure returns (uint256) {
        return isSliced(intent) && fills > 0 ? lastFillAt + intent.interval : 0;
    }

    function structHash(Intent calldata intent) internal pure returns (bytes32) {
        return keccak256(isSliced(intent) ? slicedFields(intent) : plainFields(intent));
    }

    function plainFields(Intent calldata intent) private pure returns (bytes memory) {
        IntentType orderType = intent.orderType;
        bytes memory own;
        bytes32 typehash = ORDER_TYPEHASH;
        if (orderType == IntentType.ExternalOrder) {
            typehash = EXTERNAL_TYPEHASH;
            own = abi.encode(intent.handler, keccak256(intent.data));
        } else if (orderType == IntentType.ProductiveOrder) {
            typehash = PRODUCTIVE_TYPEHASH;
            own = abi.encode(intent.strategy);
        }
        return bytes.concat(
            abi.encode(typehash, intent.owner, intent.beneficiary, intent.srcToken, intent.destToken),
            abi.encode(intent.srcAmount, intent.destAmount, intent.expectedAmount, intent.deadline),
            abi.encode(intent.kind, intent.nonce, intent.partnerAndFee),
            abi.encode(keccak256(intent.permit), keccak256(intent.metadata)),
            own,
            bridgeHash(intent.bridge)
        );
    }

    function slicedFields(Intent calldata intent) private pure returns (bytes memory) {
        bool buy = intent.orderType == IntentType.TWAPBuyOrder;
        (uint256 first, uint256 second) =
            buy ? (intent.destAmount, intent.srcAmount) : (intent.srcAmount, intent.destAmount);
        return bytes.concat(
            abi.encode(buy ? TWAP_BUY_TYPEHASH : TWAP_TYPEHASH, intent.owner, intent.beneficiary),
            abi.encode(intent.srcToken, intent.destToken, first, second, intent.expectedAmount),
            abi.encode(intent.deadline, intent.interval, intent.numSlices, intent.nonce, intent.partnerAndFee),
            abi.encode(keccak256(intent.permit), keccak256(intent.metadata)),
            bridgeHash(intent.bridge)
        );
    }

    function bridgeHash(Bridge calldata bridge) private pure returns (bytes32) {
        return keccak256(
            abi.encode(
                BRIDGE_TYPEHASH,
                bridge.protocolSelector,
                bridge.destinationChainId,
                bridge.outputToken,
                bridge.scalingFactor,
                keccak256(bridge.protocolData)
            )
        );
    }
}
