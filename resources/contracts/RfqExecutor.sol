// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Order} from "./RfqOrder.sol";
import {RfqSettlement} from "./RfqSettlement.sol";
import {IERC20, TokenMoves} from "./TokenMoves.sol";

/// An execution contract: it fills orders whose `taker` it is, for the user embedded in `nonceAndMeta` and nobody else.
contract RfqExecutor {
    error UnauthorizedUser();
    error TooLittleReceived(uint256 received, uint256 wanted);

    RfqSettlement public immutable settlement;

    constructor(RfqSettlement settlement_) {
        settlement = settlement_;
    }

    /// Takes `takerAmount` of the taker asset from the caller, fills that much of the order, and lets the maker's side
    /// go straight to the caller.
    function fill(Order calldata order, bytes calldata signature, uint256 takerAmount, uint256 minMakerAmount)
        external
        returns (uint256 makerAmount)
    {
        address user = address(uint160(order.nonceAndMeta));
        if (user != address(0) && user != msg.sender) revert UnauthorizedUser();
        TokenMoves.move(order.takerAsset, msg.sender, address(this), takerAmount);
        IERC20(order.takerAsset).approve(address(settlement), takerAmount);
        makerAmount = settlement.partialFillOrderWithTarget(order, signature, takerAmount, msg.sender);
        if (makerAmount < minMakerAmount) revert TooLittleReceived(makerAmount, minMakerAmount);
    }
}
