// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20, TokenMoves} from "./TokenMoves.sol";

/// Two tokens whose reserves' product never falls; the fee stays in the pool. What is sent here and then taken in with
/// `sync` becomes liquidity for good.
contract SwapPool {
    event Swap(address indexed tokenIn, uint256 amountIn, uint256 amountOut, address indexed to);

    uint256 private constant WHOLE_BPS = 10_000;

    address public immutable token0;
    address public immutable token1;
    uint256 public immutable feeBps;
    uint256 public reserve0;
    uint256 public reserve1;

    constructor(address token0_, address token1_, uint256 feeBps_) {
        require(token0_ != token1_ && feeBps_ < WHOLE_BPS, "Invalid pool");
        token0 = token0_;
        token1 = token1_;
        feeBps = feeBps_;
    }

    function reserves() external view returns (uint256, uint256) {
        return (reserve0, reserve1);
    }

    function sync() public {
        reserve0 = IERC20(token0).balanceOf(address(this));
        reserve1 = IERC20(token1).balanceOf(address(this));
    }

    /// Sells to the pool what arrived of `tokenIn` since the last call, which a token's transfer fee makes less than was sent.
    function swap(address tokenIn, address to) public returns (uint256 amountOut) {
        (uint256 reserveIn,, address tokenOut) = sides(tokenIn);
        uint256 amountIn = IERC20(tokenIn).balanceOf(address(this)) - reserveIn;
        amountOut = getAmountOut(tokenIn, amountIn);
        require(amountOut > 0, "Nothing to swap");
        TokenMoves.pay(tokenOut, to, amountOut);
        sync();
        emit Swap(tokenIn, amountIn, amountOut, to);
    }

    /// Sells the caller's tokens, which they have approved, with nobody in between.
    function sell(address tokenIn, uint256 amount, address to) external returns (uint256) {
        TokenMoves.move(tokenIn, msg.sender, address(this), amount);
        return swap(tokenIn, to);
    }

    /// What the pool gives for an amount, rounded down.
    function getAmountOut(address tokenIn, uint256 amountIn) public view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut,) = sides(tokenIn);
        uint256 charged = amountIn * (WHOLE_BPS - feeBps);
        return (charged * reserveOut) / (reserveIn * WHOLE_BPS + charged);
    }

    /// What the pool wants for an amount, rounded up.
    function getAmountIn(address tokenIn, uint256 amountOut) external view returns (uint256) {
        (uint256 reserveIn, uint256 reserveOut,) = sides(tokenIn);
        require(amountOut < reserveOut, "Pool too small");
        return (reserveIn * amountOut * WHOLE_BPS) / ((reserveOut - amountOut) * (WHOLE_BPS - feeBps)) + 1;
    }

    function sides(address tokenIn) private view returns (uint256, uint256, address) {
        if (tokenIn == token0) return (reserve0, reserve1, token1);
        require(tokenIn == token1, "Unknown token");
        return (reserve1, reserve0, token0);
    }
}
