import { z } from 'zod';
import type { SourcePrice } from '../../../contract/sources.ts';
import { readReference } from '../../../service/read-reference.ts';
import { pause } from '../../../time/pause.ts';
import { type SourceRun, sourceOf } from '../source.ts';

const EVERY_MS = 1_000;
/** Between two questions at least, however long an answer took. */
const REST_MS = 50;

const settingsSchema = z.strictObject({
  kind: z.literal('http'),
  /** Answers `{"prices": {PairID: {"mid": "3412.1", "time": ms}}}`, as a `referenceUrl` does. */
  url: z.url({ protocol: /^https?$/ }),
});

/** A URL that is asked once a second for all its prices. */
export const http = sourceOf({ kind: 'http', settings: settingsSchema, pairsOf: () => null, run });

async function run({ url }: z.infer<typeof settingsSchema>, parts: SourceRun): Promise<void> {
  const { signal } = parts;
  while (!signal.aborted) {
    const began = performance.now();
    await ask(url, parts);
    const rest = Math.max(REST_MS, EVERY_MS - (performance.now() - began));
    await pause(rest, signal, { ref: false });
  }
}

async function ask(url: string, { heard, who, now, signal, whole }: SourceRun): Promise<void> {
  try {
    const { prices, faults } = await readReference(whole(url), { now, signal, who });
    if (signal.aborted) return;
    const said = new Map<string, SourcePrice | string>(faults.map(({ pair, sentence }) => [pair, sentence]));
    for (const [pair, { mid, time }] of prices) said.set(pair, { bid: mid, ask: mid, time });
    heard.heard(said, { isWhole: true });
  } catch (error) {
    if (!signal.aborted) heard.failed(error instanceof Error ? error.message : String(error));
  }
}
