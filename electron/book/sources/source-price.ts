import { timeSchema } from '../../contract/names.ts';
import { futureFault, outsidePriceSchema, type SourcePrice } from '../../contract/sources.ts';
import { compare, parseDecimal } from '../../protocol/decimal.ts';

/** What a source says of a pair, as it came: a mid, or a bid and an ask, each written out; and perhaps when that was so. */
export interface SaidPrice {
  readonly mid?: unknown;
  readonly bid?: unknown;
  readonly ask?: unknown;
  /** Unix milliseconds, as a number or in digits, or an ISO 8601 text; left out: now. */
  readonly time?: unknown;
}

/** The price that a source said at `now` (Unix milliseconds), or why it cannot be used, in words. */
export function sourcePrice(said: SaidPrice, now: number): SourcePrice | string {
  const [bidOf, askOf] = said.mid === undefined ? (['bid', 'ask'] as const) : (['mid', 'mid'] as const);
  const bid = outsidePriceSchema.safeParse(said[bidOf]);
  if (!bid.success) return `its ${bidOf} ${bid.error.issues[0]?.message}`;
  const ask = outsidePriceSchema.safeParse(said[askOf]);
  if (!ask.success) return `its ${askOf} ${ask.error.issues[0]?.message}`;
  if (compare(parseDecimal(bid.data), parseDecimal(ask.data)) > 0) {
    return `its bid ${bid.data} is over its ask ${ask.data}`;
  }
  if (said.time === undefined) return { bid: bid.data, ask: ask.data, time: now };
  const time = readTime(said.time);
  if (time === null) return 'its time is neither Unix milliseconds nor ISO 8601';
  const fault = futureFault(time, now);
  return fault ?? { bid: bid.data, ask: ask.data, time: Math.min(time, now) };
}

function readTime(said: unknown): number | null {
  const text = typeof said === 'number' ? String(said) : typeof said === 'string' ? said : '';
  const at = /^[0-9]{1,16}$/.test(text) ? Number(text) : /^[0-9]{4}-/.test(text) ? Date.parse(text) : Number.NaN;
  return timeSchema.safeParse(at).data ?? null;
}
