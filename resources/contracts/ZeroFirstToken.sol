// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PlainToken} from "./PlainToken.sol";

/// A token that changes no allowance into another without zero between them, as USDT does. It knows no permits.
contract ZeroFirstToken is PlainToken {
    constructor(string memory name_, string memory symbol_, uint8 decimals_) PlainToken(name_, symbol_, decimals_) {}

    function approve(address spender, uint256 amount) external override returns (bool) {
        require(amount == 0 || allowance[msg.sender][spender] == 0, "Allowance is not zero");
        setAllowance(msg.sender, spender, amount);
        return true;
    }
}
