import type { DeskClient } from '../desk/desk-line.ts';
import { DeskError } from '../protocol/desk-error.ts';

/** So many pairs are named to somebody who mistyped one. */
const MOST_NAMED = 20;

/**
 * What is wrong with a chain or a pair that was named: the desk does not have it, and which it has. Null where it has both. What was
 * once has a past, so a command about the past refuses it only where it has found nothing there.
 */
export async function unknownScope(
  desk: DeskClient,
  { chain, pair }: { chain?: number | undefined; pair?: string | undefined },
): Promise<DeskError | null> {
  if (chain === undefined && pair === undefined) return null;
  const { chains } = await desk.trading.status();
  const meant = chains.filter(({ chainId }) => chain === undefined || chainId === chain);
  if (chain !== undefined && meant.length === 0) {
    return new DeskError('unknown_chain', `This desk has no chain ${chain}.`, {
      remedy: named(
        'chain',
        chains.map(({ chainId }) => `${chainId}`),
      ),
    });
  }
  const pairs = [...new Set(meant.flatMap((of) => Object.keys(of.pairs)))];
  if (pair === undefined || pairs.includes(pair)) return null;
  const where = chain === undefined ? 'this desk' : `chain ${chain}`;
  return new DeskError('unknown_pair', `${pair} is not a listed pair of ${where}.`, { remedy: named('pair', pairs) });
}

function named(what: 'chain' | 'pair', names: readonly string[]): string {
  if (names.length === 0) return `It has no ${what}.`;
  const more = names.length - MOST_NAMED;
  return `It has ${names.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}
