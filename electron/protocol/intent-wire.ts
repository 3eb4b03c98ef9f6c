import { z } from 'zod';
import { rawAmountSchema } from './amount.ts';
import { priceRouteSchema, swapSideSchema } from './market-wire.ts';
import { queryIntSchema, queryListSchema, queryNumberSchema } from './query-fields.ts';
import { spelledAddressSchema, tokenAddressSchema } from './route-token.ts';
import { verbatim } from './verbatim.ts';

/** A token on a chain, and an amount of it in raw units (PROTOCOL 12.4). */
const chainTokenSchema = z.looseObject({ chainId: z.int().positive(), address: spelledAddressSchema });
const tokenAmountSchema = z.looseObject({
  token: chainTokenSchema,
  amount: rawAmountSchema,
  amountUSD: z.string().nullish(),
});

/** How an order crosses chains; the protocol leaves it open (PROTOCOL 12.4). */
const routeBridgeSchema = z.looseObject({
  protocol: z.string().optional(),
  estimatedTimeMs: z.number().optional(),
  tags: z.array(z.string()).optional(),
  contractParams: z
    .looseObject({
      protocolSelector: z.string(),
      outputToken: spelledAddressSchema,
      scalingFactor: z.int(),
      protocolData: z.string(),
    })
    .optional(),
});

/** What an intent order is built from (PROTOCOL 12.4), given back verbatim: `origin` on the source chain, `destination` where it ends. */
export const intentRouteSchema = verbatim(
  z.looseObject({
    origin: z.looseObject({ input: tokenAmountSchema, output: tokenAmountSchema.optional() }),
    destination: z.looseObject({ input: tokenAmountSchema.optional(), output: tokenAmountSchema }),
    bridge: routeBridgeSchema.nullish(),
    fees: z.looseObject({}).nullish(),
    spender: spelledAddressSchema.optional(),
  }),
);
export type IntentRoute = z.infer<typeof intentRouteSchema>;

/** An intent price (PROTOCOL 12.4, 14.4). The intent contract stands beside the route, in it, or both. */
export const intentPriceSchema = z.looseObject({
  id: z.string().optional(),
  side: swapSideSchema.optional(),
  inputToken: chainTokenSchema.optional(),
  outputToken: chainTokenSchema.optional(),
  route: intentRouteSchema,
  alternatives: z.array(z.unknown()).default([]),
  partner: z.looseObject({ name: z.string().optional(), feePercent: z.number().optional() }).nullish(),
  spender: spelledAddressSchema.optional(),
});
export type IntentPrice = z.infer<typeof intentPriceSchema>;

const fallbackReasonSchema = z.looseObject({ errorType: z.string().optional(), details: z.string().optional() });

/** `GET /v2/quote` answers this, with the intent product's block named `intent` (PROTOCOL 12.4). */
export const quoteAnswerSchema = z.object({
  intent: intentPriceSchema.nullish(),
  market: priceRouteSchema.nullish(),
  fallbackReason: fallbackReasonSchema.nullish(),
});
export type QuoteAnswer = z.infer<typeof quoteAnswerSchema>;

const quoteFields = {
  chainId: queryIntSchema,
  srcToken: tokenAddressSchema('srcToken'),
  destToken: tokenAddressSchema('destToken'),
  amount: rawAmountSchema,
  srcDecimals: queryIntSchema,
  destDecimals: queryIntSchema,
  side: swapSideSchema.default('SELL'),
  destChainId: queryIntSchema.optional(),
  userAddress: spelledAddressSchema.optional(),
  beneficiary: spelledAddressSchema.optional(),
  partner: z.string().min(1).default('anon'),
  partnerFeeBps: queryIntSchema.pipe(z.int().max(200)).optional(),
};

/** The query of `GET /v2/quote` (PROTOCOL 14.3), as text, with the intent product's mode named `INTENT`. */
export const quoteQuerySchema = z.object({ ...quoteFields, mode: z.enum(['ALL', 'INTENT', 'MARKET']).default('ALL') });

/** The query of `GET /v2/intent/prices`, as text (PROTOCOL 14.4). `maxImpact` is percent. */
export const intentPricesQuerySchema = z.object({
  ...quoteFields,
  maxImpact: queryNumberSchema.optional(),
  includeBridges: queryListSchema.optional(),
  excludeBridges: queryListSchema.optional(),
});

/** A token of a lane: its address, alone or in an object. */
const laneTokenSchema = z
  .union([z.string(), z.looseObject({ address: z.string() })])
  .transform((token) => (typeof token === 'string' ? token : token.address));

/** `GET /v2/intent/prices/bridge-routes`: which tokens cross from where to where. */
export const bridgeRoutesSchema = z.object({
  routes: z.array(
    z.object({ srcChainId: z.int().positive(), destChainId: z.int().positive(), tokens: z.array(laneTokenSchema) }),
  ),
});
export type BridgeRoutes = z.infer<typeof bridgeRoutesSchema>;

/** `GET /v2/intent/prices/is-token-supported`. */
export const tokenSupportSchema = z.object({ supported: z.boolean() });

/** What the deployment of the service calls its intent product: `segment` in paths, `mode` and `block` in a combined quote. */
export function intentNames(segment: string) {
  return { segment, mode: segment.toUpperCase(), block: segment };
}
