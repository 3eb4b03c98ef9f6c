import { z } from 'zod';
import type { Address } from '../../protocol/address.ts';
import { shareOf, WHOLE_BPS } from '../basis-points.ts';
import type { Source } from './sources.ts';

const bps = z.int().min(0).max(9_999);

/** What the tokens at both ends keep of a transfer, in bps: of every one, and besides of those in DEX swaps (PROTOCOL 14.1). */
export const swapTaxesSchema = z
  .object({ src: bps, srcDex: bps, dest: bps, destDex: bps })
  .refine(({ src, srcDex, dest, destDex }) => Math.max(src + srcDex, dest + destDex) <= 9_999, {
    error: 'transfer fees must be below 10000 bps together',
  });
export type SwapTaxes = z.infer<typeof swapTaxesSchema>;

export function isTaxed(taxes: SwapTaxes): boolean {
  return Object.values(taxes).some((tax) => tax > 0);
}

/** What is kept of the transfers into a leg and out of it. The maker's side of an RFQ order bears its own tax. */
export function legTaxes(
  kind: 'rfq' | 'pool',
  { isFirst, isLast }: { isFirst: boolean; isLast: boolean },
  taxes: SwapTaxes,
): { taxInBps: number; taxOutBps: number } {
  const [dexIn, dexOut] = kind === 'pool' ? [taxes.src + taxes.srcDex, taxes.destDex] : [0, 0];
  return { taxInBps: isFirst ? dexIn : 0, taxOutBps: isLast ? taxes.dest + dexOut : 0 };
}

/** The source as the router meets it between the ends of a path: amounts are what it sends and what arrives. */
export function taxedSource(source: Source, from: Address, to: Address, taxes: SwapTaxes): Source {
  const ends = { isFirst: source.tokenIn === from, isLast: source.tokenOut === to };
  const { taxInBps, taxOutBps } = legTaxes(source.data.kind, ends, taxes);
  if (taxInBps + taxOutBps === 0) return source;
  return {
    ...source,
    gives(amountIn) {
      const given = source.gives(afterTax(amountIn, taxInBps));
      return given === null ? null : afterTax(given, taxOutBps);
    },
    wants(amountOut) {
      const wanted = source.wants(beforeTax(amountOut, taxOutBps));
      return wanted === null ? null : beforeTax(wanted, taxInBps);
    },
  };
}

/** What arrives of an amount when the token keeps a tax (in bps, rounded down) of a transfer. */
export function afterTax(amount: bigint, taxBps: number): bigint {
  return amount - shareOf(amount, taxBps);
}

/** The least that must be sent so that `amount` arrives. */
export function beforeTax(amount: bigint, taxBps: number): bigint {
  if (taxBps === 0 || amount === 0n) return amount;
  return ((amount - 1n) * WHOLE_BPS) / (WHOLE_BPS - BigInt(taxBps)) + 1n;
}
