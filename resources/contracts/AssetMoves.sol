// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TokenMoves} from "./TokenMoves.sol";

interface IERC1155 {
    function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes calldata data) external;
}

interface IERC721 {
    function safeTransferFrom(address from, address to, uint256 id) external;
}

/// Moves packed assets: bits 0 to 159 are the token, above them stands its kind.
library AssetMoves {
    uint256 private constant ERC20 = 0;
    uint256 private constant ERC1155 = 1;
    uint256 private constant ERC721 = 2;

    /// Receivers that are contracts must accept NFTs. An ERC-721 token is one of its id and cannot be divided.
    function move(uint256 asset, uint256 id, address from, address to, uint256 amount) internal {
        address token = tokenOf(asset);
        uint256 kind = asset >> 160;
        if (kind == ERC20) {
            TokenMoves.move(token, from, to, amount);
        } else if (kind == ERC1155) {
            IERC1155(token).safeTransferFrom(from, to, id, amount, "");
        } else if (kind == ERC721) {
            require(amount == 1, "Invalid amount");
            IERC721(token).safeTransferFrom(from, to, id);
        } else {
            revert("Invalid token type");
        }
    }

    function tokenOf(uint256 asset) internal pure returns (address) {
        return address(uint160(asset));
    }
}
