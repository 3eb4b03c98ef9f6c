import type { Database } from 'better-sqlite3';
import { CHAIN } from './sample-events.ts';

/** Reference samples as the desk keeps them, `[time, mid]`. */
export function saveSamples(db: Database, samples: [time: number, mid: string][], pair = 'WETH/USDC'): void {
  const save = db.prepare('INSERT INTO reference_samples (chain_id, pair, time, mid) VALUES (?, ?, ?, ?)');
  for (const [time, mid] of samples) save.run(CHAIN, pair, time, mid);
}
