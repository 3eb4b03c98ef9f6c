// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FeeVault} from "./FeeVault.sol";
import {TokenMoves} from "./TokenMoves.sol";

/// Who earns on a swap besides the user. Fees are in hundredths of a percent of what the swap moves: of the output when the
/// input is exact, of the input when the output is.
struct Fees {
    /// Earns the fee that belongs to the partner's name at the service.
    address service;
    uint256 serviceFeeBps;
    /// Earns the fee that the caller of the service asked for, and the surplus.
    address partner;
    uint256 partnerFeeBps;
    bool takeSurplus;
    bool capSurplus;
    bool surplusToUser;
    /// The partner is paid at once instead of through the vault.
    bool direct;
}

library SwapFees {
    uint256 internal constant WHOLE_BPS = 10_000;
    uint256 private constant SURPLUS_CAP_BPS = 100;

    /// The three parts; `better` is by how much the swap went better than the quote.
    function parts(Fees calldata fees, uint256 moved, uint256 quoted, uint256 better)
        internal
        pure
        returns (uint256 service, uint256 partner, uint256 surplus)
    {
        service = (moved * fees.serviceFeeBps) / WHOLE_BPS;
        partner = (moved * fees.partnerFeeBps) / WHOLE_BPS;
        if (!fees.takeSurplus || fees.surplusToUser || fees.partner == address(0)) return (service, partner, 0);
        uint256 most = (quoted * SURPLUS_CAP_BPS) / WHOLE_BPS;
        surplus = fees.capSurplus && better > most ? most : better;
    }

    /// Out of the calling contract's own balance.
    function pay(FeeVault vault, address token, address owner, uint256 amount, bool direct) internal {
        if (amount == 0) return;
        TokenMoves.pay(token, direct ? owner : address(vault), amount);
        if (!direct) vault.accrue(token, owner);
    }
}
