// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IntentHandler} from "./IntentHandler.sol";
import {Intent} from "./IntentOrder.sol";
import {TokenMoves} from "./TokenMoves.sol";

struct Share {
    address to;
    uint256 bps;
}

/// A handler that divides the output among accounts. `data` is `Share[]`; the beneficiary gets what they leave.
contract IntentSplitter is IntentHandler {
    uint256 private constant WHOLE_BPS = 10_000;

    function handle(Intent calldata intent, uint256 amount) external returns (bytes4) {
        Share[] memory shares = abi.decode(intent.data, (Share[]));
        uint256 left = amount;
        for (uint256 i = 0; i < shares.length; i++) {
            uint256 part = (amount * shares[i].bps) / WHOLE_BPS;
            require(part <= left, "Shares over the whole");
            left -= part;
            TokenMoves.pay(intent.destToken, shares[i].to, part);
        }
        TokenMoves.pay(intent.destToken, intent.beneficiary, left);
        return IntentHandler.handle.selector;
    }
}
