// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// An ERC-20 token for practice and tests: anybody may mint, and set what it keeps of a transfer. It knows EIP-2612 permits.
contract TestToken {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant PERMIT_TYPEHASH =
        keccak256("Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)");

    string public name;
    string public symbol;
    uint8 public immutable decimals;
    uint256 public totalSupply;
    /// In hundredths of a percent; 0 unless a drill wants a token that takes a fee.
    uint256 public transferFeeBps;
    mapping(address owner => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;
    mapping(address owner => uint256) public nonces;

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

    function approve(address spender, uint256 amount) external returns (bool) {
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

    function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)
        external
    {
        require(block.timestamp <= deadline, "Permit expired");
        bytes32 message = keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, nonces[owner]++, deadline));
        address signer = ecrecover(keccak256(abi.encodePacked(hex"1901", DOMAIN_SEPARATOR(), message)), v, r, s);
        require(signer != address(0) && signer == owner, "Invalid permit");
        setAllowance(owner, spender, value);
    }

    function DOMAIN_SEPARATOR() public view returns (bytes32) {
        return
            keccak256(abi.encode(DOMAIN_TYPEHASH, keccak256(bytes(name)), keccak256("1"), block.chainid, address(this)));
    }

    function setAllowance(address owner, address spender, uint256 amount) private {
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
