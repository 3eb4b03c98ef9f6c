import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { swapSideSchema } from '../protocol/market-wire.ts';
import { writtenStepSchema } from './hedge-steps.ts';
import { autoHedgeSchema, hedgeModeSchema } from './hedge-terms.ts';
import { chainIdSchema, pairIdSchema, timeSchema } from './names.ts';
import { markedFillSchema } from './quote-log.ts';

/** Raw units that may be below zero. */
const signedAmountSchema = z.string().regex(/^-?[0-9]{1,80}$/);

/** A token with what a figure of it needs. One that is listed no more has its address as symbol and 0 decimals. */
export const hedgeTokenSchema = z.object({
  chainId: chainIdSchema,
  address: addressSchema,
  symbol: z.string(),
  decimals: z.int(),
});
export type HedgeToken = z.infer<typeof hedgeTokenSchema>;

/** What the desk is long (+) or short (−) of a token by its fills and its hedges. Raw units. */
export const positionSchema = z.object({
  token: hedgeTokenSchema,
  /** From fills that stand. */
  filled: signedAmountSchema,
  /** From hedges, also of those that still run. */
  hedged: signedAmountSchema,
  net: signedAmountSchema,
  /** In US dollars, decimal with sign, where the worth of the token is known. */
  netUsd: z.string().nullable(),
  /** Fills of this token that are not wholly hedged. */
  unhedgedFills: z.int(),
  /** Why it cannot be told; then none of its figures means anything. */
  unreadable: z.string().optional(),
});
export type Position = z.infer<typeof positionSchema>;

/** `hedging`: a hedge of it runs. `taken_back`: a reorganisation took the fill back. */
export const fillCoverSchema = z.enum(['unhedged', 'hedging', 'part_hedged', 'hedged', 'taken_back']);

/** A fill with what became of its risk. Amounts are raw units of base and quote, + is what the desk got. */
export const hedgedFillSchema = markedFillSchema.extend({
  cover: fillCoverSchema,
  base: hedgeTokenSchema.nullable(),
  quote: hedgeTokenSchema.nullable(),
  /** What the fill moved. */
  baseAmount: signedAmountSchema,
  quoteAmount: signedAmountSchema,
  /** What hedges moved for this fill, and what base of it is left. */
  hedgedBase: signedAmountSchema,
  hedgedQuote: signedAmountSchema,
  unhedgedBase: signedAmountSchema,
  /** Fill and hedges together, in quote tokens, decimal with sign: null until all of it is hedged. */
  result: z.string().nullable(),
  /** The same in US dollars, after the gas of its hedges. */
  resultUsd: z.string().nullable(),
  /** Rows of the journal of its hedges, oldest first. */
  hedges: z.array(z.int()),
});
export type HedgedFill = z.infer<typeof hedgedFillSchema>;

/** What must happen before the spender can take the source. */
export const approvalNeedSchema = z.object({
  /** `skip`: the allowance is enough. `none`: the native asset needs none. */
  kind: z.enum(['none', 'skip', 'approve', 'permit', 'refused']),
  /** For a person. */
  sentence: z.string(),
  spender: addressSchema.nullable(),
  allowance: rawAmountSchema.nullable(),
  /** Allowances that are set one after the other. */
  amounts: z.array(rawAmountSchema),
  permit: z.enum(['eip2612', 'permit2']).nullable(),
});
export type ApprovalNeed = z.infer<typeof approvalNeedSchema>;

/** What a venue offers, with what it costs. Amounts are raw units; dollars decimal, null where the service does not say. */
export const quotedWaySchema = z.object({
  srcAmount: rawAmountSchema,
  destAmount: rawAmountSchema,
  /** What will be received at least, or spent at most: under the slippage, or as far off the reference as it may be, whichever is stricter. */
  bound: rawAmountSchema,
  /** The reference holds the bound, nearer than the slippage does. */
  isFenced: z.boolean().default(false),
  srcUsd: z.string().nullable(),
  destUsd: z.string().nullable(),
  gas: z.object({ units: z.string().nullable(), usd: z.string().nullable() }),
  /** What is in the price already: the partner's fee, and what solvers count for gas and for crossing, in dollars. */
  fees: z.object({
    partner: z.string().nullable(),
    percent: z.number().nullable(),
    gasUsd: z.string().nullable(),
    bridgeUsd: z.string().nullable(),
  }),
  /** Destination tokens a source token, decimal. */
  price: z.string(),
  /** The same after gas that is paid beside it; null where its worth is not known. */
  priceAfterGas: z.string().nullable(),
  /** What is left in dollars: the destination's worth less gas. */
  worthUsd: z.string().nullable(),
  spender: addressSchema.nullable(),
  approval: approvalNeedSchema,
  /** Through what it goes, for a person. */
  via: z.array(z.string()),
  bridge: z
    .object({
      protocol: z.string(),
      seconds: z.int().nullable(),
      /** What `bridge` of a wish has to say for this one; null where it has no name to be chosen by. */
      choice: z.string().nullable().default(null),
    })
    .nullable(),
  /** When the price is too old to be built on. */
  expiresAt: timeSchema,
});
export type QuotedWay = z.infer<typeof quotedWaySchema>;

