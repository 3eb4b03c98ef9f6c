/** The pages, in the order of the navigation, each with its place in the address and its letter behind `G`. */
export const PAGES = [
  { id: 'desk', path: '/', name: 'Desk', letter: 'd' },
  { id: 'prices', path: '/prices', name: 'Prices', letter: 'p' },
  { id: 'listings', path: '/tokens-and-pairs', name: 'Tokens & pairs', letter: 't' },
  { id: 'firm-log', path: '/firm-log', name: 'Firm log', letter: 'l' },
  { id: 'fills', path: '/fills', name: 'Fills', letter: 'f' },
  { id: 'blacklist', path: '/blacklist', name: 'Blacklist', letter: 'b' },
] as const;

export type Page = (typeof PAGES)[number];

/** Where a pair's ladder is edited. */
export function ladderPath(chainId: number, pair: string): string {
  return `/prices/${chainId}/${encodeURIComponent(pair)}`;
}
