import type { Command } from 'commander';
import { type Scope, scopeSchema } from '../contract/trading.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { chainIdOf } from './typed-values.ts';

export interface ScopeOptions {
  chain?: number;
  pair?: string;
  side?: string;
  reason?: string;
}

/** Adds the options that say what a stop or a start is about. */
export function addScopeOptions(command: Command): Command {
  return command
    .option('--chain <id>', 'only this chain', chainIdOf)
    .option('--pair <id>', 'only this pair of the chain')
    .option('--side <side>', 'only bids or asks of the pair')
    .option('--reason <text>', 'why, for the journal');
}

/** The scope the options name. A pair without a chain is looked up on the one chain there is. */
export function scopeOf(options: ScopeOptions, chainIds: number[]): Scope {
  const [only, ...others] = chainIds;
  const chainId =
    options.chain !== undefined ? options.chain : options.pair !== undefined && others.length === 0 ? only : undefined;
  const parsed = scopeSchema.safeParse({ chainId, pair: options.pair, side: options.side });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'what is named'} ${message}`);
  throw new DeskError('bad_scope', `Nothing was done: ${faults.join('; ')}.`, {
    remedy: 'Name a pair with its --chain, and a side (bids or asks) with its --pair.',
  });
}
