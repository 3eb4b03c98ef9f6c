// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

interface IERC721Receiver {
    function onERC721Received(address operator, address from, uint256 id, bytes calldata data) external returns (bytes4);
}

/// As much of ERC-721 as a settlement needs, for tests: anybody may mint.
contract TestToken721 {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    mapping(uint256 id => address) public ownerOf;
    mapping(address owner => mapping(address operator => bool)) public isApprovedForAll;
    mapping(uint256 id => address) public getApproved;

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x80ac58cd;
    }

    function approve(address operator, uint256 id) external {
        require(ownerOf[id] == msg.sender, "Not the owner");
        getApproved[id] = operator;
    }

    function mint(address to, uint256 id) external {
        require(ownerOf[id] == address(0), "Minted already");
        ownerOf[id] = to;
        emit Transfer(address(0), to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function safeTransferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from, "Not the owner");
        require(from == msg.sender || isApprovedForAll[from][msg.sender] || getApproved[id] == msg.sender, "Not approved");
        delete getApproved[id];
        ownerOf[id] = to;
        emit Transfer(from, to, id);
        if (to.code.length == 0) return;
        bytes4 answer = IERC721Receiver(to).onERC721Received(msg.sender, from, id, "");
        require(answer == IERC721Receiver.onERC721Received.selector, "Not received");
    }
}
