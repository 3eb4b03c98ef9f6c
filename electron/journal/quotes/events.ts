import { z } from 'zod';
import { chainIdSchema, pairIdSchema, timeSchema } from '../../contract/names.ts';
import { nftSchema } from '../../contract/quote-log.ts';
import { refusalCodeSchema } from '../../contract/refusal.ts';
import { addressSchema } from '../../protocol/address.ts';
import { rawAmountSchema } from '../../protocol/amount.ts';
import { decimalSchema } from '../../protocol/decimal.ts';
import { givenAmountSchema, sideSchema } from '../../protocol/side.ts';

const onChain = { chainId: chainIdSchema };

export const quoteBodySchema = z.object({
  ...onChain,
  pair: pairIdSchema.nullable(),
  side: sideSchema.nullable(),
  given: givenAmountSchema,
  userAddress: addressSchema,
  takerAddress: addressSchema,
  maker: addressSchema,
  makerAsset: addressSchema,
  takerAsset: addressSchema,
  makerAmount: rawAmountSchema.nullable(),
  takerAmount: rawAmountSchema.nullable(),
  /** These four are null exactly when the request was refused. */
  orderHash: z.string().nullable(),
  nonceAndMeta: z.string().nullable(),
  expiry: z.int().nullable(),
  signature: z.string().nullable(),
  code: refusalCodeSchema.nullable(),
  ladderRevision: z.int().nullable(),
  balance: rawAmountSchema.nullable(),
  allowance: rawAmountSchema.nullable(),
  exposure: rawAmountSchema.nullable(),
  /** What hedges under way could still take then; absent where that was nothing. */
  hedged: rawAmountSchema.optional(),
  counterparty: z.string().nullable(),
  /** Dollars a quote token as the reference had it then, where a protection counts dollars and the token is none itself. */
  dollarRate: decimalSchema.optional(),
  /** Unix milliseconds. */
  receivedAt: timeSchema,
  latencyMs: z.number(),
  /** How long a key that is held elsewhere took to sign, milliseconds; absent where it is held here. */
  signingMs: z.int().optional(),
  requestBody: z.string(),
  /** How many bytes the body had, where it was too large to be stored. */
  requestBytes: z.int().optional(),
  /** The first half of what the request was signed with, where that signature gives this one order and no other. */
  requestSignature: z.string().optional(),
});

/**
 * An order that a person had the maker sign for one taker, in which a side is an NFT (PROTOCOL 1.4): as a quote's body, of no pair,
 * with the taker as its user and the words that the person confirmed as its request.
 */
const nftOrderBodySchema = quoteBodySchema.extend({ makerNft: nftSchema.optional(), takerNft: nftSchema.optional() });
export type NftOrderBody = z.infer<typeof nftOrderBodySchema>;

/** The body of a row of the firm log, whichever kind of event it is of. */
export type QuoteBody = z.infer<typeof quoteBodySchema> & Pick<NftOrderBody, 'makerNft' | 'takerNft'>;

export const QUOTE_EVENTS = {
  /** A firm request that was signed or refused. */
  quote: quoteBodySchema,
  /** An NFT order that was signed by hand; it ends as a quote does. */
  nft_order: nftOrderBodySchema,
  /** A signed order that was committed and then not released. */
  quote_withheld: z.object({ ...onChain, quoteSeq: z.int(), code: refusalCodeSchema }),
  /** Signed orders that cannot be filled any more because their time is over. */
  quotes_expired: z.object({ ...onChain, quoteSeqs: z.array(z.int()) }),
  /**
   * The chain the desk knew was begun anew, with a first block of this hash: its open quotes end. The actor said so, or is
   * the practice desk; without `genesis` the row is from a desk that took that from its node alone.
   */
  chain_reset: z.object({
    ...onChain,
    quoteSeqs: z.array(z.int()),
    genesis: z.string().optional(),
    reason: z.string().nullish(),
  }),
};
