import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takerClient } from '../../desk/taker-client.ts';
import { type BenchDesk, deskFolder, startBenchDesk } from '../bench-desk.ts';
import { benchDeskFile, LEVELS } from '../bench-desk-file.ts';
import { startBaseline } from '../child.ts';
import { runCleanLoad } from '../load.ts';
import { priceRequests } from '../requests.ts';
import { interleaved, ratioOf, summaryOf } from '../rounds.ts';
import type { Line, Row } from '../row.ts';
import type { Bench } from '../workbench.ts';

const ROUNDS = { short: 7, long: 15 };
const SECONDS = 1.5;
const CONNECTIONS = 32;
const TARGET = 0.85;
const TARGET_HMAC = 0.6;

/** GET /prices of a loopback desk that nobody has to sign for. */
export const prices: Row = {
  name: 'prices',
  what: `GET /prices, no auth, 20 pairs × ${LEVELS} levels`,
  async run(bench) {
    const chain = await bench.chain();
    const file = benchDeskFile(chain, false);
    const { folder, remove } = await deskFolder(chain, file);
    bench.later(remove);
    const desk = await startBenchDesk(folder, file);
    try {
      return [await againstBareServer(bench, desk, TARGET)];
    } finally {
      await desk.stop();
    }
  },
};

/** The same with the signature of each request checked. */
export const pricesHmac: Row = {
  name: 'prices-hmac',
  what: 'GET /prices with HMAC',
  run: async (bench) => [await againstBareServer(bench, await bench.desk(), TARGET_HMAC)],
};

async function againstBareServer(bench: Bench, desk: BenchDesk, target: number): Promise<Line> {
  const grid = join(bench.folder().folder, 'grid.json');
  writeFileSync(grid, JSON.stringify((await takerClient(desk.ready.surface, desk.file).get('/prices')).json));
  const bare = await startBaseline('bare-get', [grid]);
  const load = (port: number) => () =>
    runCleanLoad({ port, requests: priceRequests(desk.file), connections: CONNECTIONS, seconds: SECONDS });
  try {
    const rounds = await interleaved(bench.long ? ROUNDS.long : ROUNDS.short, {
      bare: load(bare.port),
      ours: load(desk.port),
    });
    const ratio = ratioOf(rounds, 'ours', 'bare');
    const [ours, theirs] = [summaryOf(rounds, 'ours'), summaryOf(rounds, 'bare')];
    return {
      measured: `${ratio.toFixed(2)} × (${ours.text})`,
      baseline: `bare node:http, same bytes: ${theirs.text}`,
      target: `≥ ${target} ×`,
      met: ratio >= target,
      figures: { ratio, ours: ours.figures, bare: theirs.figures, rounds: rounds.length },
    };
  } finally {
    await bare.stop();
  }
}
