// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// An ERC-20 token for practice and tests: anybody may mint, and set what it keeps of a transfer. It knows no permits.
contract PlainToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    /// In hundredths of a percent; 0 unless a drill wants a token that takes a fee.
    uint256 public transferFeeBps;
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    constructor(string memory name_, string memory symbol_, uint8 decimals_) {
        name = name_;
        symbol = symbol_;
        decimals = decimals_;
    }

    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function setTransferFee(uint256 bps) external {
        require(bps < 10_000, "Fee too high");
        transferFeeBps = bps;
    }

    function approve(address spender, uint256 amount) external virtual returns (bool) {
        setAllowance(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        move(msg.sender, to, amount);
        return true;
    }

    /// An allowance of 2^256 - 1 is without end and is not counted down.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            require(allowed >= amount, "Insufficient allowance");
            allowance[from][msg.sender] = allowed - amount;
        }
        move(from, to, amount);
        return true;
    }

    function setAllowance(address owner, address spender, uint256 amount) internal {
        allowance[owner][spender] = amount;
        emit Approval(owner, spender, amount);
    }

    function move(address from, address to, uint256 amount) private {
        require(balanceOf[from] >= amount, "Insufficient balance");
        uint256 fee = (amount * transferFeeBps) / 10_000;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        emit Transfer(from, to, amount - fee);
        if (fee == 0) return;
        totalSupply -= fee;
        emit Transfer(from, address(0), fee);
    }
}
