// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface IERC20 {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
    function approve(address spender, uint256 amount) external returns (bool);
    function allowance(address owner, address spender) external view returns (uint256);
    function balanceOf(address owner) external view returns (uint256);
}

interface IPermit {
    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external;
}

interface IPermitAllowed {
    function permit(
        address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s
    ) external;
}

/// Moves ERC-20 tokens, those that answer nothing included, and hands them permits.
library TokenMoves {
    uint256 private constant WORD = 32;

    /// Reverts with the token's own reason, so that a short balance or allowance can be told apart.
    function move(address token, address from, address to, uint256 amount) internal {
        send(token, abi.encodeCall(IERC20.transferFrom, (from, to, amount)));
    }

    /// Out of the calling contract's own balance.
    function pay(address token, address to, uint256 amount) internal {
        send(token, abi.encodeCall(IERC20.transfer, (to, amount)));
    }

    function send(address token, bytes memory transfer) private {
        (bool success, bytes memory answer) = token.call(transfer);
        if (!success) {
            require(answer.length > 0, "Token transfer failed");
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        bool moved = answer.length == 0 ? token.code.length > 0 : abi.decode(answer, (bool));
        require(moved, "Token transfer failed");
    }

    /// Bytes as long as a permit's arguments are one (seven words: EIP-2612, eight: the older form); others are passed over.
    function permit(address token, bytes calldata arguments) internal {
        bytes4 selector;
        if (arguments.length == 7 * WORD) selector = IPermit.permit.selector;
        else if (arguments.length == 8 * WORD) selector = IPermitAllowed.permit.selector;
        else return;
        (bool success,) = token.call(bytes.concat(selector, arguments));
        require(success, "Permit failed");
    }
}
