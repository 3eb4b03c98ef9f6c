import type { Address } from './address.ts';
import { DeskError } from './desk-error.ts';

/** What kind of token a packed asset is, by the number that stands above its address. */
export const ASSET_KINDS = ['erc20', 'erc1155', 'erc721'] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

export interface Asset {
  kind: AssetKind;
  token: Address;
}

const ADDRESS_BITS = 160n;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/**
 * The asset of an NFT order as one number (PROTOCOL 21.3): the token's address in the low 160 bits, above it the kind: 0 ERC-20, 1
 * ERC-1155, 2 ERC-721. Throws DeskError `bad_asset` when the token is no address.
 *
 * @example
 * packAsset({ kind: 'erc721', token: '0x00000000000000000000000000000000000000aa' }) // 2n ** 161n + 0xaan
 */
export function packAsset({ kind, token }: Asset): bigint {
  if (!ADDRESS.test(token)) throw new DeskError('bad_asset', 'The asset must be 0x followed by 40 hex characters.');
  return (BigInt(ASSET_KINDS.indexOf(kind)) << ADDRESS_BITS) | BigInt(token);
}

/** The kind and the token, in lower case, of a packed asset. Throws DeskError `bad_asset` for a kind that there is not. */
export function unpackAsset(packed: bigint): Asset {
  const kind = ASSET_KINDS[Number(packed >> ADDRESS_BITS)];
  if (packed < 0n || kind === undefined) throw new DeskError('bad_asset', 'The packed asset is of no known kind.');
  return { kind, token: `0x${BigInt.asUintN(160, packed).toString(16).padStart(40, '0')}` };
}
