import type { BookPair, ChainBook } from '../book/chain-book.ts';
import type { Ladder } from '../contract/desk-file.ts';
import { digitsBehind } from '../protocol/decimal.ts';

/** The adapter computes prices with this many decimals; finer ones are lost on the way. */
const ADAPTER_PLACES = 20;

/**
 * What the service's public adapter, which is stricter than the protocol, would make of a ladder; as sentences. Empty where
 * it takes all of it.
 */
export function strictTaste(chain: ChainBook, pair: BookPair, ladder: Ladder): string[] {
  const said: string[] = [];
  const { bids, asks } = ladder;
  const empty = bids.length === 0 ? 'bids' : asks.length === 0 ? 'asks' : null;
  if (bids.length + asks.length === 0) {
    said.push('An empty ladder is skipped: what the service cached before ages out within seconds.');
  } else if (empty !== null && chain.config.deadSide === 'omit') {
    said.push(
      `Without ${empty} strict services use neither side. “A side that is off” under Settings can keep the other one.`,
    );
  }
  for (const token of [pair.base, pair.quote]) {
    if (!pair.id.includes(token.symbol)) {
      said.push(
        `${token.symbol} is not part of the name ${pair.id}: the service’s route search does not find the pair.`,
      );
    }
    if (token.decimals === 0) said.push(`${token.symbol} has no decimals: strict services discard all of /tokens.`);
  }
  const tooFine = [...bids, ...asks].some((level) => level.some((text) => digitsBehind(text) > ADAPTER_PLACES));
  if (tooFine) said.push(`Decimals beyond ${ADAPTER_PLACES} are lost in the service’s arithmetic.`);
  return said;
}
