import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import type { PracticeLog } from '../practice-log.ts';

/**
 * Blocks whose transactions, receipts and logs a chain keeps: seventeen minutes. Nobody of the market looks further
 * back, and a desk that was away for longer than that finds its open quotes expired.
 */
export const KEPT_BLOCKS = 1_024;

/** Every block leaves a header of 1.6 kB behind: a state of this size is written without the old ones at the next start. */
const SHORTENED_FROM_BYTES = 3_000_000;
/** What is bigger cannot be read as one text. */
const READABLE_BYTES = 500_000_000;

/** As far as it is looked at; anvil writes it, and the rest is its own. */
interface NodeState {
  best_block_number: number | string;
  blocks: { header: { number: string } }[];
  transactions: { block_number: number }[];
}

/**
 * Makes the state that a node left behind fit to go on with: without the blocks that nobody looks at any more. One
 * that was cut off while it was written is set aside, and a new chain begins.
 */
export function tidyState(stateFile: string, now: () => number, log: PracticeLog): void {
  if (!existsSync(stateFile)) return;
  const { size, last } = endOf(stateFile);
  const setAside = (why: string) => {
    const aside = `${stateFile}.${now()}`;
    renameSync(stateFile, aside);
    log.warn(`the practice chain's state ${why}: it is now ${aside}, and a new chain begins`);
  };
  if (last !== '}') setAside('was cut off');
  else if (size > READABLE_BYTES) setAside('has grown too big');
  else if (size > SHORTENED_FROM_BYTES) shorten(stateFile);
}

function endOf(path: string): { size: number; last: string } {
  const file = openSync(path, 'r');
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, Math.max(0, size - 1));
  closeSync(file);
  return { size, last: last.toString() };
}

function shorten(stateFile: string): void {
  const state: NodeState = JSON.parse(readFileSync(stateFile, 'utf8'));
  const from = Number(state.best_block_number) - KEPT_BLOCKS;
  const blocks = state.blocks.filter(({ header }) => Number(header.number) > from || Number(header.number) === 0);
  const transactions = state.transactions.filter(({ block_number }) => block_number > from);
  writeFileSync(`${stateFile}.new`, JSON.stringify({ ...state, blocks, transactions }), { mode: 0o600 });
  renameSync(`${stateFile}.new`, stateFile);
}
