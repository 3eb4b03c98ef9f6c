import { type Nft, nftText } from '../../../electron/contract/quote-log.ts';

/** Pieces of an NFT; its contract, kind and whole id on hover. */
export function NftFigure({ nft, pieces, contract }: { nft: Nft; pieces: string; contract: string }) {
  const kind = nft.kind === 'erc721' ? 'ERC-721' : 'ERC-1155';
  return <span title={`${pieces} of ${kind} ${contract}\nid ${nft.id}`}>{nftText(nft, pieces)}</span>;
}
