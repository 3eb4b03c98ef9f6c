import { encodeFunctionData, parseAbi } from 'viem';
import type { Nft } from '../contract/quote-log.ts';
import type { Address, Hex } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { KnownBlock } from './forks.ts';
import { amountOf } from './holdings.ts';
import { bytesSchema, toQuantity } from './node-answers.ts';
import { type NodeAnswer, type NodeCall, type NodeClient, openNode, resultOf } from './node-client.ts';
import { readPinned } from './pinned-read.ts';

/** The parts of ERC-165, ERC-721 and ERC-1155 that the desk reads. */
const KIND_ABI = parseAbi(['function supportsInterface(bytes4 id) view returns (bool)']);
const ERC721_ABI = parseAbi([
  'function ownerOf(uint256 id) view returns (address)',
  'function getApproved(uint256 id) view returns (address)',
  'function isApprovedForAll(address owner, address operator) view returns (bool)',
]);
const ERC1155_ABI = parseAbi(['function balanceOf(address owner, uint256 id) view returns (uint256)']);
const INTERFACES = { erc721: '0x80ac58cd', erc1155: '0xd9b67a26' } as const;

/** An NFT and who is said to have it. */
export interface AskedNft {
  contract: Address;
  id: bigint;
  holder: Address;
}

/** What the chain says of an NFT and its holder. */
export interface NftHolding {
  kind: Nft['kind'];
  /** Pieces that the holder has; of an ERC-721 1 or 0. */
  held: bigint;
  /** Whether the operator may move it for the holder. */
  approved: boolean;
}

/**
 * Reads NFTs at one block of a chain: of which kind each is, by its contract's own word (ERC-165), how much of it its holder has,
 * and whether `operator` may move it. Throws when the node does not answer, has another block of that number, or a contract is
 * not one kind of NFT: then nothing is known.
 */
export async function readNfts(asked: {
  rpcUrl: string;
  block: KnownBlock;
  operator: Address;
  nfts: readonly AskedNft[];
  timeoutMs?: number;
}): Promise<NftHolding[]> {
  const { rpcUrl, timeoutMs, block, operator, nfts } = asked;
  const node = openNode({ rpcUrl, timeoutMs });
  try {
    const perNft = nfts.map((nft) => callsOf(nft, operator, toQuantity(block.number)));
    const calls = perNft.flat();
    const answers = await readPinned(node, block, calls);
    let next = 0;
    return nfts.map((nft, index) => {
      const own = answers.slice(next, next + (perNft[index]?.length ?? 0));
      next += own.length;
      return holdingOf(node, nft, operator, own);
    });
  } finally {
    node.close();
  }
}

function callsOf({ contract, id, holder }: AskedNft, operator: Address, at: Hex): NodeCall[] {
  const supports = (id4: Hex) => encodeFunctionData({ abi: KIND_ABI, functionName: 'supportsInterface', args: [id4] });
  const calls = [
    supports(INTERFACES.erc721),
    supports(INTERFACES.erc1155),
    encodeFunctionData({ abi: ERC721_ABI, functionName: 'isApprovedForAll', args: [holder, operator] }),
    encodeFunctionData({ abi: ERC721_ABI, functionName: 'ownerOf', args: [id] }),
    encodeFunctionData({ abi: ERC721_ABI, functionName: 'getApproved', args: [id] }),
    encodeFunctionData({ abi: ERC1155_ABI, functionName: 'balanceOf', args: [holder, id] }),
  ].map((data): NodeCall => ({ method: 'eth_call', params: [{ to: contract, data }, at] }));
  return [{ method: 'eth_getCode', params: [contract, at] }, ...calls];
}

function holdingOf(
  node: NodeClient,
  { contract, holder }: AskedNft,
  operator: Address,
  [code, ...answers]: readonly NodeAnswer[],
): NftHolding {
  if (resultOf(node, 'eth_getCode', code, bytesSchema) === '0x') {
    throw new DeskError('not_an_nft', `There is no contract at ${contract}, so no NFT either.`, {
      remedy: 'Check the address of the NFT.',
    });
  }
  const [is721, is1155, forAll, owner, approvedOne, pieces] = answers.map((answer) => amountOf(node, answer));
  if ((is721 === 1n) === (is1155 === 1n)) {
    const says = is721 === 1n ? 'both ERC-721 and ERC-1155' : 'neither ERC-721 nor ERC-1155';
    throw new DeskError('not_an_nft', `The contract ${contract} says of itself that it is ${says}.`, {
      remedy: 'Check the address of the NFT: nothing is signed for a contract whose kind is not known.',
    });
  }
  if (is721 === 1n) {
    const approved = forAll === 1n || approvedOne === BigInt(operator);
    return { kind: 'erc721', held: owner === BigInt(holder) ? 1n : 0n, approved };
  }
  return { kind: 'erc1155', held: pieces ?? 0n, approved: forAll === 1n };
}
