// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PlainToken} from "./PlainToken.sol";

/// A token with the permit that DAI had before there was EIP-2612: all or nothing, under the same domain and nonces.
contract DaiToken is PlainToken {
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 public constant PERMIT_TYPEHASH =
        keccak256("Permit(address holder,address spender,uint256 nonce,uint256 expiry,bool allowed)");

    string public constant version = "1";
    mapping(address holder => uint256) public nonces;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) PlainToken(name_, symbol_, decimals_) {}

    function permit(
        address holder,
        address spender,
        uint256 nonce,
        uint256 expiry,
        bool allowed,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 message = keccak256(abi.encode(PERMIT_TYPEHASH, holder, spender, nonce, expiry, allowed));
        address signer = ecrecover(keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), message)), v, r, s);
        require(signer != address(0) && signer == holder, "Invalid permit");
        require(expiry == 0 || block.timestamp <= expiry, "Permit expired");
        require(nonce == nonces[holder]++, "Invalid nonce");
        setAllowance(holder, spender, allowed ? type(uint256).max : 0);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return
            keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256("1"), block.chainid, address(this)));
    }
}
