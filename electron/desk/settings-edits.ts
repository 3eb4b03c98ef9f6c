import type { Book } from '../book/book.ts';
import { expectNew, expectSeen } from '../book/changed-meanwhile.ts';
import type { ChainConfig, CounterpartyConfig, DeskFile } from '../contract/desk-file.ts';

/** A chain as somebody saves it: what is not given stays as it is. */
export interface SavedChain {
  chain: Partial<ChainConfig> & { chainId: number };
  /** What they saw of it; null: there was no such chain. */
  seen?: Partial<ChainConfig> | null | undefined;
}

/** A counterparty as somebody saves it. */
export interface SavedCounterparty {
  counterparty: CounterpartyConfig;
  seen?: CounterpartyConfig | null | undefined;
}

/** What a chain lists and quotes: whoever gives that anew replaces the configuration whole. */
const LISTED = [
  'tokens',
  'pairs',
  'prices',
  'blacklist',
  'off',
  'limits',
  'takers',
  'takersLeftOut',
  'follow',
  'byHand',
  'formulas',
] as const satisfies (keyof ChainConfig)[];

type SettingsBook = Pick<Book, 'chain' | 'changedBy'>;

/** The desk file with a chain that was added or changed. Throws DeskError `changed_meanwhile` where it is not as it was seen any more. */
export function withSavedChain(book: SettingsBook, { chain, seen }: SavedChain): (desk: DeskFile) => unknown {
  return (desk) => {
    const { chainId } = chain;
    const known = book.chain(chainId)?.config;
    const name = known?.name ?? `Chain ${chainId}`;
    if (seen === null) expectNew(name, known);
    else expectSeen(name, { seen, now: known, by: book.changedBy(chainId, 'settings') });
    return { ...desk, chains: withChain(desk.chains, chain) };
  };
}

/** The desk file without a chain. */
export function withoutChain(chainId: number): (desk: DeskFile) => DeskFile {
  return (desk) => ({ ...desk, chains: desk.chains.filter((chain) => chain.chainId !== chainId) });
}

/** Whether a running desk sets what is given of a chain by itself, so that nothing else of the configuration is replaced. */
export function isSetByItself(book: Pick<Book, 'chain'>, chain: SavedChain['chain']): boolean {
  return book.chain(chain.chainId) !== undefined && !LISTED.some((field) => field in chain);
}

/** Who may ask, with one that was added or changed. Throws DeskError `changed_meanwhile` as `withSavedChain` does. */
export function withSavedParty({
  counterparty,
  seen,
}: SavedCounterparty): (known: readonly CounterpartyConfig[]) => CounterpartyConfig[] {
  return (known) => {
    const { domain } = counterparty;
    const now = known.find((one) => one.domain === domain);
    if (seen === null) expectNew(domain, now);
    else if (seen !== undefined) {
      const { signedPath, oneOrderPerSignature, addresses, proxies } = seen;
      expectSeen(domain, { seen: { signedPath, oneOrderPerSignature, addresses, proxies }, now, by: null });
    }
    return [...known.filter((one) => one.domain !== domain), counterparty];
  };
}

/** What is not given stays as it is; a new chain takes the usual values. */
function withChain(chains: readonly ChainConfig[], given: Partial<ChainConfig>): unknown[] {
  const known = chains.some(({ chainId }) => chainId === given.chainId);
  if (!known) return [...chains, given];
  return chains.map((chain) => (chain.chainId === given.chainId ? { ...chain, ...given } : chain));
}
