// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// What a ProductiveOrder names: its input lies here and earns until it is filled.
interface IntentStrategy {
    /// `amount` has arrived here for this order.
    function deposit(bytes32 orderHash, address owner, address token, uint256 amount) external;

    /// Gives back exactly `amount` of what was deposited.
    function withdraw(bytes32 orderHash, uint256 amount, address to) external;

    /// What is left, and all that was earned, goes to the owner.
    function close(bytes32 orderHash) external returns (uint256);
}
