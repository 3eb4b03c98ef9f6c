import type { ListedPair } from '../../state/live-desk.ts';

/** About as wide as a tab is, so that none is ever cut: letters are counted at their widest. Pixels. */
const LETTER = 8;
const TAB_REST = 22;
const DRAFT = 38;
const CHAIN_REST = 28;

/**
 * The pairs that have room as tabs, in the desk's order. The chosen one always has, then those with a draft; whoever
 * finds no room is reached over the search beside them.
 */
export function fittingTabs(
  listed: readonly ListedPair[],
  width: number,
  is: { chosen(pair: ListedPair): boolean; drafted(pair: ListedPair): boolean; chainName(chainId: number): string },
): readonly ListedPair[] {
  const first = [...listed].sort((a, b) => rank(a) - rank(b));
  const kept = new Set<ListedPair>();
  const chains = new Set<number>();
  let left = width;
  for (const pair of first) {
    const tab = pair.pair.length * LETTER + TAB_REST + (is.drafted(pair) ? DRAFT : 0);
    const chain = chains.has(pair.chainId) ? 0 : is.chainName(pair.chainId).length * LETTER + CHAIN_REST;
    if (tab + chain > left) {
      if (kept.size > 0) break;
    }
    left -= tab + chain;
    chains.add(pair.chainId);
    kept.add(pair);
  }
  return listed.filter((pair) => kept.has(pair));

  function rank(pair: ListedPair): number {
    return is.chosen(pair) ? 0 : is.drafted(pair) ? 1 : 2;
  }
}
