import type { Command } from 'commander';
import { reasonSchema } from '../contract/names.ts';
import { type Scope, type Status, scopeSchema } from '../contract/trading.ts';
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

/** The reason of a stop, as it is kept: one that cannot be written down keeps nothing from stopping, which is told on stderr. */
export function stopReason(reason: string | undefined): string | undefined {
  const kept = reasonSchema.optional().safeParse(reason);
  if (!kept.success) process.stderr.write('The reason cannot be kept as it stands, so the stop is made without it.\n');
  return kept.data;
}

/** What a stop or a start prints of the states after it: the desk's, and where a chain or a pair of it was named, which and its own. */
export function statesAfter({ state, chains }: Status, scope: Scope) {
  const chain = chains.find(({ chainId }) => chainId === scope.chainId);
  if (chain === undefined) return { state };
  // Of one side no status tells.
  if (scope.side !== undefined) return { state, scope };
  return { state, scope, scopeState: scope.pair === undefined ? chain.state : chain.pairs[scope.pair] };
}

/** The scope the options name. A pair without a chain is looked up on the one chain there is. */
export function scopeOf(options: ScopeOptions, chainIds: number[]): Scope {
  const { chain, pair, side } = options;
  if (side !== undefined && pair === undefined) {
    throw new DeskError('bad_scope', 'Nothing was done: --side needs its pair.', { remedy: 'Name it with --pair.' });
  }
  if (pair !== undefined && chain === undefined && chainIds.length !== 1) {
    throw new DeskError('bad_scope', `Nothing was done: it is not said on which chain ${pair} is meant.`, {
      remedy: chainIds.length === 0 ? 'Import a desk file first.' : `Name one with --chain: ${chainIds.join(', ')}.`,
    });
  }
  const chainId = pair === undefined ? chain : (chain ?? chainIds[0]);
  const parsed = scopeSchema.safeParse({ chainId, pair, side });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `--${path.join('.')} ${message}`);
  throw new DeskError('bad_scope', `Nothing was done: ${faults.join('; ')}.`, {
    remedy: 'Name a pair with its --chain, and a side (bids or asks) with its --pair.',
  });
}
