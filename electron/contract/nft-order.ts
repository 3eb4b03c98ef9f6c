import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { levelNumberSchema } from '../protocol/decimal.ts';
import { chainIdSchema, timeSchema, tokenIdSchema } from './names.ts';

/**
 * One side of an order that a person signs: so much of a listed token, in token units, or pieces of one NFT. Whether that is an
 * ERC-721 or an ERC-1155 token, its contract says.
 */
const nftOrderSideSchema = z.union([
  z.strictObject({ tokenId: tokenIdSchema, amount: levelNumberSchema }),
  z.strictObject({ nft: addressSchema, id: rawAmountSchema, pieces: rawAmountSchema }),
]);
export type NftOrderSide = z.infer<typeof nftOrderSideSchema>;

/** An order with an NFT on one side or both, for one taker (PROTOCOL 1.4). */
export const nftOrderTermsSchema = z.object({
  chainId: chainIdSchema,
  gives: nftOrderSideSchema,
  gets: nftOrderSideSchema,
  /** Who alone may fill it. */
  taker: addressSchema,
  /** Unix seconds; it can be filled in that second still. */
  expiry: z.int().positive(),
});
export type NftOrderTerms = z.infer<typeof nftOrderTermsSchema>;

/** What would be signed, in plain words. They are what a person confirms, letter for letter. */
export const nftOrderPlanSchema = z.object({
  chain: z.string(),
  gives: z.string(),
  gets: z.string(),
  taker: addressSchema,
  until: timeSchema,
  /** Whether the taker may take a part of it at a time: nothing in it is one of a kind. */
  inParts: z.boolean(),
  /** All of it in one text. */
  words: z.string(),
});
export type NftOrderPlan = z.infer<typeof nftOrderPlanSchema>;

/** What the taker is handed: the ten fields as the contract's `OrderNFT` has them, numbers as decimal digits, and the signature. */
export const signedNftOrderSchema = z.object({
  seq: z.int(),
  chainId: chainIdSchema,
  orderHash: z.string(),
  words: z.string(),
  rfqContract: addressSchema,
  order: z.object({
    nonceAndMeta: rawAmountSchema,
    expiry: z.int(),
    makerAsset: rawAmountSchema,
    makerAssetId: rawAmountSchema,
    takerAsset: rawAmountSchema,
    takerAssetId: rawAmountSchema,
    maker: addressSchema,
    taker: addressSchema,
    makerAmount: rawAmountSchema,
    takerAmount: rawAmountSchema,
    signature: z.string(),
  }),
});
export type SignedNftOrder = z.infer<typeof signedNftOrderSchema>;
