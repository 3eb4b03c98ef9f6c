// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FeeVault} from "./FeeVault.sol";
import {IntentBridgeEscrow} from "./IntentBridgeEscrow.sol";
import {IntentHandler} from "./IntentHandler.sol";
import {Intent, IntentOrder, IntentType} from "./IntentOrder.sol";
import {IntentParts} from "./IntentParts.sol";
import {IntentStrategy} from "./IntentStrategy.sol";
import {MakerSignature} from "./MakerSignature.sol";
import {Permit2, PermitTransferFrom, SignatureTransferDetails} from "./Permit2.sol";
import {SwapFees} from "./SwapFees.sol";
import {IERC20, TokenMoves} from "./TokenMoves.sol";
import {WrappedNative} from "./WrappedNative.sol";

/// What a solver does for an order.
struct Step {
    /// How many fills there must have been, so that none happens twice.
    uint256 fills;
    /// Of the side that is exact.
    uint256 amount;
    /// SELL: what the solver gives. BUY: what they want.
    uint256 offer;
}

/// What a fill must keep to.
struct Part {
    bytes32 orderHash;
    /// The least of the output when the order sells, the most of the input when it buys.
    uint256 limit;
    uint256 expected;
}

/// Settles signed intent orders with what solvers bring. Each fill gives the beneficiary at least what was signed, and
/// takes no more from the owner.
contract IntentSettlement {
    using IntentOrder for Intent;
    using IntentParts for Intent;

    event IntentFilled(
        bytes32 indexed orderHash, address indexed owner, uint256 fill, address solver, uint256 spent, uint256 received
    );
    event IntentCancelled(bytes32 indexed orderHash, address indexed owner);
    event IntentSigned(bytes32 indexed orderHash, address indexed owner);

    struct State {
        /// Of the side that is exact.
        uint256 filled;
        uint64 fills;
        uint64 lastFillAt;
        bool cancelled;
        /// Whether the input lies in the order's strategy.
        bool parked;
    }

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    /// Longer than any permit of a token: the arguments of Permit2's `permitTransferFrom`.
    uint256 private constant SHORTEST_PERMIT2 = 9 * 32;
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    address public immutable operator;
    WrappedNative public immutable wrapped;
    FeeVault public immutable vault;
    Permit2 public immutable permit2;
    IntentBridgeEscrow public immutable escrow;

    mapping(address solver => bool) public isSolver;
    mapping(bytes32 orderHash => State) public states;
    mapping(address owner => mapping(uint256 nonce => bytes32 orderHash)) public orderOf;
    mapping(address owner => mapping(bytes32 orderHash => bool)) public preSigned;
    bool private busy;

    constructor(
        address operator_,
        address[] memory solvers,
        WrappedNative wrapped_,
        FeeVault vault_,
        Permit2 permit2_,
        IntentBridgeEscrow escrow_
    ) {
        operator = operator_;
        wrapped = wrapped_;
        vault = vault_;
        permit2 = permit2_;
        escrow = escrow_;
        for (uint256 i = 0; i < solvers.length; i++) isSolver[solvers[i]] = true;
    }

    /// Ether comes from unwrapping alone.
    receive() external payable {
        require(msg.sender == address(wrapped), "Not wrapped");
    }

    modifier once() {
        require(!busy, "Busy");
        busy = true;
        _;
        busy = false;
    }

    /// Gives what the owner spent, fees included, and what the beneficiary, the handler or the bridge got.
    function fill(Intent calldata intent, bytes calldata signature, Step calldata step)
        external
        once
        returns (uint256 spent, uint256 received)
    {
        require(isSolver[msg.sender], "Not a solver");
        (bytes32 orderHash, State storage state) = open(intent, signature);
        require(step.fills == state.fills, "Already filled");
        require(!intent.isSliced() || state.fills < intent.numSlices, "Already filled");
        require(block.timestamp >= intent.dueAt(state.fills, state.lastFillAt), "Slice too early");
        Part memory part;
        part.orderHash = orderHash;
        (part.limit, part.expected) = intent.limits(state.filled, step.amount);
        state.filled += step.amount;
        state.fills += 1;
        state.lastFillAt = uint64(block.timestamp);
        (spent, received) = intent.isBuy() ? buy(intent, step, part) : sell(intent, step, part);
        if (state.parked && state.filled == (intent.isBuy() ? intent.destAmount : intent.srcAmount)) {
            unpark(intent, orderHash, state);
        }
        emit IntentFilled(orderHash, intent.owner, step.fills, msg.sender, spent, received);
    }

    /// The owner's own way to sign, for wallets that are contracts and for those who lost patience with keys.
    function preSign(bytes32 orderHash) external {
        preSigned[msg.sender][orderHash] = true;
        emit IntentSigned(orderHash, msg.sender);
    }

    /// No more fills. The operator cancels for owners who signed a cancellation. What lies in a strategy goes back.
    function cancel(Intent calldata intent) external once {
        require(msg.sender == intent.owner || msg.sender == operator, "Not the owner");
        bytes32 orderHash = hashOf(intent);
        State storage state = states[orderHash];
        require(!state.cancelled, "Order cancelled");
        state.cancelled = true;
        if (state.parked) unpark(intent, orderHash, state);
        emit IntentCancelled(orderHash, intent.owner);
    }

    /// The input of a ProductiveOrder moves into its strategy.
    function park(Intent calldata intent, bytes calldata signature) external once {
        require(msg.sender == operator, "Not the operator");
        (bytes32 orderHash, State storage state) = open(intent, signature);
        require(intent.orderType == IntentType.ProductiveOrder, "Not productive");
        require(state.fills == 0 && !state.parked, "Already parked");
        state.parked = true;
        uint256 arrived = pull(intent, intent.srcAmount);
        TokenMoves.pay(intent.srcToken, intent.strategy, arrived);
        IntentStrategy(intent.strategy).deposit(orderHash, intent.owner, intent.srcToken, arrived);
    }

    /// What is signed.
    function hashOf(Intent calldata intent) public view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256("Practice Intents"), keccak256("2.0.0"), block.chainid, address(this)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, intent.structHash()));
    }

    /// Whether the owner has signed: with their key, as a contract (EIP-1271), or here.
    function isSigned(address owner, bytes32 orderHash, bytes calldata signature) public view returns (bool) {
        return preSigned[owner][orderHash] || MakerSignature.binds(owner, orderHash, signature);
    }

    /// The checks that do not depend on what is filled. A nonce is of the first order that comes with it.
    function open(Intent calldata intent, bytes calldata signature) private returns (bytes32, State storage) {
        bytes32 orderHash = hashOf(intent);
        State storage state = states[orderHash];
        require(block.timestamp <= intent.deadline, "Order expired");
        require(!state.cancelled, "Order cancelled");
        require(isSigned(intent.owner, orderHash, signature), "Invalid signature");
        bytes32 first = orderOf[intent.owner][intent.nonce];
        require(first == 0 || first == orderHash, "Nonce used");
        if (first == 0) orderOf[intent.owner][intent.nonce] = orderHash;
        return (orderHash, state);
    }

    function sell(Intent calldata intent, Step calldata step, Part memory part) private returns (uint256, uint256) {
        TokenMoves.pay(intent.srcToken, msg.sender, take(intent, part.orderHash, step.amount));
        address token = erc20(intent.destToken);
        uint256 got = collect(token, step.offer);
        uint256 fee = intent.fees(got);
        uint256 net = got - fee;
        uint256 surplus = intent.surplus(part.expected, net > part.expected ? net - part.expected : 0);
        payPartner(intent, token, fee + surplus);
        return (step.amount, deliver(intent, part.orderHash, step.fills, net - surplus, part.limit));
    }

    function buy(Intent calldata intent, Step calldata step, Part memory part)
        private
        returns (uint256 spent, uint256)
    {
        uint256 fee = intent.fees(step.offer);
        spent = step.offer + fee;
        uint256 surplus = intent.surplus(part.expected, part.expected > spent ? part.expected - spent : 0);
        spent += surplus;
        require(spent <= part.limit, "Excessive input");
        uint256 arrived = take(intent, part.orderHash, spent);
        payPartner(intent, intent.srcToken, fee + surplus);
        TokenMoves.pay(intent.srcToken, msg.sender, arrived - fee - surplus);
        uint256 got = collect(erc20(intent.destToken), step.amount);
        return (spent, deliver(intent, part.orderHash, step.fills, got, step.amount));
    }

    function payPartner(Intent calldata intent, address token, uint256 amount) private {
        SwapFees.pay(vault, token, intent.partnerOf(), amount, intent.isDirect());
    }

    /// Takes the input of a fill from where it lies; gives what arrived.
    function take(Intent calldata intent, bytes32 orderHash, uint256 amount) private returns (uint256) {
        if (intent.orderType != IntentType.ProductiveOrder) return pull(intent, amount);
        require(states[orderHash].parked, "Not in the strategy");
        uint256 before = balance(intent.srcToken);
        IntentStrategy(intent.strategy).withdraw(orderHash, amount, address(this));
        return balance(intent.srcToken) - before;
    }

    /// A permit of the token is handed in when the allowance is short; one for Permit2 is good for one transfer.
    function pull(Intent calldata intent, uint256 amount) private returns (uint256) {
        address token = intent.srcToken;
        uint256 before = balance(token);
        if (intent.permit.length >= SHORTEST_PERMIT2) {
            pullByPermit2(intent, amount);
        } else {
            if (intent.permit.length > 0 && IERC20(token).allowance(intent.owner, address(this)) < amount) {
                TokenMoves.permit(token, intent.permit);
            }
            TokenMoves.move(token, intent.owner, address(this), amount);
        }
        return balance(token) - before;
    }

    function pullByPermit2(Intent calldata intent, uint256 amount) private {
        (PermitTransferFrom memory permitted,,, bytes memory signature) =
            abi.decode(intent.permit, (PermitTransferFrom, SignatureTransferDetails, address, bytes));
        require(permitted.permitted.token == intent.srcToken, "Permit failed");
        try permit2.permitTransferFrom(
            permitted, SignatureTransferDetails(address(this), amount), intent.owner, signature
        ) {} catch {
            revert("Permit failed");
        }
    }

    /// The solver's part; gives what arrived.
    function collect(address token, uint256 amount) private returns (uint256) {
        uint256 before = balance(token);
        TokenMoves.move(token, msg.sender, address(this), amount);
        return balance(token) - before;
    }

    function deliver(Intent calldata intent, bytes32 orderHash, uint256 number, uint256 amount, uint256 least)
        private
        returns (uint256 delivered)
    {
        if (intent.bridge.destinationChainId != 0) {
            require(intent.orderType != IntentType.ExternalOrder, "Invalid bridge");
            IERC20(intent.destToken).approve(address(escrow), amount);
            escrow.lock(orderHash, number, intent.bridge, intent.destToken, amount, intent.owner);
            delivered = amount;
        } else if (intent.orderType == IntentType.ExternalOrder) {
            delivered = paid(intent.destToken, intent.handler, amount);
            bytes4 answer = IntentHandler(intent.handler).handle(intent, delivered);
            require(answer == IntentHandler.handle.selector, "Handler failed");
        } else if (intent.destToken == NATIVE) {
            wrapped.withdraw(amount);
            (bool success,) = intent.beneficiary.call{value: amount}("");
            require(success, "Native transfer failed");
            delivered = amount;
        } else {
            delivered = paid(intent.destToken, intent.beneficiary, amount);
        }
        require(delivered >= least, "INSUFFICIENT_OUTPUT");
    }

    function unpark(Intent calldata intent, bytes32 orderHash, State storage state) private {
        state.parked = false;
        IntentStrategy(intent.strategy).close(orderHash);
    }

    function paid(address token, address to, uint256 amount) private returns (uint256) {
        uint256 before = IERC20(token).balanceOf(to);
        TokenMoves.pay(token, to, amount);
        return IERC20(token).balanceOf(to) - before;
    }

    function erc20(address token) private view returns (address) {
        return token == NATIVE ? address(wrapped) : token;
    }

    function balance(address token) private view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }
}
