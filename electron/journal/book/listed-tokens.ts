import type { Database } from 'better-sqlite3';
import type { Address } from '../../protocol/address.ts';

export type ListedToken = { tokenId: string; address: string; symbol: string; decimals: number; isDollar: boolean };

type TokenRow = { chainId: number; tokenId: string; token: string };
type PairRow = { chainId: number; pair: string; definition: string };

/** Tokens that are worth a dollar by promise; what is written about them says "USD" and means these. */
const DOLLARS = new Set(['USDC', 'USDT', 'DAI', 'USDS', 'USDP', 'TUSD', 'PYUSD', 'LUSD', 'USDC.e', 'USDbC', 'USD₮0']);

/** Whether a token counts as a US dollar. */
export function isDollarToken(symbol: string): boolean {
  return DOLLARS.has(symbol);
}

/** Finds a token of a chain by its address, as it is listed now; undefined for one that is listed no more. */
export type TokenLookup = (chainId: number, address: Address) => ListedToken | undefined;

/** Reads the listed tokens, anew whenever the journal has changed since. */
export function listedTokens(db: Database): () => TokenLookup {
  const tokens = db.prepare<[], TokenRow>('SELECT chain_id AS chainId, token_id AS tokenId, token FROM tokens');
  const changes = db
    .prepare<[], string>("SELECT data_version || ' ' || total_changes() FROM pragma_data_version")
    .pluck();
  let known: { version: string | undefined; lookup: TokenLookup } | null = null;
  return () => {
    const version = changes.get();
    if (known === null || known.version !== version) known = { version, lookup: lookupOf(tokens.all()) };
    return known.lookup;
  };
}

/** Finds the chains that list a pair now, with its tokens. */
export function tokensOfPair(db: Database): (pair: string) => { chainId: number; tokens: string[] }[] {
  const find = db.prepare<[string], PairRow>('SELECT chain_id AS chainId, pair, definition FROM pairs WHERE pair = ?');
  return (pair) =>
    find.all(pair).map(({ chainId, definition }) => {
      const read = parsed<{ base: string; quote: string }>(definition);
      return { chainId, tokens: read === null ? [] : [read.base, read.quote] };
    });
}

function lookupOf(tokens: TokenRow[]): TokenLookup {
  const byAddress = new Map<string, ListedToken>();
  for (const { chainId, tokenId, token } of tokens) {
    const read = parsed<{ symbol: string; address: string; decimals: number }>(token);
    if (typeof read?.address !== 'string' || !Number.isInteger(read.decimals)) continue;
    const { symbol, decimals } = read;
    const address = read.address.toLowerCase();
    byAddress.set(`${chainId} ${address}`, { tokenId, address, symbol, decimals, isDollar: isDollarToken(symbol) });
  }
  return (chainId, address) => byAddress.get(`${chainId} ${address}`);
}

/** Text that went bad on the disk names no token. */
function parsed<T>(text: string): T | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
