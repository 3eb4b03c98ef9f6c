import { z } from 'zod';
import { pairIdSchema, timeSchema } from '../contract/names.ts';
import { decimalSchema } from '../protocol/decimal.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { askService } from './ask-service.ts';

const TIMEOUT_MS = 2_000;
/** How far the reference's clock may be ahead of ours, in milliseconds. */
const AHEAD_MS = 60_000;

/** A mid is above zero and written out; what needs more digits than this before or behind its point is no price. */
const MOST_DIGITS = 36;
const midSchema = decimalSchema
  .refine((mid) => !/^[0.]*$/.test(mid), 'is zero')
  .refine((mid) => mid.split('.').every(({ length }) => length <= MOST_DIGITS), 'has more digits than a price needs');
const priceSchema = z.object({ mid: midSchema, time: timeSchema });
const answerSchema = z.object({ prices: z.record(z.string(), z.unknown()) });

/** What a reference said: the sound prices by pair, and what is wrong with the others, in words. */
export interface HeardReference {
  /** `time` is Unix milliseconds, and never later than `now`. */
  prices: Map<string, { mid: string; time: number }>;
  faults: { pair: string; sentence: string }[];
}

/**
 * Asks a reference for its prices: `{"prices": {PairID: {"mid": "3412.1", "time": ms}}}`. A price that cannot be used
 * takes out only itself. Throws DeskError as `askService` does, and `service_nonsense` when there is no `prices`.
 */
export async function readReference(
  url: string,
  { now, signal, timeoutMs = TIMEOUT_MS }: { now: () => number; signal?: AbortSignal; timeoutMs?: number },
): Promise<HeardReference> {
  const answer = answerSchema.safeParse(
    await askService({ url, who: 'The reference', timeoutMs, signal, isQuerySecret: true }),
  );
  if (!answer.success) throw new DeskError('service_nonsense', 'The reference answered without an object of prices.');
  const at = now();
  const heard: HeardReference = { prices: new Map(), faults: [] };
  for (const [pair, raw] of Object.entries(answer.data.prices)) {
    const sentence = pairIdSchema.safeParse(pair).success ? faultOf(raw, at) : 'the name is no pair';
    if (sentence !== null) heard.faults.push({ pair: pair.slice(0, 64), sentence });
    else {
      const { mid, time } = priceSchema.parse(raw);
      heard.prices.set(pair, { mid, time: Math.min(time, at) });
    }
  }
  return heard;
}

function faultOf(raw: unknown, now: number): string | null {
  const price = priceSchema.safeParse(raw);
  if (!price.success) {
    const issue = price.error.issues[0];
    return [issue?.path.join('.'), issue?.message].filter(Boolean).join(' ');
  }
  const ahead = price.data.time - now;
  return ahead > AHEAD_MS ? `its time is ${Math.round(ahead / 1_000)} s in the future` : null;
}
