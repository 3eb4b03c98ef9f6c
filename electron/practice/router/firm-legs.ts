import { z } from 'zod';
import { type Address, addressSchema, type Hex, ZERO_ADDRESS } from '../../protocol/address.ts';
import type { PriceRoute, SwapSide } from '../../protocol/market-wire.ts';
import { fromWireOrder, type OrderFields } from '../../protocol/order-hash.ts';
import type { Token } from '../../protocol/wire.ts';
import type { FirmOutcome, MakerConsumer } from '../consumer/maker-consumer.ts';
import { WireRefused } from '../wire-refused.ts';
import { beforeTax, legTaxes, type SwapTaxes, swapTaxesSchema } from './swap-taxes.ts';

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

/** A leg as the router's contract takes it. */
export interface FirmLeg {
  pool: Address;
  amount: bigint;
  taxInBps: number;
  taxOutBps: number;
  order: OrderFields;
  signature: Hex;
}

export interface FirmHop {
  tokenIn: Address;
  tokenOut: Address;
  legs: FirmLeg[];
}

export interface FirmLegsOptions {
  consumer: MakerConsumer | null;
  side: SwapSide;
  hops: readonly RouteHop[];
  taxes: SwapTaxes;
  slippageBps: number;
  userAddress: Address;
  /** Who sends the transaction: the maker need not quote them either. */
  txOrigin: Address;
  router: Address;
  signal: AbortSignal;
}

const NO_ORDER: OrderFields = {
  nonceAndMeta: 0n,
  expiry: 0,
  makerAmount: 0n,
  takerAmount: 0n,
  makerAsset: ZERO_ADDRESS,
  takerAsset: ZERO_ADDRESS,
  maker: ZERO_ADDRESS,
  taker: ZERO_ADDRESS,
};

/**
 * Asks the maker for a firm quote for every leg that is theirs, one after the other.
 * @throws WireRefused when they give none
 */
export async function firmLegs(options: FirmLegsOptions): Promise<FirmHop[]> {
  const { hops, side, taxes } = options;
  const firm: FirmHop[] = [];
  for (const [index, hop] of hops.entries()) {
    const ends = { isFirst: index === 0, isLast: index === hops.length - 1 };
    const legs: FirmLeg[] = [];
    for (const leg of hop.swapExchanges) {
      const kept = legTaxes(leg.data.kind, ends, taxes);
      const amount = side === 'SELL' ? leg.srcAmount : leg.destAmount;
      if (leg.data.kind === 'pool')
        legs.push({ pool: leg.data.pool, amount, ...kept, order: NO_ORDER, signature: '0x' });
      else
        legs.push({
          pool: ZERO_ADDRESS,
          amount,
          ...kept,
          ...(await quote(options, hop, leg, leg.data.pairId, kept.taxOutBps)),
        });
    }
    firm.push({ tokenIn: hop.srcToken, tokenOut: hop.destToken, legs });
  }
  return firm;
}

async function quote(
  { consumer, side, slippageBps, hops, userAddress, txOrigin, router, signal }: FirmLegsOptions,
  { srcToken, destToken }: RouteHop,
  leg: RouteLeg,
  pairId: string,
  taxOutBps: number,
): Promise<{ order: OrderFields; signature: Hex }> {
  const cached = consumer?.cached();
  const token = (address: Address): Token | undefined =>
    Object.values(cached?.tokens ?? {}).find((one) => one.address === address);
  const [takerToken, makerToken] = [token(srcToken), token(destToken)];
  if (!consumer || takerToken === undefined || makerToken === undefined) throw changed('the maker is away');
  if (cached?.blacklist.has(txOrigin)) throw changed('the maker does not quote this user');
  const out = beforeTax(leg.destAmount, taxOutBps);
  const amounts =
    side === 'SELL'
      ? { exact: 'in' as const, amount: leg.srcAmount, expected: out }
      : { exact: 'out' as const, amount: out, expected: leg.srcAmount };
  const slippage = Math.floor(slippageBps / hops.length);
  const ask = { pairId, makerToken, takerToken, ...amounts, slippageBps: slippage, userAddress, takerAddress: router };
  const outcome = await consumer.firm(ask, signal);
  if (outcome.kind !== 'order') throw changed(inWords(outcome));
  return { order: fromWireOrder(outcome.order), signature: outcome.order.signature };
}

function inWords(outcome: Exclude<FirmOutcome, { kind: 'order' }>): string {
  switch (outcome.kind) {
    case 'refused':
      return `the maker refused with ${outcome.status}, ${outcome.sentence}`;
    case 'blacklisted':
      return 'the maker does not quote this user';
    case 'no_answer':
      return 'the maker does not answer';
    default:
      return outcome.why;
  }
}

function changed(why: string): WireRefused {
  return new WireRefused('PricingError', `The rate has changed, please ask for the price again: ${why}`);
}
