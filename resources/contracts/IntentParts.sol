// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Intent, IntentOrder} from "./IntentOrder.sol";

/// What one fill may be of an order: the least of the output when it sells, the most of the input when it buys.
library IntentParts {
    using IntentOrder for Intent;

    uint256 private constant WHOLE_BPS = 10_000;
    uint256 private constant SURPLUS_CAP_BPS = 100;
    uint256 private constant MOST_FEE_BPS = 200;
    uint256 private constant TAKE_SURPLUS = 1;
    uint256 private constant CAP_SURPLUS = 2;
    uint256 private constant PARTIALLY_FILLABLE = 4;
    uint256 private constant DIRECT_FEE = 8;

    /// `amount` is of the side that is exact. Rounds for the owner.
    function limits(Intent calldata intent, uint256 filled, uint256 amount)
        internal
        pure
        returns (uint256 limit, uint256 expected)
    {
        if (intent.isSliced()) return sliceLimits(intent, amount);
        bool buy = intent.isBuy();
        (uint256 whole, uint256 other) =
            buy ? (intent.destAmount, intent.srcAmount) : (intent.srcAmount, intent.destAmount);
        require(filled < whole, "Already filled");
        require(amount > 0 && amount <= whole - filled, "Invalid amount");
        require(amount == whole || flags(intent) & PARTIALLY_FILLABLE != 0, "Fill or kill");
        limit = buy ? (other * amount) / whole : (other * amount + whole - 1) / whole;
        expected = (intent.expectedAmount * amount) / whole;
    }

    /// The slice is floor(total / numSlices); what remains of the total is never filled.
    function sliceLimits(Intent calldata intent, uint256 amount) private pure returns (uint256, uint256) {
        bool buy = intent.isBuy();
        uint256 total = buy ? intent.destAmount : intent.srcAmount;
        require(amount > 0 && amount == total / intent.numSlices, "Invalid amount");
        return (buy ? intent.srcAmount / intent.numSlices : intent.destAmount, intent.expectedAmount);
    }

    /// What the partner earns on `moved`, and on what is `better` than expected.
    function fees(Intent calldata intent, uint256 moved) internal pure returns (uint256) {
        uint256 bps = uint8(intent.partnerAndFee);
        require(bps <= MOST_FEE_BPS, "Fee too high");
        return partnerOf(intent) == address(0) ? 0 : (moved * bps) / WHOLE_BPS;
    }

    function surplus(Intent calldata intent, uint256 expected, uint256 better) internal pure returns (uint256) {
        if (flags(intent) & TAKE_SURPLUS == 0 || partnerOf(intent) == address(0)) return 0;
        uint256 most = (expected * SURPLUS_CAP_BPS) / WHOLE_BPS;
        return flags(intent) & CAP_SURPLUS != 0 && better > most ? most : better;
    }

    function partnerOf(Intent calldata intent) internal pure returns (address) {
        return address(uint160(intent.partnerAndFee >> 96));
    }

    function isDirect(Intent calldata intent) internal pure returns (bool) {
        return flags(intent) & DIRECT_FEE != 0;
    }

    function flags(Intent calldata intent) private pure returns (uint8) {
        return uint8(intent.partnerAndFee >> 8);
    }
}
