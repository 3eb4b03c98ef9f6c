// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IntentStrategy} from "./IntentStrategy.sol";
import {TestToken} from "./TestToken.sol";
import {TokenMoves} from "./TokenMoves.sol";

/// A strategy that pays simple interest by the second, which practice tokens let it mint.
contract IntentSavings is IntentStrategy {
    struct Account {
        address owner;
        address token;
        uint256 principal;
        uint256 earned;
        uint256 since;
    }

    uint256 private constant WHOLE_BPS = 10_000;

    /// The contract that deposits and withdraws.
    address public immutable intents;
    uint256 public immutable yearlyBps;
    mapping(bytes32 orderHash => Account) public accounts;

    constructor(address intents_, uint256 yearlyBps_) {
        intents = intents_;
        yearlyBps = yearlyBps_;
    }

    modifier onlyIntents() {
        require(msg.sender == intents, "Not the intent contract");
        _;
    }

    function deposit(bytes32 orderHash, address owner, address token, uint256 amount) external onlyIntents {
        accounts[orderHash] = Account(owner, token, amount, 0, block.timestamp);
    }

    function withdraw(bytes32 orderHash, uint256 amount, address to) external onlyIntents {
        Account storage account = accounts[orderHash];
        account.earned = earnedBy(account);
        account.since = block.timestamp;
        account.principal -= amount;
        TokenMoves.pay(account.token, to, amount);
    }

    function close(bytes32 orderHash) external onlyIntents returns (uint256 paid) {
        Account memory account = accounts[orderHash];
        uint256 earned = earnedBy(accounts[orderHash]);
        delete accounts[orderHash];
        TestToken(account.token).mint(address(this), earned);
        paid = account.principal + earned;
        TokenMoves.pay(account.token, account.owner, paid);
    }

    function earnedBy(Account storage account) private view returns (uint256) {
        uint256 time = block.timestamp - account.since;
        return account.earned + (account.principal * yearlyBps * time) / (WHOLE_BPS * 365 days);
    }
}
