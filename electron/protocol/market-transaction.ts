import { z } from 'zod';
import type { Hex } from './address.ts';
import { rawAmountSchema } from './amount.ts';
import { bpsSchema, priceRouteSchema, pricesQuerySchema } from './market-wire.ts';
import { queryBooleanSchema, queryIntSchema } from './query-fields.ts';
import { routeTokenSchema, spelledAddressSchema } from './route-token.ts';

/** Bytes in any casing, as they were written. */
export const bytesSchema = z
  .string()
  .regex(/^0x[0-9a-fA-F]*$/, 'must be 0x followed by whole bytes in hex')
  .refine((text) => text.length % 2 === 0, 'must be 0x followed by whole bytes in hex')
  .transform((text) => text as Hex);

const unixSeconds = z.int().positive();
const flag = queryBooleanSchema.default(false);

/** The query of `POST /transactions/{chainId}` (PROTOCOL 14.2), as text. `gasPrice` is wei. */
export const transactionsQuerySchema = z.object({
  gasPrice: rawAmountSchema.optional(),
  ignoreChecks: flag,
  ignoreGasEstimate: flag,
  onlyParams: flag,
  eip1559: flag,
});

const feeBpsText = z
  .string()
  .regex(/^[0-9]{1,5}$/, 'must be basis points')
  .refine((text) => Number(text) <= 10_000, 'must be at most 10000');

/** What a build may say beside the route and the amounts (PROTOCOL 14.2). */
const buildFields = {
  txOrigin: spelledAddressSchema.optional(),
  receiver: spelledAddressSchema.optional(),
  partnerAddress: spelledAddressSchema.optional(),
  partnerFeeBps: feeBpsText.optional(),
  permit: bytesSchema.optional(),
};

/** The body of `POST /transactions/{chainId}` (PROTOCOL 14.2). Amounts are raw units as text, `deadline` Unix seconds. */
export const transactionsBodySchema = z
  .object({
    priceRoute: priceRouteSchema,
    srcToken: routeTokenSchema('srcToken'),
    destToken: routeTokenSchema('destToken'),
    userAddress: spelledAddressSchema,
    srcDecimals: z.int().nonnegative().optional(),
    destDecimals: z.int().nonnegative().optional(),
    srcAmount: rawAmountSchema.optional(),
    destAmount: rawAmountSchema.optional(),
    slippage: bpsSchema.optional(),
    partner: z.string().min(1).optional(),
    ...buildFields,
    deadline: unixSeconds.optional(),
    isCapSurplus: z.boolean().default(true),
    takeSurplus: z.boolean().default(false),
    isSurplusToUser: z.boolean().default(false),
    isDirectFeeTransfer: z.boolean().default(false),
  })
  .refine(({ srcAmount, destAmount }) => srcAmount !== undefined || destAmount !== undefined, {
    error: 'srcAmount or destAmount is required',
  })
  .refine(({ srcAmount, destAmount, slippage }) => (srcAmount && destAmount) || slippage !== undefined, {
    error: 'slippage is required when an amount is left out',
    path: ['slippage'],
  });
export type TransactionsBody = z.input<typeof transactionsBodySchema>;

/** A transaction to sign and send (PROTOCOL 12.3). `value` and the gas prices are wei; `to` is also the spender to approve. */
export const transactionEnvelopeSchema = z.object({
  from: spelledAddressSchema,
  to: spelledAddressSchema,
  value: rawAmountSchema,
  data: bytesSchema,
  gasPrice: rawAmountSchema.optional(),
  maxFeePerGas: rawAmountSchema.optional(),
  maxPriorityFeePerGas: rawAmountSchema.optional(),
  gas: rawAmountSchema.optional(),
  chainId: z.int().positive(),
});
export type TransactionEnvelope = z.infer<typeof transactionEnvelopeSchema>;

/** The query of `GET /swap`, as text: that of `/prices` with the build's fields. The spec leaves it open (PROTOCOL 14.2). */
export const swapQuerySchema = pricesQuerySchema.extend({
  ...transactionsQuerySchema.shape,
  ...buildFields,
  userAddress: spelledAddressSchema,
  slippage: queryIntSchema.pipe(bpsSchema),
  deadline: queryIntSchema.pipe(unixSeconds).optional(),
  isCapSurplus: queryBooleanSchema.default(true),
  takeSurplus: flag,
  isSurplusToUser: flag,
  isDirectFeeTransfer: flag,
});
