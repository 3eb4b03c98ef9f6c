import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { journalFile } from '../../../electron/journal/open-database.ts';
import { runCommand } from '../../desk/desk-process.ts';
import { deskFolder, startBenchDesk } from '../bench-desk.ts';
import { benchDeskFile } from '../bench-desk-file.ts';
import { runLoad } from '../load.ts';
import { firmRequests, MOST_A_SECOND } from '../requests.ts';
import type { Row } from '../row.ts';

const KILLS = { short: 30, long: 1_000 };
/** The moment of the kill lies somewhere in this much load. */
const WITHIN_MS = 700;

/** kill -9 at random instants under as much load as the desk takes. */
export const kill: Row = {
  name: 'kill',
  what: 'kill -9 at random instants under load',
  async run(bench) {
    const chain = await bench.chain();
    const file = benchDeskFile(chain);
    const { folder, remove } = await deskFolder(chain, file);
    bench.later(remove);
    const kills = bench.long ? KILLS.long : KILLS.short;
    const received: string[] = [];
    for (let killed = 0; killed < kills; killed += 1) {
      const desk = await startBenchDesk(folder, file);
      const load = { port: desk.port, requests: firmRequests(file, MOST_A_SECOND), connections: 32, keepOrders: true };
      const loading = runLoad({ ...load, seconds: 5 });
      await sleep(50 + Math.random() * WITHIN_MS);
      await desk.kill();
      for (const { signature } of (await loading).orders) received.push(signature);
    }
    const journaled = signaturesIn(folder);
    const missing = received.filter((signature) => !journaled.has(signature)).length;
    const verified = await runCommand(folder, ['verify']);
    return [
      {
        measured: `${missing} of ${received.length.toLocaleString('en')} orders missing after ${kills} kills${verified.code === 0 ? '' : ', and the chain of hashes is broken'}`,
        baseline: '—',
        target: '0',
        met: missing === 0 && verified.code === 0 && received.length > kills,
        figures: { kills, received: received.length, journaled: journaled.size, missing, verified: verified.stdout },
      },
    ];
  },
};

/** Read with SQLite alone, so that the desk does not vouch for itself. */
function signaturesIn(folder: string): Set<string> {
  const database = new Database(journalFile(folder), { readonly: true });
  try {
    const sql = "SELECT body ->> '$.signature' FROM journal WHERE kind = 'quote'";
    return new Set(database.prepare<[], string>(sql).pluck().all());
  } finally {
    database.close();
  }
}
