// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FeeVault} from "./FeeVault.sol";
import {Permit2, PermitTransferFrom, SignatureTransferDetails} from "./Permit2.sol";
import {Order} from "./RfqOrder.sol";
import {RfqSettlement} from "./RfqSettlement.sol";
import {Fees, SwapFees} from "./SwapFees.sol";
import {SwapPool} from "./SwapPool.sol";
import {IERC20, TokenMoves} from "./TokenMoves.sol";
import {TransferHelper} from "./TransferHelper.sol";
import {WrappedNative} from "./WrappedNative.sol";

/// What the caller of a function for any route gives and gets, in the public router's form.
struct GenericData {
    /// The placeholder 0xEeee…EEeE is the chain's native asset.
    address srcToken;
    address destToken;
    /// Exact, or the most when the output is exact.
    uint256 fromAmount;
    /// The least, or exact.
    uint256 toAmount;
    /// The other amount as it was quoted before fees: surplus is measured on it.
    uint256 quotedAmount;
    bytes32 metadata;
    address beneficiary;
}

/// How a swap over any route is carried out: `executorData` of this router, which is its own executor.
struct Route {
    /// Unix seconds; 0 is never.
    uint256 deadline;
    uint256 srcTaxBps;
    uint256 destTaxBps;
    Fees fees;
    Hop[] hops;
}

/// The same for every function. Taxes are what a token keeps of each transfer, in hundredths of a percent.
struct Terms {
    /// The placeholder 0xEeee…EEeE is the chain's native asset.
    address srcToken;
    address destToken;
    /// Exact, or the most when the output is exact.
    uint256 srcAmount;
    /// The least, or exact.
    uint256 destAmount;
    /// The other amount as it was quoted before fees: surplus is measured on it.
    uint256 quotedAmount;
    address beneficiary;
    /// Unix seconds; 0 is never.
    uint256 deadline;
    uint256 srcTaxBps;
    uint256 destTaxBps;
}

/// A part of a hop: a pool, or an RFQ order when `pool` is zero.
struct Leg {
    address pool;
    /// Of the hop's input, or of its output when the output is exact; the last leg takes the rest whatever is named.
    uint256 amount;
    uint256 taxInBps;
    uint256 taxOutBps;
    Order order;
    bytes signature;
}

struct Hop {
    address tokenIn;
    address tokenOut;
    Leg[] legs;
}

