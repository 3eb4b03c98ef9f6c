import type { WhatIfEnd, WhatIfSettings } from '../../../electron/contract/what-if.ts';
import type { DeskClient } from '../../../electron/desk/desk-line.ts';
import { type BenchDesk, deskFolder, startBenchDesk } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { openConsole } from '../console.ts';
import { runCleanLoad } from '../load.ts';
import { firmRequests, MOST_A_SECOND } from '../requests.ts';
import type { Line, Row } from '../row.ts';

const REQUESTS = 100_000;
/** A round's requests are signed beforehand, each for one order, and are good for half a minute. */
const ROUND_SECONDS = 4;
const FIRM_PER_SECOND = 50;
const BESIDE_SECONDS = 20;
const TARGET = { seconds: 10, slower: 2, silenceMs: 1_000 };

/** Every ladder a basis point wider, and a rule that trips in the middle of it. */
const SETTINGS: WhatIfSettings = {
  ladders: [{ changes: [{ kind: 'wider', bps: '1' }] }],
  protections: [{ name: 'flow', counts: 'signed', per: 'user', windowSeconds: 60, limit: '400', freezeSeconds: 5 }],
};

/** A question about a day, beside the quotes of now. */
export const whatIf: Row = {
  name: 'what-if',
  what: `what if over ${REQUESTS.toLocaleString('en')} requests, beside ${FIRM_PER_SECOND} firm/s`,
  async run(bench) {
    const file = benchDeskFile(await bench.chain());
    const { folder, remove } = await deskFolder(await bench.chain(), file);
    bench.later(remove);
    const desk = await startBenchDesk(folder, file);
    const client = await openConsole(desk.ready.console);
    try {
      const since = Date.now();
      let requests = 0;
      while (requests < REQUESTS) {
        const { answers } = await load(desk, ROUND_SECONDS * MOST_A_SECOND, ROUND_SECONDS);
        requests += answers;
      }
      const until = Date.now();
      const alone = await load(desk, FIRM_PER_SECOND * BESIDE_SECONDS, BESIDE_SECONDS, FIRM_PER_SECOND);
      const [asked, beside] = await Promise.all([
        ask(client.desk, { since, until, settings: SETTINGS }),
        load(desk, FIRM_PER_SECOND * BESIDE_SECONDS, BESIDE_SECONDS, FIRM_PER_SECOND),
      ]);
      return linesOf(asked, { alone: alone.p99Ms, beside: beside.p99Ms });
    } finally {
      client.close();
      await desk.stop();
    }
  },
};

function load({ port, file }: BenchDesk, count: number, seconds: number, rate?: number) {
  const paced = rate === undefined ? {} : { rate };
  return runCleanLoad({ port, requests: firmRequests(file, count + 1), connections: 32, seconds, ...paced });
}

/** Asks, and takes the time until the answer is whole, and between two signs of life. */
async function ask(desk: DeskClient, asked: { since: number; until: number; settings: WhatIfSettings }) {
  const began = performance.now();
  let [heard, silenceMs] = [began, 0];
  let end: WhatIfEnd | null = null;
  for await (const part of await desk.whatIf.run(asked)) {
    silenceMs = Math.max(silenceMs, performance.now() - heard);
    heard = performance.now();
    if (part.part === 'end') end = part;
  }
  if (end === null) throw new Error('what if ended early');
  return { seconds: (performance.now() - began) / 1_000, silenceMs, end };
}

function linesOf(
  { seconds, silenceMs, end }: Awaited<ReturnType<typeof ask>>,
  firm: { alone: number; beside: number },
): Line[] {
  const { requests, asTheyWere, tried, total } = end;
  const kept = Object.values(asTheyWere).reduce((sum, count) => sum + count, 0);
  const many = (count: number) => count.toLocaleString('en');
  return [
    {
      measured: `${seconds.toFixed(1)} s for ${many(requests)} requests (${many(total.worse)} would have been worse for the taker, ${many(kept)} were taken as they were), told how far at least each ${silenceMs.toFixed(0)} ms`,
      baseline: '—',
      target: `≤ ${TARGET.seconds} s, ≤ ${TARGET.silenceMs} ms`,
      met: requests >= REQUESTS && seconds <= TARGET.seconds && silenceMs <= TARGET.silenceMs,
      figures: { seconds, requests, silenceMs, kept, tried: tried !== null },
    },
    {
      measured: `firm p99 ${firm.beside.toFixed(1)} ms beside it`,
      baseline: `${firm.alone.toFixed(1)} ms alone`,
      target: `≤ ${TARGET.slower} ×, or 5 ms`,
      met: firm.beside <= Math.max(5, TARGET.slower * firm.alone),
      figures: firm,
    },
  ];
}
