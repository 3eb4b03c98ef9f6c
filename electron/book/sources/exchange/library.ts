import { z } from 'zod';
import { exactJson } from '../exact-json.ts';

/** The library that speaks the exchanges' languages. It is not installed with the desk: 67 MB, and 85 MB of memory. */
const LIBRARY = 'ccxt';
const TIMEOUT_MS = 10_000;
/** The list of its markets is the largest thing that an exchange answers with. */
const MAX_BYTES = 64 * 1024 * 1024;

/** An exchange of the library, as far as it is used. */
interface LibraryExchange {
  number: unknown;
  timeout: number;
  readonly urls: { api: unknown };
  parseJson: (text: string) => unknown;
  fetchImplementation: unknown;
  fetchOrderBook(symbol: string): Promise<unknown>;
}

const librarySchema = z.looseObject({ exchanges: z.array(z.string()) });

/** Prices and sizes of a side as texts, in whatever order, and perhaps more in a row. */
const sideSchema = z.array(
  z
    .array(z.unknown())
    .min(1)
    .transform(([price]) => price),
);
const orderBookSchema = z.looseObject({ bids: sideSchema, asks: sideSchema, timestamp: z.number().nullish() });
type OrderBook = z.infer<typeof orderBookSchema>;

/** Gives the public order book of a symbol: its prices, as the exchange wrote them. Throws what the library throws. */
export type OrderBooks = (symbol: string) => Promise<OrderBook>;

/**
 * The order books of an exchange, by the library's name for it; `url` stands in the place of the exchange's own addresses. Throws
 * Error where the library is not installed or does not know the exchange.
 */
export async function orderBooksOf(name: string, url: string | null, signal: AbortSignal): Promise<OrderBooks> {
  const library = await loaded();
  if (!librarySchema.parse(library).exchanges.includes(name)) throw new Error(`${LIBRARY} knows no exchange ${name}`);
  const Exchange = library[name] as new (options: object) => LibraryExchange;
  const exchange = new Exchange({ enableRateLimit: true });
  exchange.number = String;
  exchange.timeout = TIMEOUT_MS;
  exchange.parseJson = exactJson;
  exchange.fetchImplementation = (address: string, init: RequestInit) => bounded(address, init, signal);
  if (url !== null) exchange.urls.api = elsewhere(exchange.urls.api, url.replace(/\/$/, ''));
  return async (symbol) => orderBookSchema.parse(await exchange.fetchOrderBook(symbol));
}

async function loaded(): Promise<Record<string, unknown>> {
  try {
    const module = (await import(LIBRARY)) as { default: Record<string, unknown> };
    return module.default;
  } catch (cause) {
    throw new Error(`the library ${LIBRARY} is not installed: npm install --no-save ${LIBRARY}@4, beside the desk`, {
      cause,
    });
  }
}

/** Nothing is followed to another host, and an answer has an end in time and length. */
async function bounded(address: string, init: RequestInit, signal: AbortSignal): Promise<Response> {
  const { method, headers, body } = init;
  const ends = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const response = await fetch(address, { method, headers, body, redirect: 'error', signal: ends });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new TypeError(`the answer is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status: response.status, headers: response.headers });
}

/** The same addresses at another origin. */
function elsewhere(urls: unknown, origin: string): unknown {
  if (typeof urls === 'string') return urls.replace(/^https?:\/\/[^/]+/, origin);
  if (typeof urls !== 'object' || urls === null) return urls;
  return Object.fromEntries(Object.entries(urls).map(([name, value]) => [name, elsewhere(value, origin)]));
}
