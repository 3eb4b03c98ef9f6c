import { hashTypedData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { Artifact } from '../../../electron/practice/chain/artifacts.ts';
import type { Address, Hex } from '../../../electron/protocol/address.ts';
import type { NftOrderFields } from '../../../electron/protocol/nft-order-hash.ts';
import token721 from '../../../resources/contracts/built/TestToken721.json' with { type: 'json' };
import token1155 from '../../../resources/contracts/built/TestToken1155.json' with { type: 'json' };
import type { TestAccount, TestChain } from '../../chain-fixture.ts';
import { NFT_ORDER_TYPES } from '../../vectors/nft-order-types.ts';

export const TOKEN_721 = token721 as Artifact;
export const TOKEN_1155 = token1155 as Artifact;

/** An order with its expiry as the contract takes it. */
export type ChainNftOrder = Omit<NftOrderFields, 'expiry'> & { expiry: bigint };

/** Both NFTs, with every account's approval to the settlement contract. */
export async function deployNfts(chain: TestChain): Promise<{ nft: Address; multi: Address }> {
  const { maker, user, other } = chain.accounts;
  const nft = await maker.deploy(TOKEN_721, []);
  const multi = await maker.deploy(TOKEN_1155, []);
  for (const account of [maker, user, other]) {
    await account.call(TOKEN_721, nft, 'setApprovalForAll', [chain.rfqContract, true]);
    await account.call(TOKEN_1155, multi, 'setApprovalForAll', [chain.rfqContract, true]);
  }
  return { nft, multi };
}

function typedData(chain: TestChain, message: ChainNftOrder) {
  const { domainName: name, chainId, rfqContract: verifyingContract } = chain;
  const domain = { name, version: '1', chainId, verifyingContract };
  return { domain, types: NFT_ORDER_TYPES, primaryType: 'OrderNFT' as const, message };
}

/** Hashed and signed by viem, never by the desk's own code. */
export function nftHash(chain: TestChain, order: ChainNftOrder): Hex {
  return hashTypedData(typedData(chain, order));
}

export function signNft(chain: TestChain, order: ChainNftOrder, by: TestAccount = chain.accounts.maker): Promise<Hex> {
  return privateKeyToAccount(by.privateKey).signTypedData(typedData(chain, order));
}
