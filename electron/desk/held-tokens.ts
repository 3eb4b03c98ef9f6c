import type { ChainBook } from '../book/chain-book.ts';
import { presetOf } from '../book/network-preset.ts';
import { type HeldToken, readHeldTokens } from '../chain/read-token.ts';
import { type Address, addressSchema } from '../protocol/address.ts';
import { DeskError } from '../protocol/desk-error.ts';
import type { Rooms } from './rooms.ts';

/** From where the desk knows of a token: another of its chains, what is public about the network, or the chain's service. */
type KnownFrom = { kind: 'chain'; chainId: number } | { kind: 'network' } | { kind: 'service' };

/** A form waits for what the node says no longer than this, milliseconds. */
const READ_MS = 4_000;
/** The node is asked four times a token. */
const MOST_ASKED = 100;

/**
 * Tokens that a chain does not list and that its maker holds, the node being asked about each that the desk knows of; `named` are
 * addresses that the chain's service names. Throws DeskError `unknown_chain`, and what the node is to blame for.
 */
export async function heldTokens(
  { book }: Pick<Rooms, 'book'>,
  chainId: number,
  named: readonly string[],
): Promise<(HeldToken & { knownFrom: KnownFrom })[]> {
  const chain = book.chain(chainId);
  if (chain === undefined) throw new DeskError('unknown_chain', `This desk has no chain ${chainId}.`);
  const known = knownTokens(chain, book.chains(), named);
  const { rpcUrl, secondRpcUrl, maker } = chain.config;
  const urls = secondRpcUrl == null ? [rpcUrl] : [rpcUrl, secondRpcUrl];
  const held = await readHeldTokens({
    rpcUrls: urls.map((url) => book.seals.whole(url)),
    chainId,
    holder: maker,
    tokens: [...known.keys()].slice(0, MOST_ASKED),
    timeoutMs: READ_MS,
  });
  return held.map((token) => ({ ...token, knownFrom: known.get(token.address) ?? { kind: 'service' } }));
}

/** What the desk knows of and the chain does not list, what people of this desk listed first. */
function knownTokens(
  chain: ChainBook,
  chains: readonly ChainBook[],
  named: readonly string[],
): ReadonlyMap<Address, KnownFrom> {
  const listed = new Set([...chain.tokens.values()].map(({ address }) => address));
  const known = new Map<Address, KnownFrom>();
  const add = (addresses: readonly string[], from: KnownFrom) => {
    for (const text of addresses) {
      const address = addressSchema.safeParse(text).data;
      if (address !== undefined && !listed.has(address) && !known.has(address)) known.set(address, from);
    }
  };
  for (const { chainId, tokens } of chains) {
    if (chainId === chain.chainId) continue;
    add(
      [...tokens.values()].map(({ address }) => address),
      { kind: 'chain', chainId },
    );
  }
  add(presetOf(chain.chainId).tokens, { kind: 'network' });
  add(named, { kind: 'service' });
  return known;
}
