// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Bridge} from "./IntentOrder.sol";
import {TokenMoves} from "./TokenMoves.sol";

/// One end of a bridge between practice chains. What is locked here is paid out at the other end by the operator, or goes
/// back to its owner; either way once.
contract IntentBridgeEscrow {
    struct Lock {
        address owner;
        address token;
        uint256 amount;
        bool refunded;
    }

    event BridgeLocked(bytes32 indexed id, bytes32 indexed orderHash, address token, uint256 amount, uint256 output);
    event BridgeReleased(bytes32 indexed id, address token, address to, uint256 amount);
    event BridgeRefunded(bytes32 indexed id, address token, address owner, uint256 amount);

    /// The `protocolSelector` of the practice bridge.
    bytes4 public constant PROTOCOL = bytes4(keccak256("PracticeBridge"));

    address public immutable operator;
    mapping(bytes32 id => Lock) public locks;
    mapping(bytes32 id => bool) public released;

    constructor(address operator_) {
        operator = operator_;
    }

    modifier onlyOperator() {
        require(msg.sender == operator, "Not the operator");
        _;
    }

    /// Takes in what the caller has approved.
    function lock(bytes32 orderHash, uint256 fill, Bridge calldata bridge, address token, uint256 amount, address owner)
        external
        returns (bytes32 id)
    {
        require(bridge.protocolSelector == PROTOCOL && bridge.destinationChainId != block.chainid, "Invalid bridge");
        id = keccak256(abi.encode(block.chainid, msg.sender, orderHash, fill));
        require(locks[id].owner == address(0), "Already locked");
        locks[id] = Lock(owner, token, amount, false);
        TokenMoves.move(token, msg.sender, address(this), amount);
        emit BridgeLocked(id, orderHash, token, amount, outputOf(bridge, amount));
    }

    /// What arrives at the other end: the fee stays, and the rest is counted in the other token's decimals, rounded down.
    function outputOf(Bridge calldata bridge, uint256 amount) public pure returns (uint256) {
        uint256 fee = bridge.protocolData.length == 0 ? 0 : abi.decode(bridge.protocolData, (uint256));
        require(amount > fee, "Bridge fee too high");
        int256 scale = bridge.scalingFactor;
        return scale < 0 ? (amount - fee) / 10 ** uint256(-scale) : (amount - fee) * 10 ** uint256(scale);
    }

    /// Pays for a lock at the other end, out of what lies here.
    function release(bytes32 id, address token, address to, uint256 amount) external onlyOperator {
        require(!released[id], "Already released");
        released[id] = true;
        TokenMoves.pay(token, to, amount);
        emit BridgeReleased(id, token, to, amount);
    }

    function refund(bytes32 id) external onlyOperator {
        Lock storage locked = locks[id];
        require(locked.owner != address(0) && !locked.refunded, "Nothing to refund");
        locked.refunded = true;
        TokenMoves.pay(locked.token, locked.owner, locked.amount);
        emit BridgeRefunded(id, locked.token, locked.owner, locked.amount);
    }
}
