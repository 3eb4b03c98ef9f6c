import type { DeskClient } from '../desk/desk-line.ts';
import { DeskError } from '../protocol/desk-error.ts';

/** The chain that `--chain` names, or the only one there is. Throws DeskError `bad_scope`. */
export async function oneChain(desk: DeskClient, named: number | undefined): Promise<number> {
  const { chains } = await desk.trading.status();
  const [only, ...others] = chains.map(({ chainId }) => chainId);
  const chainId = named === undefined && others.length === 0 ? only : named;
  if (chainId !== undefined) return chainId;
  if (only === undefined)
    throw new DeskError('unknown_chain', 'This desk has no chain.', { remedy: 'Import a desk file first.' });
  throw new DeskError('bad_scope', 'This desk has several chains.', { remedy: 'Name one with --chain.' });
}
