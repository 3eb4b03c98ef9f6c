// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "./TokenMoves.sol";

/// The router's way to take from its caller: one text whatever the token says (PROTOCOL 2, section 7).
library TransferHelper {
    function safeTransferFrom(address token, address from, address to, uint256 amount) internal {
        (bool success, bytes memory answer) = token.call(abi.encodeCall(IERC20.transferFrom, (from, to, amount)));
        bool moved = answer.length == 0 ? token.code.length > 0 : success && abi.decode(answer, (bool));
        require(success && moved, "TransferHelper: TRANSFER_FROM_FAILED");
    }
}