/** What every venue that gives prices offers, in their order; one that offers nothing says why. */
export const hedgeQuoteSchema = z.object({
  at: timeSchema,
  src: hedgeTokenSchema,
  dest: hedgeTokenSchema,
  side: swapSideSchema,
  amount: rawAmountSchema,
  quotes: z.array(
    z.object({
      venue: z.string(),
      title: z.string(),
      quote: quotedWaySchema.nullable(),
      fault: z.string().nullable(),
      /** Over other bridges, each by a name of its own: `bridge` of a wish chooses one. */
      others: z.array(quotedWaySchema),
    }),
  ),
  /** The venue that leaves more after what it costs; null where it cannot be said. */
  better: z.string().nullable(),
});
export type HedgeQuote = z.infer<typeof hedgeQuoteSchema>;

/** What the service of a chain has a route for at all; null where it does not say, and then nothing is ruled out. */
export const hedgeRoutesSchema = z.array(
  z.object({
    chainId: chainIdSchema,
    isServed: z.boolean().nullable(),
    /** Over which chains intent orders of this one end, and in which listed tokens there. */
    lanes: z.array(z.object({ destChainId: chainIdSchema, tokens: z.array(addressSchema) })).nullable(),
  }),
);
export type HedgeRoutes = z.infer<typeof hedgeRoutesSchema>;

/** The contracts of the service that are given tokens: what a person calls one, and where the settings of a chain pin it. */
export const SERVICE_CONTRACTS = {
  market: { name: 'router', field: 'router', role: 'router' },
  intent: { name: 'intent contract', field: 'intentContract', role: 'intent' },
} as const;
export type ServiceContract = (typeof SERVICE_CONTRACTS)[keyof typeof SERVICE_CONTRACTS];

/** Which contract a person lets be given tokens. */
export const contractPinSchema = z.object({
  chainId: chainIdSchema,
  mode: z.enum(['market', 'intent']),
  address: addressSchema,
});

/** What placing a hedge would mean, before anything of it is done. */
export const preparationSchema = z.object({
  approval: approvalNeedSchema,
  /** What the maker holds of the source, raw units. */
  balance: rawAmountSchema.nullable(),
  /** Why it would be refused; null when it would not. */
  refusal: z.string().nullable(),
  /** The service named a contract that nobody has confirmed; `pinned` is the one that is known instead. */
  unpinned: contractPinSchema.omit({ chainId: true }).extend({ pinned: addressSchema.nullable() }).nullable(),
  /** The desk is halted: it has to be asked whether this closes a position, and `confirmed` has to be said. */
  needsConfirmation: z.boolean(),
  /** The maker is a contract: its owner gets the calldata, and nothing is sent. */
  handsOut: z.boolean(),
  /** How far off the reference it may come to, where that is a question: then `acceptDistance` has to be said. */
  farOff: z.string().nullable(),
  /** That quotes or other hedges promise what it takes, where they do: then `acceptPromised` has to be said. */
  promised: z.string().nullable(),
  /** That what is under way closes the same position already, where it does: then `acceptCovered` has to be said. */
  covered: z.string().nullable().default(null),
  /** The hedges that `covered` is about, by their rows of the journal: what to say in `seenCovering`. */
  covering: z.array(z.int()).default([]),
});
export type Preparation = z.infer<typeof preparationSchema>;

/**
 * Where a hedge stands. `approving`: an allowance is on its way. `signed`: signed, and not known to the chain or the service
 * yet. `sent`: in the node, not mined. `submitted`: the service has the order. `handed_out`: the maker is a contract, whose
 * owner has the calldata; without an end its transaction is waited for.
 */
