import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import type { PriceRoute } from '../../protocol/market-wire.ts';
import { swapTaxesSchema } from './swap-taxes.ts';

const rawSchema = z.string().transform(BigInt);

const legSchema = z.object({
  srcAmount: rawSchema,
  destAmount: rawSchema,
  data: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('rfq'), pairId: z.string() }),
    z.object({ kind: z.literal('pool'), pool: addressSchema }),
  ]),
});
export type RouteLeg = z.output<typeof legSchema>;

const hopSchema = z.object({ srcToken: addressSchema, destToken: addressSchema, swapExchanges: z.array(legSchema) });
export type RouteHop = z.output<typeof hopSchema>;

const oneWaySchema = z.object({ swaps: z.array(hopSchema).min(1), taxes: swapTaxesSchema });

/** What the service itself wrote into `bestRoute`, once the seal has shown that it did; tokens are the traded ones. */
export function readBestRoute({ bestRoute }: PriceRoute): { hops: RouteHop[]; taxes: z.infer<typeof swapTaxesSchema> } {
  const { swaps, taxes } = oneWaySchema.parse(bestRoute[0]);
  return { hops: swaps, taxes };
}
