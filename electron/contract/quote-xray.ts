import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { chainIdSchema, timeSchema } from './names.ts';
import { markedFillSchema, quoteDetailSchema } from './quote-log.ts';

/** One level as the walk took it. Decimal strings in token units; `taken` and `value` are cut down. */
const walkedLevelSchema = z.object({
  price: z.string(),
  there: z.string(),
  taken: z.string(),
  value: z.string(),
  /** Beyond the depth, at the last level's price, because the service asks for slightly more than it fills. */
  over: z.boolean(),
});

/** The ladder a quote was priced on, walked once more. */
const walkSchema = z.object({
  revision: z.int(),
  publishedAt: timeSchema,
  publishedBy: z.string(),
  baseSymbol: z.string(),
  quoteSymbol: z.string(),
  levels: z.array(walkedLevelSchema),
  /** Whether the walk gives the amounts that were signed; null where nothing was priced. */
  matches: z.boolean().nullable(),
});

/** What was hashed (PROTOCOL 2.2, 2.3). The domain is that of the desk as it is now. */
const preimageSchema = z.object({
  domain: z.object({
    name: z.string(),
    version: z.literal('1'),
    chainId: chainIdSchema,
    verifyingContract: addressSchema,
  }),
  domainSeparator: z.string(),
  order: z.object({
    nonceAndMeta: z.string(),
    expiry: z.int(),
    makerAsset: addressSchema,
    takerAsset: addressSchema,
    maker: addressSchema,
    taker: addressSchema,
    makerAmount: rawAmountSchema,
    takerAmount: rawAmountSchema,
    /** Of an NFT order: both assets as they are packed (PROTOCOL 1.4), and the ids. */
    nft: z
      .object({
        makerAsset: rawAmountSchema,
        makerAssetId: rawAmountSchema,
        takerAsset: rawAmountSchema,
        takerAssetId: rawAmountSchema,
      })
      .optional(),
  }),
  /** The user and the random part packed in `nonceAndMeta` (PROTOCOL 2.4). */
  user: addressSchema,
  random: z.string(),
  hash: z.string(),
  matches: z.boolean(),
  recovered: addressSchema.nullable(),
  /** What was signed in the hash's place: the hash wrapped as a message of the maker contract. */
  message: z.string().optional(),
  signer: addressSchema,
});

/** The limits of the chain as they are now; null where one is off. Raw units of what we give. */
const limitsNowSchema = z.object({
  maxQuote: rawAmountSchema.nullable(),
  maxOutstanding: rawAmountSchema.nullable(),
  reserve: rawAmountSchema,
  quotesPerUserPerMinute: z.int(),
  ladderMaxAgeSeconds: z.int(),
  takerListed: z.boolean().nullable(),
});

/** Everything one quote's decision depended on. */
export const quoteXraySchema = z.object({
  quote: quoteDetailSchema,
  reference: z.object({ mid: z.string(), time: timeSchema }).nullable(),
  walk: walkSchema.nullable(),
  preimage: preimageSchema.nullable(),
  limits: limitsNowSchema.nullable(),
  /** Quotes this user asked for in the minute up to this one, this one included. */
  userLastMinute: z.int(),
  fills: z.array(markedFillSchema),
  cancels: z.array(z.object({ time: timeSchema, block: z.int(), transactionHash: z.string(), reverted: z.boolean() })),
});
export type QuoteXray = z.infer<typeof quoteXraySchema>;
