import { z } from 'zod';
import { pairIdSchema } from '../../../contract/names.ts';
import { outsidePriceSchema, type SourcePrice } from '../../../contract/sources.ts';
import { div, formatDecimal, type Rational, toRaw } from '../../../protocol/decimal.ts';
import type { Token } from '../../../protocol/wire.ts';
import { marketPrices } from '../../../service/market-operations.ts';
import { pause } from '../../../time/pause.ts';
import { type PairTokens, type SourceRun, sourceOf } from '../source.ts';
import { sourcePrice } from '../source-price.ts';

/** Digits behind the point of a price that two amounts come to. */
const PLACES = 36;

const settingsSchema = z.strictObject({
  kind: z.literal('router'),
  /** Between two rounds; each pair takes two questions of the service's day. */
  everySeconds: z.int().min(2).max(3600).default(30),
  /** How much of the base token is asked for, both ways. */
  pairs: z.record(pairIdSchema, z.strictObject({ amount: outsidePriceSchema })),
});
type Settings = z.infer<typeof settingsSchema>;

/**
 * What the service's router gives and takes for a small amount, both ways. Quotes of market makers are left out of it: ours
 * would be among them, and a price must not be its own reference.
 */
export const router = sourceOf({
  kind: 'router',
  settings: settingsSchema,
  pairsOf: ({ pairs }) => Object.keys(pairs),
  run,
});

async function run({ pairs, everySeconds }: Settings, parts: SourceRun): Promise<void> {
  const { signal, heard } = parts;
  while (!signal.aborted) {
    const began = performance.now();
    for (const [pair, { amount }] of Object.entries(pairs)) {
      try {
        const price = await ask(pair, amount, parts);
        if (!signal.aborted) heard.heard(new Map([[pair, price]]));
      } catch (error) {
        if (!signal.aborted) heard.failed(`${pair}: ${error instanceof Error ? error.message : String(error)}`);
      }
      if (signal.aborted) return;
    }
    const rest = Math.max(1_000, everySeconds * 1_000 - (performance.now() - began));
    await pause(rest, signal, { ref: false });
  }
}

async function ask(
  id: string,
  amount: string,
  { heard, pair: pairOf, service, now }: SourceRun,
): Promise<SourcePrice | string> {
  const pair = pairOf(id);
  if (pair === undefined) return 'it is not listed';
  const at = now();
  const raw = toRaw(amount, pair.base.decimals);
  if (raw === 0n) return `${amount} is less than one raw unit`;
  const { base, quote } = pair;
  const both = { network: heard.about.chainId, amount: String(raw), excludeRFQ: true };
  const sold = await marketPrices(service(), { ...both, ...ends(base, quote), side: 'SELL' });
  const bought = await marketPrices(service(), { ...both, ...ends(quote, base), side: 'BUY' });
  const bid = priceOf(pair, sold.destAmount, raw);
  const ask = priceOf(pair, bought.srcAmount, raw);
  return sourcePrice(
    { bid: formatDecimal(bid, PLACES, 'floor'), ask: formatDecimal(ask, PLACES, 'ceil'), time: at },
    at,
  );
}

function ends(src: Token, dest: Token) {
  return {
    srcToken: src.address,
    srcDecimals: src.decimals,
    destToken: dest.address,
    destDecimals: dest.decimals,
  };
}

/** Quote per base, of raw amounts. */
function priceOf({ base, quote }: PairTokens, ofQuote: string, ofBase: bigint): Rational {
  const inQuote = { n: BigInt(ofQuote), d: 10n ** BigInt(quote.decimals) };
  return div(inQuote, { n: ofBase, d: 10n ** BigInt(base.decimals) });
}
