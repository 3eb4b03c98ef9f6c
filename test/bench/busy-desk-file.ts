import type { DeskFile } from '../../electron/contract/desk-file.ts';
import { TEST_TOKEN } from '../../electron/practice/chain/artifacts.ts';
import type { Level } from '../../electron/protocol/wire.ts';
import { deskFileFor } from '../desk/desk-on-chain.ts';
import type { BenchChain, BenchToken } from './bench-chain.ts';

export const BUSY_PAIRS = 500;
export const BUSY_LEVELS = 20;
/** So many tokens have 500 markets of two between them. */
const TOKENS = 33;

/** A desk with 500 pairs of 20 levels a side; the tokens that lack are deployed. */
export async function busyDeskFile(chain: BenchChain): Promise<DeskFile> {
  const tokens: BenchToken[] = [...chain.bases];
  for (let number = tokens.length + 1; number <= TOKENS; number += 1) {
    const id = `T${String(number).padStart(2, '0')}`;
    tokens.push({ id, address: await chain.accounts.maker.deploy(TEST_TOKEN, [`Token ${number}`, id, 18]) });
  }
  const markets = tokens
    .flatMap((base, index) => tokens.slice(index + 1).map((quote) => ({ base: base.id, quote: quote.id })))
    .slice(0, BUSY_PAIRS);
  return deskFileFor(chain, {
    tokens: Object.fromEntries(
      tokens.map(({ id, address }) => [
        id,
        { symbol: id, name: `Token ${id}`, address, decimals: 18, type: 'ERC20' as const },
      ]),
    ),
    pairs: Object.fromEntries(
      markets.map(({ base, quote }) => [`${base}/${quote}`, { base, quote, liquidityUSD: 1_000_000 }]),
    ),
    prices: Object.fromEntries(
      markets.map(({ base, quote }, number) => [`${base}/${quote}`, ladderAround(100 + number)]),
    ),
    // The grid is served as it stands: nobody trades here, and most of the tokens are held by nobody.
    clipToBalance: false,
  });
}

function ladderAround(mid: number): { bids: Level[]; asks: Level[] } {
  const side = (direction: 1 | -1): Level[] =>
    Array.from({ length: BUSY_LEVELS }, (_, level) => [(mid + direction * (0.06 + level * 0.03)).toFixed(2), '2.5']);
  return { bids: side(-1), asks: side(1) };
}
