// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Order} from "./RfqOrder.sol";
import {RfqSettlement} from "./RfqSettlement.sol";
import {IERC20, TokenMoves} from "./TokenMoves.sol";

/// An execution contract: it fills orders whose `taker` it is, for the user embedded in `nonceAndMeta` and nobody else.
/// What somebody receives is what their balance grew by, so a token that takes a fee is seen.
contract RfqExecutor {
    error UnauthorizedUser();
    error TooLittleReceived(uint256 received, uint256 wanted);
    error WrongPath();

    RfqSettlement public immutable settlement;

    constructor(RfqSettlement settlement_) {
        settlement = settlement_;
    }

    /// Takes `takerAmount` of the taker asset from the caller, fills that much of the order, and lets the maker's side
    /// go straight to the caller.
    function fill(Order calldata order, bytes calldata signature, uint256 takerAmount, uint256 minMakerAmount)
        external
        returns (uint256 received)
    {
        onlyForCaller(order);
        uint256 arrived = takeIn(order.takerAsset, takerAmount);
        received = pass(order, signature, arrived, msg.sender);
        if (received < minMakerAmount) revert TooLittleReceived(received, minMakerAmount);
    }

    /// Several orders in a row, all or none: what one gives is what the next is paid with. The first is paid
    /// `takerAmount`, every order is filled only as far as needed, and what an order gives beyond what the next can take
    /// goes to the caller like the last one's side.
    function fillPath(
        Order[] calldata orders,
        bytes[] calldata signatures,
        uint256 takerAmount,
        uint256 minMakerAmount
    ) external returns (uint256 received) {
        if (orders.length == 0 || orders.length != signatures.length) revert WrongPath();
        for (uint256 i = 0; i < orders.length; i++) onlyForCaller(orders[i]);
        uint256 last = orders.length - 1;
        uint256 amount = takeIn(orders[0].takerAsset, takerAmount);
        for (uint256 i = 0; i < last; i++) {
            Order calldata next = orders[i + 1];
            if (orders[i].makerAsset != next.takerAsset) revert WrongPath();
            amount = pass(orders[i], signatures[i], amount, address(this));
            if (amount <= next.takerAmount) continue;
            TokenMoves.pay(next.takerAsset, msg.sender, amount - next.takerAmount);
            amount = next.takerAmount;
        }
        received = pass(orders[last], signatures[last], amount, msg.sender);
        if (received < minMakerAmount) revert TooLittleReceived(received, minMakerAmount);
    }

    function onlyForCaller(Order calldata order) private view {
        address user = address(uint160(order.nonceAndMeta));
        if (user != address(0) && user != msg.sender) revert UnauthorizedUser();
    }

    function takeIn(address token, uint256 amount) private returns (uint256 arrived) {
        uint256 before = IERC20(token).balanceOf(address(this));
        TokenMoves.move(token, msg.sender, address(this), amount);
        arrived = IERC20(token).balanceOf(address(this)) - before;
    }

    /// Pays one order with what is here and lets its side go to `target`.
    function pass(Order calldata order, bytes calldata signature, uint256 takerAmount, address target)
        private
        returns (uint256 received)
    {
        uint256 before = IERC20(order.makerAsset).balanceOf(target);
        IERC20(order.takerAsset).approve(address(settlement), takerAmount);
        settlement.partialFillOrderWithTarget(order, signature, takerAmount, target);
        received = IERC20(order.makerAsset).balanceOf(target) - before;
    }
}
