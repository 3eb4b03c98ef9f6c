// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface IERC1271 {
    function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4);
}

/// Both signature kinds of the settlement: a key's own (65 bytes, or 64 as in EIP-2098), and EIP-1271.
library MakerSignature {
    bytes4 internal constant EIP1271_VALID = 0x1626ba7e;

    /// Half of the curve's order: a larger `s` is the other, malleable form of the same signature.
    uint256 private constant HALF_ORDER = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// Whether `signature` over `hash` binds `maker`. What does not recover to the maker is put to the maker's contract.
    function binds(address maker, bytes32 hash, bytes calldata signature) internal view returns (bool) {
        address signer = recover(hash, signature);
        if (signer != address(0) && signer == maker) return true;
        return acceptedByContract(maker, hash, signature);
    }

    /// The address whose key signed, or zero when the bytes are no signature.
    function recover(bytes32 hash, bytes calldata signature) internal pure returns (address) {
        uint8 v;
        bytes32 s;
        if (signature.length == 65) {
            s = bytes32(signature[32:64]);
            v = uint8(signature[64]);
        } else if (signature.length == 64) {
            uint256 vs = uint256(bytes32(signature[32:64]));
            s = bytes32((vs << 1) >> 1);
            v = uint8(vs >> 255) + 27;
        } else {
            return address(0);
        }
        if (uint256(s) > HALF_ORDER || (v != 27 && v != 28)) return address(0);
        return ecrecover(hash, v, bytes32(signature[0:32]), s);
    }

    function acceptedByContract(address maker, bytes32 hash, bytes calldata signature) private view returns (bool) {
        (bool success, bytes memory answer) =
            maker.staticcall(abi.encodeCall(IERC1271.isValidSignature, (hash, signature)));
        return success && answer.length == 32 && bytes32(answer) == bytes32(EIP1271_VALID);
    }
}
