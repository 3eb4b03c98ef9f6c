import { z } from 'zod';
import { pairIdSchema, timeSchema } from '../contract/names.ts';
import { futureFault, outsidePriceSchema } from '../contract/sources.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { askService } from './ask-service.ts';

const TIMEOUT_MS = 2_000;
const priceSchema = z.object({ mid: outsidePriceSchema, time: timeSchema });
const answerSchema = z.object({ prices: z.record(z.string(), z.unknown()) });

/** What a reference said: the sound prices by pair, and what is wrong with the others, in words. */
export interface HeardReference {
  /** `time` is Unix milliseconds, and never later than `now`. */
  prices: Map<string, { mid: string; time: number }>;
  faults: { pair: string; sentence: string }[];
}

/**
 * Asks a reference for its prices: `{"prices": {PairID: {"mid": "3412.1", "time": ms}}}`. A price that cannot be used
 * takes out only itself. `who` is asked, as a sentence begins. Throws DeskError as `askService` does, and `service_nonsense` when there is no `prices`.
 */
export async function readReference(
  url: string,
  {
    now,
    signal,
    timeoutMs = TIMEOUT_MS,
    who = 'The reference',
  }: { now: () => number; signal?: AbortSignal; timeoutMs?: number; who?: string },
): Promise<HeardReference> {
  const answer = answerSchema.safeParse(await askService({ url, who, timeoutMs, signal, isQuerySecret: true }));
  if (!answer.success) throw new DeskError('service_nonsense', `${who} answered without an object of prices.`);
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
  return futureFault(price.data.time, now);
}
