/** What the chains that are known pay their gas in. */
const COINS: Readonly<Record<number, string>> = {
  1: 'ETH',
  10: 'ETH',
  56: 'BNB',
  100: 'xDAI',
  130: 'ETH',
  137: 'POL',
  146: 'S',
  8453: 'ETH',
  42161: 'ETH',
  43114: 'AVAX',
  31337: 'ETH',
  31338: 'ETH',
};
export const COIN_DECIMALS = 18;

/** The coin that a chain's gas is paid in, such as `ETH`; null of a chain that is not known. */
export function coinOf(chainId: number): string | null {
  return COINS[chainId] ?? null;
}

/** The id in lower letters that the wrapped coin of a chain is listed under: its price is that of gas. Null of a chain that is not known. */
export function wrappedCoinOf(chainId: number): string | null {
  const coin = coinOf(chainId);
  return coin === null ? null : `w${coin.toLowerCase()}`;
}
