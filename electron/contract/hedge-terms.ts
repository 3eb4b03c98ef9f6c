import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import { swapSideSchema } from '../protocol/market-wire.ts';
import { chainIdSchema } from './names.ts';

/** How a hedge is carried out (PROTOCOL 11), by the name of its kind: each venue has one or more. */
export const hedgeModeSchema = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'must be the name of a way');

/** No hedge is worth giving away more. */
const MOST_SLIPPAGE_BPS = 2_000;
/** No bridge has a longer name that a person could choose it by. */
export const MOST_BRIDGE_NAME = 100;
/** An order that waits may wait this long, in seconds. */
const LONGEST_WAIT = 30 * 86_400;

/**
 * What is to be traded: `amount` is token units of the source (SELL) or of the destination (BUY). Tokens by address; the
 * native asset by its placeholder. With `destChainId` the destination lies on that chain.
 */
export const hedgeAskSchema = z.object({
  chainId: chainIdSchema,
  destChainId: chainIdSchema.optional(),
  srcToken: addressSchema,
  destToken: addressSchema,
  side: swapSideSchema.default('SELL'),
  amount: decimalSchema,
  slippageBps: z.int().min(0).max(MOST_SLIPPAGE_BPS).default(50),
  /** Who receives; the maker without it. */
  beneficiary: addressSchema.optional(),
});
export type HedgeAsk = z.infer<typeof hedgeAskSchema>;

/** The kind of a hedge and what it needs to know besides, which its venue checks: its schema is in the venue's folder. */
export const hedgeWaySchema = z.looseObject({ mode: hedgeModeSchema });
export type HedgeWay = z.infer<typeof hedgeWaySchema>;

/** How the spender is allowed to take the source; a permit only where the token has one and the order settles at once. */
export const approvalWishSchema = z.enum(['approve', 'approve_without_end', 'permit']);

/** A hedge as a person wants it. */
export const hedgeWishSchema = z.object({
  ask: hedgeAskSchema,
  way: hedgeWaySchema,
  /** Seconds from now, after which nothing of it may happen any more. */
  deadlineSeconds: z.int().min(30).max(LONGEST_WAIT).default(600),
  approval: approvalWishSchema.default('permit'),
  /** The bridge that was chosen among those of the price, by its name; without it the service's first choice. */
  bridge: z.string().min(1).max(MOST_BRIDGE_NAME).optional(),
  /** Rows of the journal of the fills that it is for. Without any, the oldest unhedged ones that fit are taken. */
  fillSeqs: z.array(z.int()).max(500).default([]),
  /**
   * The amount that is not fixed as it stood on the screen, raw units: the new price may be worse than this by no more than
   * the slippage.
   */
  shown: z
    .string()
    .regex(/^[0-9]{1,78}$/)
    .optional(),
  /** A person was told how far the price is off the reference, and wants it all the same. */
  acceptDistance: z.boolean().optional(),
  /** A person was told that quotes or other hedges promise what it takes, and wants it all the same. */
  acceptPromised: z.boolean().optional(),
  /** A person was told that something under way closes the same position already, and wants it all the same. */
  acceptCovered: z.boolean().optional(),
  /**
   * The hedges that they were told of then, by their rows of the journal: where another one closes it too, they are asked again. Without
   * it `acceptCovered` is of whatever there is.
   */
  seenCovering: z.array(z.int()).max(1_000).optional(),
});
export type HedgeWish = z.infer<typeof hedgeWishSchema>;

/** Where, when (ISO 8601) and with what note something was done that no chain shows. */
export const doneElsewhereSchema = z.object({
  where: z.string().trim().min(1).max(100),
  at: z.iso.datetime({ offset: true }).optional(),
  note: z.string().trim().max(500).optional(),
});

/**
 * What is to count of a hedge that was entered by hand, token units of source and destination, and where, when and with what note
 * it was done; what is left out stays as it was. Amounts of null strike it out.
 */
export const hedgeCorrectionSchema = z.object({
  amounts: z
    .object({ gave: decimalSchema.optional(), got: decimalSchema.optional(), feeUsd: decimalSchema.optional() })
    .nullable(),
  ...doneElsewhereSchema.partial().shape,
  reason: z.string().trim().min(1).max(500),
});
export type HedgeCorrection = z.infer<typeof hedgeCorrectionSchema>;

/** Automatic hedging of one pair; amounts are base token units. */
export const autoHedgeSchema = z.object({
  on: z.boolean(),
  /** Unhedged base, long or short, from which a hedge is placed. */
  threshold: decimalSchema,
  /** The most base it hedges from 00:00 to 24:00 UTC. */
  capPerDay: decimalSchema,
  slippageBps: z.int().min(0).max(MOST_SLIPPAGE_BPS),
  /** The furthest that a hedge may be off the reference of the pair; a hedge by hand that is further is a question. */
  maxDistanceBps: z.int().min(1).max(MOST_SLIPPAGE_BPS).default(50),
  /** Quote tokens lost against the reference from 00:00 to 24:00 UTC, gas included, that switch it off; 0 for no such end. */
  lossCapPerDay: decimalSchema.default('0'),
  mode: hedgeModeSchema,
  /** Says what it would do, and does nothing. */
  dryRun: z.boolean(),
});
export type AutoHedge = z.infer<typeof autoHedgeSchema>;
