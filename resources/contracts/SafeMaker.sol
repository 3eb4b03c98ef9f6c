// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MakerSignature} from "./MakerSignature.sol";

/// A maker like a wallet of the Safe kind with one signature needed: what its owners sign is not the hash it is asked
/// about, but that hash wrapped as a message of this very wallet, and it reverts where the signature is none of theirs.
contract SafeMaker {
    error OnlyOwner();

    bytes32 private constant DOMAIN_TYPEHASH = keccak256("EIP712Domain(uint256 chainId,address verifyingContract)");
    bytes32 private constant MESSAGE_TYPEHASH = keccak256("SafeMessage(bytes message)");

    mapping(address account => bool) public isOwner;

    constructor(address owner) {
        isOwner[owner] = true;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        address signer = MakerSignature.recover(messageHash(abi.encode(hash)), signature);
        require(signer != address(0) && isOwner[signer], "GS026");
        return MakerSignature.EIP1271_VALID;
    }

    function messageHash(bytes memory message) public view returns (bytes32) {
        bytes32 separator = keccak256(abi.encode(DOMAIN_TYPEHASH, block.chainid, address(this)));
        bytes32 hashOfStruct = keccak256(abi.encode(MESSAGE_TYPEHASH, keccak256(message)));
        return keccak256(abi.encodePacked(hex"1901", separator, hashOfStruct));
    }

    function setOwner(address account, bool owner) external {
        if (!isOwner[msg.sender]) revert OnlyOwner();
        isOwner[account] = owner;
    }

    /// Makes any call in the wallet's name, such as an approval; a revert comes back as it was.
    function execute(address to, bytes calldata data) external returns (bytes memory) {
        if (!isOwner[msg.sender]) revert OnlyOwner();
        (bool success, bytes memory answer) = to.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        return answer;
    }
}