export const hedgeStateSchema = z.enum([
  ...(['opened', 'approving', 'built', 'simulated', 'signed', 'sent', 'mined', 'submitted'] as const),
  ...(['done', 'failed', 'cancelled', 'handed_out'] as const),
]);
export type HedgeState = z.infer<typeof hedgeStateSchema>;

/** One hedge. Amounts are raw units of source and destination. */
export const hedgeRowSchema = z.object({
  seq: z.int(),
  time: timeSchema,
  actor: z.string(),
  chainId: chainIdSchema,
  mode: hedgeModeSchema,
  /** The mode in a person's words. */
  way: z.string(),
  side: swapSideSchema,
  src: hedgeTokenSchema,
  dest: hedgeTokenSchema,
  amount: rawAmountSchema,
  /** The pair and fills it is for. */
  pair: pairIdSchema.nullable(),
  fillSeqs: z.array(z.int()),
  /** Placed by the automatic hedging of its pair. */
  automatic: z.boolean(),
  state: hedgeStateSchema,
  /** Of an intent order, in the service's word. */
  orderStatus: z.string().nullable(),
  orderId: z.string().nullable(),
  orderHash: z.string().nullable(),
  /** The transaction of the swap. */
  transactionHash: z.string().nullable(),
  spent: rawAmountSchema,
  received: rawAmountSchema,
  /** Who received it, where that was not the maker. */
  beneficiary: addressSchema.nullable(),
  /** What was paid for gas altogether, wei and, where it is known, dollars. */
  feeWei: rawAmountSchema,
  feeUsd: z.string().nullable(),
  /** What its fills came to with all their hedges, in US dollars after gas; null until every one of them is wholly hedged. */
  netUsd: z.string().nullable(),
  /** The last thing that a person should know: why it waits, failed, or that its fate is not known yet. */
  note: z.string().nullable(),
  /** May be asked to cancel. */
  cancellable: z.boolean(),
  /** What was entered by hand may be corrected, or struck out. */
  correctable: z.boolean(),
  /** A person may end it with a reason: only others can tell what becomes of what is signed. */
  canGiveUp: z.boolean(),
  /** It waits because the desk is halted: `send` lets it go on. */
  held: z.boolean(),
  endedAt: timeSchema.nullable(),
  /** Why it cannot be shown; then none of its figures means anything. */
  unreadable: z.string().optional(),
});
export type HedgeRow = z.infer<typeof hedgeRowSchema>;

/** A hedge with everything that happened to it. */
export const hedgeDetailSchema = hedgeRowSchema.extend({
  slippageBps: z.int(),
  /** Unix seconds. */
  deadline: z.int(),
  /** What its mode was given besides, by name, for a person. */
  terms: z.record(z.string(), z.string()),
  /** The stages of its way: which are behind it, which it is at. */
  stages: z.array(z.object({ name: z.string(), is: z.enum(['done', 'now', 'to come', 'failed']) })),
  steps: z.array(writtenStepSchema),
  transactions: z.array(
    z.object({
      chainId: chainIdSchema,
      hash: z.string(),
      purpose: z.enum(['approval', 'swap', 'fill', 'delivery', 'refund']),
      nonce: z.int().nullable(),
      outcome: z.enum(['signed', 'sent', 'confirmed', 'reverted', 'lost']),
    }),
  ),
  /** What the owner of a contract maker has to send. */
  calldata: z.array(z.object({ purpose: z.string(), to: addressSchema, value: rawAmountSchema, data: z.string() })),
});
export type HedgeDetail = z.infer<typeof hedgeDetailSchema>;

/** Automatic hedging of a pair, with what it has done. Amounts are raw base units. */
export const autoHedgeRowSchema = z.object({
  chainId: chainIdSchema,
  pair: pairIdSchema,
  base: hedgeTokenSchema,
  settings: autoHedgeSchema,
  /** Since when it counts fills; null while it is off. */
  since: timeSchema.nullable(),
  unhedged: signedAmountSchema,
  hedgedToday: rawAmountSchema,
  quote: hedgeTokenSchema,
  /** Raw quote units lost against the reference today, gas included where its worth is known; below zero it gained. */
  lostToday: signedAmountSchema,
  /** It was switched off by what it lost. */
  stopped: z.boolean(),
  /** What it last did or did not do, and why. */
  last: z.object({ time: timeSchema, sentence: z.string(), hedgeSeq: z.int().nullable() }).nullable(),
});
export type AutoHedgeRow = z.infer<typeof autoHedgeRowSchema>;
