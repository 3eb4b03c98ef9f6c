import type { BenchChain } from './bench-chain.ts';
import type { Bench } from './workbench.ts';
export interface History {
  folder: string;
}
export async function writeHistory(_b: Bench, _c: BenchChain): Promise<History> {
  throw new Error('x');
}
