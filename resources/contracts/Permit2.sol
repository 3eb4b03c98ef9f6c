// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MakerSignature} from "./MakerSignature.sol";
import {TokenMoves} from "./TokenMoves.sol";

struct TokenPermissions {
    address token;
    uint256 amount;
}

struct PermitTransferFrom {
    TokenPermissions permitted;
    uint256 nonce;
    uint256 deadline;
}

struct SignatureTransferDetails {
    address to;
    uint256 requestedAmount;
}

/// As much of Permit2 as a swap needs: one transfer for one signature, of any token that its owner has approved here.
contract Permit2 {
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)");
    bytes32 private constant TOKEN_TYPEHASH = keccak256("TokenPermissions(address token,uint256 amount)");
    bytes32 private constant PERMIT_TYPEHASH = keccak256(
        "PermitTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline)TokenPermissions(address token,uint256 amount)"
    );

    mapping(address owner => mapping(uint256 word => uint256)) public nonceBitmap;

    function permitTransferFrom(
        PermitTransferFrom calldata permit,
        SignatureTransferDetails calldata details,
        address owner,
        bytes calldata signature
    ) external {
        require(block.timestamp <= permit.deadline, "Signature expired");
        require(details.requestedAmount <= permit.permitted.amount, "Invalid amount");
        useNonce(owner, permit.nonce);
        require(MakerSignature.binds(owner, typedHash(permit), signature), "Invalid signer");
        TokenMoves.move(permit.permitted.token, owner, details.to, details.requestedAmount);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256("Permit2"), block.chainid, address(this)));
    }

    /// Nonces come in any order; each is good once.
    function useNonce(address owner, uint256 nonce) private {
        uint256 bit = 1 << uint8(nonce);
        require(nonceBitmap[owner][nonce >> 8] & bit == 0, "Invalid nonce");
        nonceBitmap[owner][nonce >> 8] |= bit;
    }

    /// The spender is whoever calls.
    function typedHash(PermitTransferFrom calldata permit) private view returns (bytes32) {
        bytes32 permitted = keccak256(abi.encode(TOKEN_TYPEHASH, permit.permitted));
        bytes32 message =
            keccak256(abi.encode(PERMIT_TYPEHASH, permitted, msg.sender, permit.nonce, permit.deadline));
        return keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), message));
    }
}
