import { z } from 'zod';
import { rawAmountSchema } from './amount.ts';
import { queryBooleanSchema, queryIntSchema, queryListSchema, queryNumberSchema } from './query-fields.ts';
import { routeTokenSchema, spelledAddressSchema } from './route-token.ts';
import { verbatim } from './verbatim.ts';

/** Which amount is fixed: the source's (SELL) or the destination's (BUY). */
export const swapSideSchema = z.enum(['SELL', 'BUY']);
export type SwapSide = z.infer<typeof swapSideSchema>;

/** Hundredths of a percent, as far as `slippage` goes (PROTOCOL 18). */
export const bpsSchema = z.int().min(0).max(10_000);

const flag = queryBooleanSchema.default(false);

/** One part of a market route, as the public service gives it; the protocol leaves it open (PROTOCOL 12.2), so it is read for show only. */
export const bestRouteSchema = z.array(
  z.looseObject({
    percent: z.number(),
    swaps: z.array(
      z.looseObject({
        srcToken: z.string(),
        srcDecimals: z.int(),
        destToken: z.string(),
        destDecimals: z.int(),
        swapExchanges: z.array(
          z.looseObject({
            exchange: z.string(),
            srcAmount: rawAmountSchema,
            destAmount: rawAmountSchema,
            percent: z.number(),
          }),
        ),
      }),
    ),
  }),
);
export type BestRoute = z.infer<typeof bestRouteSchema>;

/** A market route (PROTOCOL 12.2), given back verbatim. Amounts are raw units. `side` is the public service's. */
export const priceRouteSchema = verbatim(
  z.looseObject({
    blockNumber: z.int().nonnegative(),
    network: z.int().positive(),
    srcToken: spelledAddressSchema,
    srcDecimals: z.int().nonnegative(),
    srcAmount: rawAmountSchema,
    destToken: spelledAddressSchema,
    destDecimals: z.int().nonnegative(),
    destAmount: rawAmountSchema,
    bestRoute: z.array(z.looseObject({})),
    gasCostUSD: z.string(),
    gasCost: z.string(),
    side: swapSideSchema.optional(),
    version: z.string(),
    contractAddress: spelledAddressSchema,
    tokenTransferProxy: spelledAddressSchema,
    contractMethod: z.string(),
    partnerFee: z.number(),
    srcUSD: z.string().nullish(),
    destUSD: z.string().nullish(),
    partner: z.string(),
    maxImpactReached: z.boolean(),
    hmac: z.string().min(1),
    others: z.unknown().optional(),
  }),
);
export type PriceRoute = z.infer<typeof priceRouteSchema>;

/** `GET /prices` answers this (PROTOCOL 14.1); `others` also stands inside the route. */
export const pricesAnswerSchema = z.object({ priceRoute: priceRouteSchema, others: z.unknown().optional() });

/** The query of `GET /prices` (PROTOCOL 14.1), as text; parsed, it has the defaults. */
export const pricesQuerySchema = z.object({
  srcToken: routeTokenSchema('srcToken'),
  destToken: routeTokenSchema('destToken'),
  amount: rawAmountSchema,
  srcDecimals: queryIntSchema.optional(),
  destDecimals: queryIntSchema.optional(),
  side: swapSideSchema.default('SELL'),
  network: queryIntSchema.default(1),
  otherExchangePrices: flag,
  includeDEXS: queryListSchema.optional(),
  excludeDEXS: queryListSchema.optional(),
  excludeRFQ: flag,
  includeContractMethods: queryListSchema.optional(),
  excludeContractMethods: queryListSchema.optional(),
  userAddress: spelledAddressSchema.optional(),
  /** Dash-separated, at most four tokens. */
  route: z
    .string()
    .refine((text) => text.split('-').length <= 4, 'route takes at most 4 tokens')
    .optional(),
  partner: z.string().min(1).default('anon'),
  /** Percent. */
  maxImpact: queryNumberSchema.optional(),
  receiver: spelledAddressSchema.optional(),
  /** Basis points of every transfer of the token, and of those in DEX swaps only. */
  srcTokenTransferFee: queryIntSchema.optional(),
  destTokenTransferFee: queryIntSchema.optional(),
  srcTokenDexTransferFee: queryIntSchema.optional(),
  destTokenDexTransferFee: queryIntSchema.optional(),
  version: z.enum(['5', '6.2']).default('5'),
  excludeContractMethodsWithoutFeeModel: flag,
  ignoreBadUsdPrice: flag,
});
