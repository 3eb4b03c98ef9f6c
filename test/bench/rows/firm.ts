import { join } from 'node:path';
import { startBaseline } from '../child.ts';
import { runCleanLoad } from '../load.ts';
import { firmRequests, MOST_A_SECOND } from '../requests.ts';
import { interleaved, ratioOf, summaryOf } from '../rounds.ts';
import type { Row } from '../row.ts';

const ROUNDS = { short: 7, long: 15 };
const SECONDS = 2;
const CONNECTIONS = 32;
const TARGET_PLAIN = 4;
const TARGET_BARE = 0.5;

/** Firm quotes with everything on, against the plain way to do it and against a server that does the least one can do. */
export const firm: Row = {
  name: 'firm',
  what: 'POST /firm, HMAC, all guards, durable, recovered',
  async run(bench) {
    const desk = await bench.desk();
    const bare = await startBaseline('bare-firm');
    const plain = await startBaseline('plain-firm', [join(bench.folder().folder, 'plain.db')]);
    const load = (port: number) => () =>
      runCleanLoad({
        port,
        requests: firmRequests(desk.file, SECONDS * MOST_A_SECOND),
        connections: CONNECTIONS,
        seconds: SECONDS,
      });
    try {
      const rounds = await interleaved(bench.long ? ROUNDS.long : ROUNDS.short, {
        plain: load(plain.port),
        ours: load(desk.port),
        bare: load(bare.port),
      });
      const ours = summaryOf(rounds, 'ours');
      const line = (to: 'plain' | 'bare', target: number, says: string) => {
        const ratio = ratioOf(rounds, 'ours', to);
        const theirs = summaryOf(rounds, to);
        return {
          measured: `${ratio.toFixed(2)} × (${ours.text})`,
          baseline: `${says}: ${theirs.text}`,
          target: `≥ ${target} ×`,
          met: ratio >= target,
          figures: { ratio, ours: ours.figures, [to]: theirs.figures, rounds: rounds.length },
        };
      };
      return [
        line('plain', TARGET_PLAIN, 'viem signTypedData, one FULL commit each'),
        line('bare', TARGET_BARE, 'parse, sign natively, answer'),
      ];
    } finally {
      await bare.stop();
      await plain.stop();
    }
  },
};
