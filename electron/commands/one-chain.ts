import { DeskError } from '../protocol/desk-error.ts';
import type { DeskClient } from './client.ts';

/** The chain that `--chain` names, or the only one there is. Throws DeskError `bad_scope`. */
export async function oneChain(desk: DeskClient, named: string | undefined): Promise<number> {
  const { chains } = await desk.trading.status();
  const [only, ...others] = chains.map(({ chainId }) => chainId);
  const chainId = named === undefined && others.length === 0 ? only : Number(named);
  if (chainId !== undefined && Number.isInteger(chainId)) return chainId;
  throw new DeskError('bad_scope', 'This desk has several chains.', { remedy: 'Name one with --chain.' });
}