/// Swaps atomically over pools and RFQ orders whose `taker` it is, for the user embedded in them and nobody else.
contract MarketRouter {
    error UnauthorizedUser();

    /// Longer than any permit of a token: the arguments of Permit2's `permitTransferFrom`.
    uint256 private constant SHORTEST_PERMIT2 = 9 * 32;
    uint256 private constant WHOLE_BPS = SwapFees.WHOLE_BPS;
    address private constant NATIVE = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    RfqSettlement public immutable settlement;
    WrappedNative public immutable wrapped;
    FeeVault public immutable vault;
    Permit2 public immutable permit2;

    constructor(RfqSettlement settlement_, WrappedNative wrapped_, FeeVault vault_, Permit2 permit2_) {
        settlement = settlement_;
        wrapped = wrapped_;
        vault = vault_;
        permit2 = permit2_;
    }

    /// Ether comes from unwrapping alone.
    receive() external payable {
        require(msg.sender == address(wrapped), "Not wrapped");
    }

    function swapExactAmountIn(
        address executor,
        GenericData calldata data,
        uint256 partnerAndFee,
        bytes calldata permit,
        bytes calldata executorData
    ) external payable returns (uint256) {
        (Terms memory terms, Route calldata route) = termsOf(executor, data, partnerAndFee, executorData);
        uint256 amount = takeIn(terms, terms.srcAmount, permit);
        for (uint256 i = 0; i < route.hops.length; i++) amount = runHop(route.hops[i], amount);
        return settleIn(terms, route.fees, amount);
    }

    /// Takes no more of the input than this output costs now.
    function swapExactAmountOut(
        address executor,
        GenericData calldata data,
        uint256 partnerAndFee,
        bytes calldata permit,
        bytes calldata executorData
    ) external payable returns (uint256) {
        (Terms memory terms, Route calldata route) = termsOf(executor, data, partnerAndFee, executorData);
        Hop[] calldata hops = route.hops;
        uint256[][] memory inputs = new uint256[][](hops.length);
        uint256 needed = grossUp(terms.destAmount, terms.destTaxBps);
        for (uint256 i = hops.length; i > 0; i--) (inputs[i - 1], needed) = inputsOf(hops[i - 1], needed);
        uint256 left = payIn(terms, route.fees, needed, permit);
        for (uint256 i = 0; i < hops.length; i++) left = runExactly(hops[i], inputs[i], left);
        return deliver(terms, left);
    }

    function swapExactAmountInOnPool(Terms calldata terms, Fees calldata fees, SwapPool pool, bytes calldata permit)
        external
        payable
        returns (uint256)
    {
        uint256 amount = takeIn(terms, terms.srcAmount, permit);
        return settleIn(terms, fees, throughPool(pool, erc20(terms.srcToken), erc20(terms.destToken), amount));
    }

    function swapExactAmountOutOnPool(Terms calldata terms, Fees calldata fees, SwapPool pool, bytes calldata permit)
        external
        payable
        returns (uint256)
    {
        address tokenIn = erc20(terms.srcToken);
        uint256 needed = pool.getAmountIn(tokenIn, terms.destAmount);
        payIn(terms, fees, needed, permit);
        return deliver(terms, throughPool(pool, tokenIn, erc20(terms.destToken), needed));
    }

    /// Fills one order with `srcAmount`. Knows no fees.
    function swapOnRFQ(Terms calldata terms, Order calldata order, bytes calldata signature, bytes calldata permit)
        external
        payable
        returns (uint256)
    {
        checkTokens(order, erc20(terms.srcToken), erc20(terms.destToken));
        uint256 amount = takeIn(terms, terms.srcAmount, permit);
        return deliver(terms, throughOrder(order, signature, amount));
    }

    /// The terms of a function for any route, and the route. The fees that its word names have to be those of the route.
    function termsOf(address executor, GenericData calldata data, uint256 partnerAndFee, bytes calldata executorData)
        private
        view
        returns (Terms memory terms, Route calldata route)
    {
        require(executor == address(this), "Invalid executor");
        assembly {
            route := add(executorData.offset, 32)
        }
        require(partnerAndFee & 0x3FFF == route.fees.serviceFeeBps + route.fees.partnerFeeBps, "Invalid fees");
        terms = Terms({
            srcToken: data.srcToken,
            destToken: data.destToken,
            srcAmount: data.fromAmount,
            destAmount: data.toAmount,
            quotedAmount: data.quotedAmount,
            beneficiary: data.beneficiary,
            deadline: route.deadline,
            srcTaxBps: route.srcTaxBps,
            destTaxBps: route.destTaxBps
        });
    }

    /// Takes the input from the caller and wraps it if it is native; gives what arrived.
    function takeIn(Terms memory terms, uint256 amount, bytes calldata permit) private returns (uint256) {
        require(terms.deadline == 0 || block.timestamp <= terms.deadline, "Transaction expired");
        if (terms.srcToken == NATIVE) {
            require(msg.value >= amount, "Invalid native amount");
            wrapped.deposit{value: amount}();
            if (msg.value > amount) sendNative(msg.sender, msg.value - amount);
            return amount;
        }
        require(msg.value == 0, "Invalid native amount");
        uint256 before = balance(terms.srcToken);
        if (permit.length >= SHORTEST_PERMIT2) {
            takeByPermit2(terms.srcToken, amount, permit);
        } else {
            TokenMoves.permit(terms.srcToken, permit);
            TransferHelper.safeTransferFrom(terms.srcToken, msg.sender, address(this), amount);
        }
        return balance(terms.srcToken) - before;
    }

    /// As much as the swap takes, which may be less than was permitted.
    function takeByPermit2(address token, uint256 amount, bytes calldata permit) private {
        (PermitTransferFrom memory permitted,,, bytes memory signature) =
            abi.decode(permit, (PermitTransferFrom, SignatureTransferDetails, address, bytes));
        require(permitted.permitted.token == token, "Permit failed");
        try permit2.permitTransferFrom(
            permitted, SignatureTransferDetails(address(this), amount), msg.sender, signature
        ) {} catch {
            revert("Permit failed");
        }
    }

    /// What is needed and the fees on it are taken in, fees paid, and the rest is what is left for the first hop.
    function payIn(Terms memory terms, Fees calldata fees, uint256 needed, bytes calldata permit)
        private
        returns (uint256 left)
    {
        uint256 better = terms.quotedAmount > needed ? terms.quotedAmount - needed : 0;
        (uint256 service, uint256 partner, uint256 surplus) = SwapFees.parts(fees, needed, terms.quotedAmount, better);
        uint256 most = grossUp(needed + service + partner + surplus, terms.srcTaxBps);
        require(most <= terms.srcAmount, "INSUFFICIENT_OUTPUT");
        left = takeIn(terms, most, permit) - service - partner - surplus;
        payFees(erc20(terms.srcToken), fees, service, partner + surplus);
    }

    function settleIn(Terms memory terms, Fees calldata fees, uint256 amount) private returns (uint256) {
        uint256 better = amount > terms.quotedAmount ? amount - terms.quotedAmount : 0;
        (uint256 service, uint256 partner, uint256 surplus) = SwapFees.parts(fees, amount, terms.quotedAmount, better);
        payFees(erc20(terms.destToken), fees, service, partner + surplus);
        return deliver(terms, amount - service - partner - surplus);
    }

    function payFees(address token, Fees calldata fees, uint256 service, uint256 partner) private {
        SwapFees.pay(vault, token, fees.service, service, false);
        SwapFees.pay(vault, token, fees.partner, partner, fees.direct);
    }

    function deliver(Terms memory terms, uint256 amount) private returns (uint256 delivered) {
        address to = terms.beneficiary == address(0) ? msg.sender : terms.beneficiary;
        if (terms.destToken == NATIVE) {
            delivered = amount;
            wrapped.withdraw(amount);
            sendNative(to, amount);
        } else {
            uint256 before = IERC20(terms.destToken).balanceOf(to);
            TokenMoves.pay(terms.destToken, to, amount);
            delivered = IERC20(terms.destToken).balanceOf(to) - before;
        }
        require(delivered >= terms.destAmount, "INSUFFICIENT_OUTPUT");
    }

    /// What the legs cannot take goes back to the caller.
    function runHop(Hop calldata hop, uint256 amount) private returns (uint256 got) {
        uint256 last = hop.legs.length - 1;
        for (uint256 i = 0; i <= last; i++) {
            Leg calldata leg = hop.legs[i];
            uint256 part = i == last || leg.amount > amount ? amount : leg.amount;
            if (leg.pool == address(0) && part > leg.order.takerAmount) part = leg.order.takerAmount;
            if (part == 0) continue;
            amount -= part;
            got += throughLeg(hop, leg, part);
        }
        if (amount > 0) TokenMoves.pay(hop.tokenIn, msg.sender, amount);
    }

    function runExactly(Hop calldata hop, uint256[] memory inputs, uint256 left) private returns (uint256 got) {
        for (uint256 i = 0; i < inputs.length; i++) {
            if (inputs[i] == 0) continue;
            left -= inputs[i];
            got += throughLeg(hop, hop.legs[i], inputs[i]);
        }
        if (left > 0) TokenMoves.pay(hop.tokenIn, msg.sender, left);
    }

    /// What each leg wants so that `wanted` of the output arrives here.
    function inputsOf(Hop calldata hop, uint256 wanted) private view returns (uint256[] memory inputs, uint256 sum) {
        inputs = new uint256[](hop.legs.length);
        for (uint256 i = 0; i < inputs.length; i++) {
            Leg calldata leg = hop.legs[i];
            uint256 part = i + 1 == inputs.length || leg.amount > wanted ? wanted : leg.amount;
            if (part == 0) continue;
            wanted -= part;
            inputs[i] = grossUp(inputOf(hop.tokenIn, leg, grossUp(part, leg.taxOutBps)), leg.taxInBps);
            sum += inputs[i];
        }
    }

    function inputOf(address tokenIn, Leg calldata leg, uint256 amountOut) private view returns (uint256) {
        if (leg.pool != address(0)) return SwapPool(leg.pool).getAmountIn(tokenIn, amountOut);
        Order calldata order = leg.order;
        return (amountOut * order.takerAmount + order.makerAmount - 1) / order.makerAmount;
    }

    function throughLeg(Hop calldata hop, Leg calldata leg, uint256 amount) private returns (uint256) {
        if (leg.pool != address(0)) return throughPool(SwapPool(leg.pool), hop.tokenIn, hop.tokenOut, amount);
        checkTokens(leg.order, hop.tokenIn, hop.tokenOut);
        return throughOrder(leg.order, leg.signature, amount);
    }

    function throughPool(SwapPool pool, address tokenIn, address tokenOut, uint256 amount) private returns (uint256) {
        uint256 before = balance(tokenOut);
        TokenMoves.pay(tokenIn, address(pool), amount);
        pool.swap(tokenIn, address(this));
        return balance(tokenOut) - before;
    }

    function throughOrder(Order calldata order, bytes calldata signature, uint256 amount) private returns (uint256) {
        address user = address(uint160(order.nonceAndMeta));
        if (user != address(0) && user != msg.sender) revert UnauthorizedUser();
        uint256 before = balance(order.makerAsset);
        IERC20(order.takerAsset).approve(address(settlement), amount);
        settlement.partialFillOrderWithTarget(order, signature, amount, address(this));
        return balance(order.makerAsset) - before;
    }

    function checkTokens(Order calldata order, address tokenIn, address tokenOut) private pure {
        require(order.takerAsset == tokenIn && order.makerAsset == tokenOut, "Invalid order");
    }

    function erc20(address token) private view returns (address) {
        return token == NATIVE ? address(wrapped) : token;
    }

    function balance(address token) private view returns (uint256) {
        return IERC20(token).balanceOf(address(this));
    }

    function sendNative(address to, uint256 amount) private {
        (bool success,) = to.call{value: amount}("");
        require(success, "Native transfer failed");
    }

    /// The least that must be sent so that `amount` arrives.
    function grossUp(uint256 amount, uint256 taxBps) private pure returns (uint256) {
        if (taxBps == 0 || amount == 0) return amount;
        return ((amount - 1) * WHOLE_BPS) / (WHOLE_BPS - taxBps) + 1;
    }
}
