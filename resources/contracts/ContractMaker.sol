// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MakerSignature} from "./MakerSignature.sol";

/// A maker that is a contract: it holds the funds, and its owner's key signs the orders (EIP-1271).
contract ContractMaker {
    error OnlyOwner();

    address public immutable owner;

    constructor(address owner_) {
        owner = owner_;
    }

    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
        address signer = MakerSignature.recover(hash, signature);
        return signer != address(0) && signer == owner ? MakerSignature.EIP1271_VALID : bytes4(0xffffffff);
    }

    /// Makes any call in the wallet's name, such as an approval or a cancellation; a revert comes back as it was.
    function execute(address to, bytes calldata data) external returns (bytes memory) {
        if (msg.sender != owner) revert OnlyOwner();
        (bool success, bytes memory answer) = to.call(data);
        if (!success) {
            assembly ("memory-safe") {
                revert(add(answer, 32), mload(answer))
            }
        }
        return answer;
    }
}
