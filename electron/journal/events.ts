import { z } from 'zod';
import { followedSchema } from '../contract/book.ts';
import { deskFileSchema, ladderSchema, limitsSchema } from '../contract/desk-file.ts';
import { chainIdSchema, pairIdSchema, timeSchema, tokenIdSchema } from '../contract/names.ts';
import { nftSchema } from '../contract/quote-log.ts';
import { refusalCodeSchema } from '../contract/refusal.ts';
import { scopeSchema, tradingStateSchema } from '../contract/trading.ts';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { givenAmountSchema, sideSchema } from '../protocol/side.ts';
import { pairSchema, tokenSchema } from '../protocol/wire.ts';
import { HEDGE_BODIES } from './hedge-events.ts';

/**
 * Every kind of event the journal knows, with its body. Bodies hold no secrets; amounts are raw units as decimal
 * strings. The writer adds sequence and hash, the caller gives time and actor.
 */
const onChain = { chainId: chainIdSchema };
const onPair = { ...onChain, pair: pairIdSchema };
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

export const EVENT_BODIES = {
  /** The whole configuration without secrets; replaces what was there. Secrets appear as fingerprints. */
  desk_configured: z.object({
    desk: deskFileSchema,
    fingerprints: z.record(z.string(), z.string()),
  }),
  /** What goes out as `X-API-KEY` to a service from now on, by its fingerprint; null: nothing. */
  service_key_set: z.object({ origin: z.string(), fingerprint: z.string().nullable() }),
  desk_started: z.object({ version: z.string(), checks: z.record(z.string(), z.string()) }),
  desk_stopped: z.object({}),
  /** At a start: why what was signed before may not be all in this journal, and the orders signed by hand that are known to be missing. */
  past_unproven: z.object({ why: z.array(z.string()).min(1), handOrders: z.array(handOrderSchema).optional() }),
  /** A stop or a start, of any scope. `until` is the end of a DRAIN, Unix milliseconds. */
  trading_state: z.object({
    scope: scopeSchema,
    state: tradingStateSchema,
    reason: z.string().nullable(),
    until: timeSchema.nullable(),
    /** The rule and its inputs when no person did it. */
    cause: z.string().nullable(),
  }),
  /** Why a scope was stopped, said after the stop of `stoppedAt` (Unix milliseconds). */
  stop_explained: z.object({ scope: scopeSchema, stoppedAt: timeSchema, reason: z.string() }),
  /** With `followed` the pair goes on following the reference; without, a person published it and following ends. */
  ladder_published: z.object({
    ...onPair,
    revision: z.int(),
    baseRevision: z.int(),
    ladder: ladderSchema,
    followed: followedSchema.optional(),
  }),
  /** From now on the ladder moves with the reference, or does not. */
  follow_set: z.object({ ...onPair, on: z.boolean() }),
  token_saved: z.object({ ...onChain, tokenId: tokenIdSchema, token: tokenSchema }),
  token_removed: z.object({ ...onChain, tokenId: tokenIdSchema }),
  pair_saved: z.object({ ...onPair, definition: pairSchema }),
  pair_retired: z.object({ ...onPair, until: timeSchema }),
  pair_removed: z.object({ ...onPair }),
  limits_set: z.object({ ...onChain, limits: limitsSchema }),
  /** Orders are signed for these takers. `leftOut`: those that a person wants not to be asked about again. */
  takers_set: z.object({
    ...onChain,
    takers: z.array(addressSchema),
    leftOut: z.array(addressSchema).optional(),
    reason: z.string().nullish(),
  }),
  /** A person confirmed by its address which contract of the service may be given tokens: its router, or its intent contract. */
  contract_pinned: z.object({ ...onChain, mode: z.enum(['market', 'intent']), address: addressSchema }),
  blacklist_added: z.object({
    ...onChain,
    address: addressSchema,
    reason: z.string().nullable(),
    until: timeSchema.nullable(),
    /** By this desk alone; without it the service is told too. */
    onlyHere: z.boolean().optional(),
  }),
  blacklist_removed: z.object({ ...onChain, address: addressSchema, reason: z.string().nullable() }),
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
  /** A person has looked at these rows: fills of orders the desk never signed, drifts of a balance. */
  alarms_acknowledged: z.object({ seqs: z.array(z.int()).max(1_000), reason: z.string() }),
  /** A transaction the desk sent, or calldata it handed out. */
  transaction: z.object({
    ...onChain,
    purpose: z.string(),
    to: addressSchema,
    data: z.string(),
    transactionHash: z.string().nullable(),
    outcome: z.enum(['sent', 'confirmed', 'failed', 'calldata']),
  }),
  ...HEDGE_BODIES,
} as const satisfies Record<string, z.ZodType>;

export type EventKind = keyof typeof EVENT_BODIES;
export type EventBody<K extends EventKind> = z.infer<(typeof EVENT_BODIES)[K]>;

/** An event as a room hands it to the journal. `time` is Unix milliseconds. */
export type NewEvent = { [K in EventKind]: { time: number; actor: string; kind: K; body: EventBody<K> } }[EventKind];

/** An event as the journal holds it. */
export type JournalEvent = NewEvent & { seq: number; hash: string };
