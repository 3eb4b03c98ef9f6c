import type { DeskClient } from '../desk/desk-line.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { unknownScope } from './known-scope.ts';

/** The chain that `--chain` names, or the only one there is. Throws DeskError `unknown_chain`, `bad_scope`. */
export async function oneChain(desk: DeskClient, named: number | undefined): Promise<number> {
  if (named !== undefined) {
    const unknown = await unknownScope(desk, { chain: named });
    if (unknown !== null) throw unknown;
    return named;
  }
  const { chains } = await desk.trading.status();
  const [only, ...others] = chains.map(({ chainId }) => chainId);
  if (only === undefined)
    throw new DeskError('unknown_chain', 'This desk has no chain.', { remedy: 'Import a desk file first.' });
  if (others.length === 0) return only;
  throw new DeskError('bad_scope', 'This desk has several chains.', {
    remedy: `Name one with --chain: ${[only, ...others].join(', ')}.`,
  });
}
