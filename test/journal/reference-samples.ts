import type { Database } from 'better-sqlite3';
import { CHAIN } from './sample-events.ts';

type Sample = [time: number, mid: string, known?: { heard?: number; until?: number }];

/** Reference samples as the desk keeps them; without more they are as in journals of before. */
export function saveSamples(db: Database, samples: Sample[], pair = 'WETH/USDC'): void {
  const save = db.prepare(
    'INSERT INTO reference_samples (chain_id, pair, time, mid, heard, believed_until) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const [time, mid, { heard = 0, until = 0 } = {}] of samples) save.run(CHAIN, pair, time, mid, heard, until);
}
