// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Intent} from "./IntentOrder.sol";

/// What an ExternalOrder names: it is given the output of a fill and does with it what the owner signed in `data`.
interface IntentHandler {
    /// `amount` of the output has arrived here. Answers with this function's selector.
    function handle(Intent calldata intent, uint256 amount) external returns (bytes4);
}
