// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20, TokenMoves} from "./TokenMoves.sol";

/// Keeps partner fees and surplus until they are claimed.
contract FeeVault {
    event FeeAccrued(address indexed token, address indexed owner, uint256 amount);
    event FeeClaimed(address indexed token, address indexed owner, uint256 amount);

    mapping(address token => mapping(address owner => uint256)) public balanceOf;
    mapping(address token => uint256) private kept;

    /// Whatever of the token has arrived here since the last call belongs to `owner`.
    function accrue(address token, address owner) external {
        uint256 amount = IERC20(token).balanceOf(address(this)) - kept[token];
        kept[token] += amount;
        balanceOf[token][owner] += amount;
        emit FeeAccrued(token, owner, amount);
    }

    function claim(address token) external returns (uint256 amount) {
        amount = balanceOf[token][msg.sender];
        balanceOf[token][msg.sender] = 0;
        kept[token] -= amount;
        TokenMoves.pay(token, msg.sender, amount);
        emit FeeClaimed(token, msg.sender, amount);
    }
}
