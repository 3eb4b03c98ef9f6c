// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {AssetMoves} from "./AssetMoves.sol";
import {MakerSignature} from "./MakerSignature.sol";
import {Order, OrderInfo, structHash} from "./RfqOrder.sol";
import {OrderNFT, structHashNFT} from "./RfqOrderNFT.sol";
import {TokenMoves} from "./TokenMoves.sol";

/// Settles signed RFQ orders of ERC-20 tokens, and of NFTs by packed assets. It has no owner, no pause and no cancel-all: a maker stops an order by its hash,
/// or by taking back the allowance.
contract RfqSettlement {
    event OrderFilled(
        bytes32 indexed orderHash,
        address indexed maker,
        address makerAsset,
        uint256 makerAmount,
        address indexed taker,
        address takerAsset,
        uint256 takerAmount
    );
    event OrderFilledNFT(
        bytes32 indexed orderHash,
        address indexed maker,
        uint256 makerAsset,
        uint256 makerAssetId,
        uint256 makerAmount,
        address indexed taker,
        uint256 takerAsset,
        uint256 takerAssetId,
        uint256 takerAmount
    );
    event OrderCancelled(bytes32 indexed orderHash, address indexed maker);

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    uint256 private constant UNSEEN = 0;
    uint256 private constant FINISHED = 1;

    bytes32 private immutable nameHash;
    uint256 private immutable deployedChainId;
    bytes32 private immutable deployedSeparator;

    /// By maker and order hash: 0 never seen, 1 filled or cancelled, n > 1 means n - 1 units of the maker asset are left.
    mapping(address maker => mapping(bytes32 orderHash => uint256)) public remaining;

    /// @param domainName the `name` of the EIP-712 domain under which orders are signed
    constructor(string memory domainName) {
        nameHash = keccak256(bytes(domainName));
        deployedChainId = block.chainid;
        deployedSeparator = buildSeparator(keccak256(bytes(domainName)));
    }

    function fillOrder(Order calldata order, bytes calldata signature) external {
        fillOrderWithTarget(order, signature, msg.sender);
    }

    /// Fills the whole order and sends what the maker gives to `target`.
    function fillOrderWithTarget(Order calldata order, bytes calldata signature, address target) public {
        require(order.makerAmount > 0 && order.takerAmount > 0, "Invalid amount");
        settle(order, signature, order.makerAmount, order.takerAmount, target);
    }

    function partialFillOrder(Order calldata order, bytes calldata signature, uint256 takerTokenFillAmount)
        external
        returns (uint256 makerTokenFilledAmount)
    {
        return partialFillOrderWithTarget(order, signature, takerTokenFillAmount, msg.sender);
    }

    function partialFillOrderWithTarget(
        Order calldata order,
        bytes calldata signature,
        uint256 takerTokenFillAmount,
        address target
    ) public returns (uint256 makerTokenFilledAmount) {
        makerTokenFilledAmount = makerShare(order.makerAmount, order.takerAmount, takerTokenFillAmount);
        settle(order, signature, makerTokenFilledAmount, takerTokenFillAmount, target);
    }

    function partialFillOrderWithTargetPermit(
        Order calldata order,
        bytes calldata signature,
        uint256 takerTokenFillAmount,
        address target,
        bytes calldata permitTakerAsset,
        bytes calldata permitMakerAsset
    ) public returns (uint256 makerTokenFilledAmount) {
        makerTokenFilledAmount = makerShare(order.makerAmount, order.takerAmount, takerTokenFillAmount);
        TokenMoves.permit(order.takerAsset, permitTakerAsset);
        TokenMoves.permit(order.makerAsset, permitMakerAsset);
        settle(order, signature, makerTokenFilledAmount, takerTokenFillAmount, target);
    }

    function fillOrderNFT(OrderNFT calldata order, bytes calldata signature) external {
        fillOrderWithTargetNFT(order, signature, msg.sender);
    }

    /// Fills the whole order and sends what the maker gives to `target`.
    function fillOrderWithTargetNFT(OrderNFT calldata order, bytes calldata signature, address target) public {
        require(order.makerAmount > 0 && order.takerAmount > 0, "Invalid amount");
        settleNFT(order, signature, order.makerAmount, order.takerAmount, target);
    }

    function partialFillOrderNFT(OrderNFT calldata order, bytes calldata signature, uint256 takerTokenFillAmount)
        external
        returns (uint256 makerTokenFilledAmount)
    {
        return partialFillOrderWithTargetNFT(order, signature, takerTokenFillAmount, msg.sender);
    }

    function partialFillOrderWithTargetNFT(
        OrderNFT calldata order,
        bytes calldata signature,
        uint256 takerTokenFillAmount,
        address target
    ) public returns (uint256 makerTokenFilledAmount) {
        makerTokenFilledAmount = makerShare(order.makerAmount, order.takerAmount, takerTokenFillAmount);
        settleNFT(order, signature, makerTokenFilledAmount, takerTokenFillAmount, target);
    }

    function partialFillOrderWithTargetPermitNFT(
        OrderNFT calldata order,
        bytes calldata signature,
        uint256 takerTokenFillAmount,
        address target,
        bytes calldata permitTakerAsset,
        bytes calldata permitMakerAsset
    ) external returns (uint256 makerTokenFilledAmount) {
        makerTokenFilledAmount = makerShare(order.makerAmount, order.takerAmount, takerTokenFillAmount);
        TokenMoves.permit(AssetMoves.tokenOf(order.takerAsset), permitTakerAsset);
        TokenMoves.permit(AssetMoves.tokenOf(order.makerAsset), permitMakerAsset);
        settleNFT(order, signature, makerTokenFilledAmount, takerTokenFillAmount, target);
    }

    /// Fills every order by the amount its entry names, or none.
    function batchFillOrderWithTarget(OrderInfo[] calldata orderInfos, address target) external {
        for (uint256 i = 0; i < orderInfos.length; i++) {
            OrderInfo calldata info = orderInfos[i];
            partialFillOrderWithTargetPermit(
                info.order,
                info.signature,
                info.takerTokenFillAmount,
                target,
                info.permitTakerAsset,
                info.permitMakerAsset
            );
        }
    }

    /// Spends exactly `takerFillAmount` over the orders in turn, passing over those that cannot be filled.
    function tryBatchFillOrderTakerAmount(OrderInfo[] calldata orderInfos, uint256 takerFillAmount, address target)
        external
    {
        uint256 left = takerFillAmount;
        for (uint256 i = 0; i < orderInfos.length && left > 0; i++) {
            uint256 spend = min(left, orderInfos[i].takerTokenFillAmount);
            if (tryFill(orderInfos[i], spend, target)) left -= spend;
        }
        require(left == 0, "Couldn't swap the requested fill amount");
    }

    /// Obtains `makerFillAmount` over the orders in turn, passing over those that cannot be filled. Each order is paid
    /// rounded up, so it may give a few units more than was asked of it.
    function tryBatchFillOrderMakerAmount(OrderInfo[] calldata orderInfos, uint256 makerFillAmount, address target)
        external
    {
        uint256 left = makerFillAmount;
        for (uint256 i = 0; i < orderInfos.length && left > 0; i++) {
            Order calldata order = orderInfos[i].order;
            uint256 most = (orderInfos[i].takerTokenFillAmount * order.makerAmount) / order.takerAmount;
            uint256 obtain = min(left, most);
            uint256 spend = (obtain * order.takerAmount + order.makerAmount - 1) / order.makerAmount;
            if (tryFill(orderInfos[i], spend, target)) left -= obtain;
        }
        require(left == 0, "Couldn't swap the requested fill amount");
    }

    /// Whoever calls cancels under their own address: a hash that is not theirs stays what it is for its maker.
    function cancelOrder(bytes32 orderHash) external {
        cancel(orderHash);
    }

    function cancelOrders(bytes32[] calldata orderHashes) external {
        for (uint256 i = 0; i < orderHashes.length; i++) cancel(orderHashes[i]);
    }

    /// `remaining` of many orders of one maker.
    function getRemainingOrderBalance(address maker, bytes32[] calldata orderHashes)
        external
        view
        returns (uint256[] memory remainingBalances)
    {
        remainingBalances = new uint256[](orderHashes.length);
        for (uint256 i = 0; i < orderHashes.length; i++) remainingBalances[i] = remaining[maker][orderHashes[i]];
    }

    function makerShare(uint256 orderMakerAmount, uint256 orderTakerAmount, uint256 takerAmount)
        private
        pure
        returns (uint256 makerAmount)
    {
        require(takerAmount > 0 && takerAmount <= orderTakerAmount, "Invalid Taker amount");
        makerAmount = (takerAmount * orderMakerAmount) / orderTakerAmount;
        require(makerAmount > 0, "Maker token fill amount cannot be 0");
    }

    function settle(
        Order calldata order,
        bytes calldata signature,
        uint256 makerAmount,
        uint256 takerAmount,
        address target
    ) private {
        bytes32 orderHash = typedHash(structHash(order));
        checkTerms(order.expiry, order.taker);
        takeFromRemaining(order.maker, orderHash, signature, order.makerAmount, makerAmount);

        TokenMoves.move(order.makerAsset, order.maker, target, makerAmount);
        TokenMoves.move(order.takerAsset, msg.sender, order.maker, takerAmount);
        emit OrderFilled(
            orderHash, order.maker, order.makerAsset, makerAmount, target, order.takerAsset, takerAmount
        );
    }

    function settleNFT(
        OrderNFT calldata order,
        bytes calldata signature,
        uint256 makerAmount,
        uint256 takerAmount,
        address target
    ) private {
        bytes32 orderHash = typedHash(structHashNFT(order));
        checkTerms(order.expiry, order.taker);
        takeFromRemaining(order.maker, orderHash, signature, order.makerAmount, makerAmount);

        AssetMoves.move(order.makerAsset, order.makerAssetId, order.maker, target, makerAmount);
        AssetMoves.move(order.takerAsset, order.takerAssetId, msg.sender, order.maker, takerAmount);
        emit OrderFilledNFT(
            orderHash,
            order.maker,
            order.makerAsset,
            order.makerAssetId,
            makerAmount,
            target,
            order.takerAsset,
            order.takerAssetId,
            takerAmount
        );
    }

    function checkTerms(uint256 expiry, address taker) private view {
        require(expiry == 0 || block.timestamp <= expiry, "Order expired");
        require(taker == address(0) || taker == msg.sender, "Access denied");
    }

    /// The signature is looked at once: later fills find that this hash was signed.
    function takeFromRemaining(
        address maker,
        bytes32 orderHash,
        bytes calldata signature,
        uint256 orderAmount,
        uint256 makerAmount
    ) private {
        uint256 before = remaining[maker][orderHash];
        if (before == UNSEEN) {
            require(MakerSignature.binds(maker, orderHash, signature), "Invalid Signature");
            before = orderAmount + 1;
        }
        require(before > makerAmount, "Order already filled or expired");
        remaining[maker][orderHash] = before - makerAmount;
    }

    function tryFill(OrderInfo calldata info, uint256 takerAmount, address target) private returns (bool success) {
        // A call to ourselves that keeps the caller, so that one order's revert undoes that order alone.
        (success,) = address(this).delegatecall(
            abi.encodeCall(
                this.partialFillOrderWithTargetPermit,
                (info.order, info.signature, takerAmount, target, info.permitTakerAsset, info.permitMakerAsset)
            )
        );
    }

    function cancel(bytes32 orderHash) private {
        if (remaining[msg.sender][orderHash] == FINISHED) return;
        remaining[msg.sender][orderHash] = FINISHED;
        emit OrderCancelled(orderHash, msg.sender);
    }

    function typedHash(bytes32 hashOfStruct) private view returns (bytes32) {
        return keccak256(abi.encodePacked(hex"1901", separator(), hashOfStruct));
    }

    function separator() private view returns (bytes32) {
        return block.chainid == deployedChainId ? deployedSeparator : buildSeparator(nameHash);
    }

    function buildSeparator(bytes32 hashOfName) private view returns (bytes32) {
        return keccak256(abi.encode(DOMAIN_TYPEHASH, hashOfName, keccak256("1"), block.chainid, address(this)));
    }

    function min(uint256 a, uint256 b) private pure returns (uint256) {
        return a < b ? a : b;
    }
}
