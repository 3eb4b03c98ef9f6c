import { z } from 'zod';
import { chainIdSchema, pairIdSchema, timeSchema } from '../contract/names.ts';
import { nftSchema } from '../contract/quote-log.ts';
import { refusalCodeSchema } from '../contract/refusal.ts';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { givenAmountSchema, sideSchema } from '../protocol/side.ts';
import { BOOK_EVENTS } from './book/events.ts';
import { HEDGE_BODIES } from './hedges/events.ts';
import { PEOPLE_EVENTS } from './people/events.ts';
import { TRADING_EVENTS } from './trading/events.ts';

/**
 * Events of the desk, its quotes and its fills, and every event there is. Bodies hold no secrets; amounts are raw units as
 * decimal strings. The writer adds sequence and hash, the caller gives time and actor.
 */
const onChain = { chainId: chainIdSchema };
const orderEvent = {
  ...onChain,
  orderHash: z.string(),
  block: z.int(),
  blockHash: z.string(),
  /** Block time, Unix milliseconds. */
  blockTime: timeSchema,
  transactionHash: z.string(),
  logIndex: z.int(),
};

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
  counterparty: z.string().nullable(),
  /** Unix milliseconds. */
  receivedAt: timeSchema,
  latencyMs: z.number(),
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

/** An order that was signed by hand, as it is known outside the journal. `expiry` is Unix seconds. */
export const handOrderSchema = z.object({ chainId: z.int(), orderHash: z.string(), expiry: z.int() });
export type HandOrder = z.infer<typeof handOrderSchema>;

export const DESK_EVENTS = {
  /** What goes out as `X-API-KEY` to a service from now on, by its fingerprint; null: nothing. */
  service_key_set: z.object({ origin: z.string(), fingerprint: z.string().nullable() }),
  desk_started: z.object({ version: z.string(), checks: z.record(z.string(), z.string()) }),
  desk_stopped: z.object({}),
  /** At a start: why what was signed before may not be all in this journal, and the orders signed by hand that are known to be missing. */
  past_unproven: z.object({ why: z.array(z.string()).min(1), handOrders: z.array(handOrderSchema).optional() }),
  /** A transaction the desk sent, or calldata it handed out. */
  transaction: z.object({
    ...onChain,
    purpose: z.string(),
    to: addressSchema,
    data: z.string(),
    transactionHash: z.string().nullable(),
    outcome: z.enum(['sent', 'confirmed', 'failed', 'calldata']),
  }),
};

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

export const FILL_EVENTS = {
  fill: z.object({
    ...orderEvent,
    taker: addressSchema,
    makerAsset: addressSchema,
    takerAsset: addressSchema,
    makerAmount: rawAmountSchema,
    takerAmount: rawAmountSchema,
    /** Of an NFT order (PROTOCOL 1.4): the side that was an NFT. A side without is an ERC-20. */
    makerNft: nftSchema.optional(),
    takerNft: nftSchema.optional(),
  }),
  cancel: z.object({ ...orderEvent }),
  /** A reorganisation took back the fill or cancel that was written as `eventSeq`. */
  reverted: z.object({ ...onChain, eventSeq: z.int(), orderHash: z.string() }),
  /**
   * From block `fromBlock` to `block` the maker's balance of a token changed by `amount` raw units (with a sign) more than
   * its fills and transfers say.
   */
  drift: z.object({
    ...onChain,
    token: addressSchema,
    amount: z.string().regex(/^-?[1-9]\d{0,78}$/),
    fromBlock: z.int(),
    block: z.int(),
    blockHash: z.string(),
  }),
};

/** Every kind of event there is, with its body. */
export const EVENT_BODIES = {
  ...BOOK_EVENTS,
  ...TRADING_EVENTS,
  ...DESK_EVENTS,
  ...QUOTE_EVENTS,
  ...FILL_EVENTS,
  ...HEDGE_BODIES,
  ...PEOPLE_EVENTS,
} as const satisfies Record<string, z.ZodType>;

export type EventKind = keyof typeof EVENT_BODIES;
export type EventBody<K extends EventKind> = z.infer<(typeof EVENT_BODIES)[K]>;

/** An event as a room hands it to the journal. `time` is Unix milliseconds. */
export type NewEvent = { [K in EventKind]: { time: number; actor: string; kind: K; body: EventBody<K> } }[EventKind];

/** An event as the journal holds it. */
export type JournalEvent = NewEvent & { seq: number; hash: string };
