import { z } from 'zod';
import { addressSchema } from '../protocol/address.ts';
import { rawAmountSchema } from '../protocol/amount.ts';
import { hedgeTokenSchema } from './hedge.ts';
import { hedgeModeSchema } from './hedge-terms.ts';
import { chainIdSchema, timeSchema } from './names.ts';

/** Which contract may take tokens; `other` is one that a hedge of before was given to. */
export const spenderRoleSchema = z.enum(['rfq', 'router', 'intent', 'permit2', 'other']);
export type SpenderRole = z.infer<typeof spenderRoleSchema>;

/** An intent order whose signature is out. Amounts are raw units of its source. */
export const liveOrderSchema = z.object({
  /** The row of the journal that opened its hedge. */
  seq: z.int(),
  orderId: z.string().nullable(),
  orderHash: z.string().nullable(),
  mode: hedgeModeSchema,
  src: hedgeTokenSchema,
  /** What of it can still be taken at most. */
  left: rawAmountSchema,
  /** After this no chain takes it any more. */
  until: timeSchema,
  /** In the service's word; null while the service is not known to have it. */
  status: z.string().nullable(),
  /** The service says that it is over, which no chain confirms before its end: the signature is still good. */
  overByWord: z.boolean(),
  /** A person gave it up; whatever the service says, its signature is still good. */
  givenUp: z.boolean().optional(),
  cancel: z.enum(['no', 'wanted', 'signed', 'asked']),
});

/** An NFT order that a person had signed for one taker. What is left of each side is told in words. */
export const liveNftOrderSchema = z.object({
  /** The row of the journal that signed it. */
  seq: z.int(),
  orderHash: z.string(),
  gives: z.string(),
  /** Whether what it gives is an NFT: tokens are counted with what quotes give. */
  givesNft: z.boolean(),
  gets: z.string(),
  taker: addressSchema,
  until: timeSchema,
});

/** A permit that is signed and not used: whoever has its bytes may use it. */
export const livePermitSchema = z.object({
  seq: z.int(),
  kind: z.enum(['eip2612', 'permit2']),
  token: hedgeTokenSchema,
  spender: addressSchema,
  amount: rawAmountSchema,
  until: timeSchema,
  /** Of a token's own: the call that uses it up. */
  call: z.string(),
});

/** A signed transaction of a hedge that is not mined and may still be. */
export const liveTransactionSchema = z.object({
  seq: z.int(),
  purpose: z.enum(['approval', 'swap']),
  hash: z.string(),
  src: hedgeTokenSchema,
  /** Of an approval: whom it would let take the source. */
  spender: addressSchema.optional(),
  /** Null: none has an end that the desk could prove. */
  until: timeSchema.nullable(),
});

/** What a contract may take of a token as long as nobody sets it otherwise. */
export const liveAllowanceSchema = z.object({
  token: hedgeTokenSchema,
  spender: addressSchema,
  role: spenderRoleSchema,
  amount: rawAmountSchema,
});

/** An approval that the desk itself sent for a person, which is not mined and may still be. It has no end. */
export const liveApprovalSchema = z.object({
  token: hedgeTokenSchema,
  spender: addressSchema,
  amount: rawAmountSchema,
  hash: z.string(),
});

/** Everything signed on one chain that somebody can still use. */
export const chainStillLiveSchema = z.object({
  chainId: chainIdSchema,
  name: z.string(),
  /** The block at which the chain was asked; null when it did not answer. */
  block: z.object({ number: z.int(), time: timeSchema }).nullable(),
  /** What could not be found out, for a person: while there is any, nothing is said to be over. */
  unknown: z.array(z.string()),
  quotes: z.object({ count: z.int(), until: timeSchema.nullable() }),
  nftOrders: z.array(liveNftOrderSchema),
  orders: z.array(liveOrderSchema),
  permits: z.array(livePermitSchema),
  transactions: z.array(liveTransactionSchema),
  approvals: z.array(liveApprovalSchema),
  allowances: z.array(liveAllowanceSchema),
  /** What the maker may have allowed a contract: the chain did not say how much. */
  unread: z.array(liveAllowanceSchema.omit({ amount: true })),
});
export type ChainStillLive = z.infer<typeof chainStillLiveSchema>;

/** Everything signed that somebody can still use: firm quotes, NFT orders, intent orders, permits, transactions, allowances. */
export const stillLiveSchema = z.object({
  at: timeSchema,
  /** Nothing signed is live, and every chain agrees; what contracts may take is told beside it. */
  nothingSigned: z.boolean(),
  /** Beside that no contract may take anything: nothing can be taken whoever tries. */
  nothing: z.boolean(),
  /** When the last of what has an end is over; null when nothing signed is live, or some of it has no end. */
  until: timeSchema.nullable(),
  chains: z.array(chainStillLiveSchema),
});
export type StillLive = z.infer<typeof stillLiveSchema>;

/** What became of the cancellations of a chain. */
export const cancelledIntentsSchema = z.object({
  chainId: chainIdSchema,
  /** Orders that the service was asked, or in a dry run would be asked, to cancel; none for a hedge that is not signed yet. */
  orderIds: z.array(z.string()),
  outcome: z.enum(['dry_run', 'asked', 'failed']),
  /** Why it was not asked, what the service said, or which hedge is not signed any more. */
  reason: z.string().nullable(),
});
export type CancelledIntents = z.infer<typeof cancelledIntentsSchema>;

/** Why an order still counts that is called over, for a person; null for one that runs. */
export function outlivingWords(
  {
    overByWord,
    givenUp,
    status,
    until,
  }: Pick<z.infer<typeof liveOrderSchema>, 'overByWord' | 'givenUp' | 'status' | 'until'>,
  timeText: (time: number) => string,
): string | null {
  if (!overByWord) return null;
  const over = givenUp === true ? 'given up here' : `${(status ?? 'refused').toLowerCase()} at the service`;
  return `${over}; its signature is good until ${timeText(until)}`;
}
