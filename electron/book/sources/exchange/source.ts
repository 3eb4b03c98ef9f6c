import { z } from 'zod';
import { pairIdSchema } from '../../../contract/names.ts';
import { outsidePriceSchema, type SourcePrice } from '../../../contract/sources.ts';
import { compare, parseDecimal } from '../../../protocol/decimal.ts';
import { pause } from '../../../time/pause.ts';
import { type SourceRun, sourceOf } from '../source.ts';
import { sourcePrice } from '../source-price.ts';
import { type OrderBooks, orderBooksOf } from './library.ts';

/** Without its library a source is tried again so seldom, milliseconds. */
const MISSING_MS = 60_000;

const settingsSchema = z.strictObject({
  kind: z.literal('exchange'),
  /** As the library ccxt calls it: kraken, coinbaseexchange, binance. */
  exchange: z.string().regex(/^[a-z0-9]{1,40}$/, 'must be a name such as kraken'),
  /** Where it is asked, in the place of the exchange's own addresses. */
  url: z.url({ protocol: /^https?$/ }).optional(),
  everySeconds: z.int().min(1).max(3600).default(2),
  /** What it calls each pair: ETH/USDC. */
  pairs: z.record(pairIdSchema, z.string().min(1).max(60)),
});
type Settings = z.infer<typeof settingsSchema>;

/** The best bid and ask of an exchange's public order books, through the library ccxt, which is loaded only for this. */
export const exchange = sourceOf({
  kind: 'exchange',
  settings: settingsSchema,
  pairsOf: ({ pairs }) => Object.keys(pairs),
  run,
});

async function run({ exchange: name, url, everySeconds, pairs }: Settings, parts: SourceRun): Promise<void> {
  const { signal, heard, who, whole } = parts;
  let books: OrderBooks | null = null;
  while (!signal.aborted) {
    const began = performance.now();
    let every = everySeconds * 1_000;
    try {
      books ??= await orderBooksOf(name, url === undefined ? null : whole(url), signal);
      await askAll(books, pairs, parts);
    } catch (error) {
      heard.failed(`${who} cannot be heard: ${error instanceof Error ? error.message : String(error)}.`);
      every = MISSING_MS;
    }
    const rest = Math.max(50, every - (performance.now() - began));
    await pause(rest, signal, { ref: false });
  }
}

/** What cannot be had of one pair takes no other with it. */
async function askAll(
  books: OrderBooks,
  pairs: Settings['pairs'],
  { heard, who, now, signal }: SourceRun,
): Promise<void> {
  for (const [pair, symbol] of Object.entries(pairs)) {
    try {
      // A book that has no time of its own may be as old as the asking.
      const asked = now();
      const { bids, asks, timestamp } = await books(symbol);
      const price = priceOf(bids, asks, timestamp ?? asked, now());
      if (!signal.aborted) heard.heard(new Map([[pair, price]]));
    } catch (error) {
      const said = error instanceof z.ZodError ? 'its order book has no form that is known' : String(error);
      if (!signal.aborted) heard.failed(`${who} says nothing of ${pair}: ${said}`);
    }
    if (signal.aborted) return;
  }
}

/** The best of each side, found here: in the library texts are sorted as texts. One level that is no price spoils the book. */
function priceOf(bids: readonly unknown[], asks: readonly unknown[], time: number, now: number): SourcePrice | string {
  const odd = [...bids, ...asks].find((price) => !outsidePriceSchema.safeParse(price).success);
  if (odd !== undefined) return `a level of its order book is no price: ${String(odd).slice(0, 40)}`;
  if (bids.length === 0 || asks.length === 0) return 'its order book has one side only';
  const best = (prices: readonly unknown[], sign: number) =>
    prices.map(String).reduce((a, b) => (sign * compare(parseDecimal(b), parseDecimal(a)) > 0 ? b : a));
  return sourcePrice({ bid: best(bids, 1), ask: best(asks, -1), time }, now);
}
