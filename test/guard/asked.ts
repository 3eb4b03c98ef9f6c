import type { Ask } from '../../electron/guard/ask.ts';
import type { OpenQuote } from '../../electron/journal/quotes/fold.ts';
import { CHAIN, USDC, USER, WETH } from '../book/fixture.ts';

/** Somebody asks for WETH, or what else is said, and pays one raw unit of USDC. */
export function asked(terms: Pick<Ask, 'makerAmount'> & Partial<Ask>): Ask {
  const assets = { makerAsset: WETH, takerAsset: USDC };
  return { pair: 'WETH/USDC', user: USER, taker: USER, ...assets, takerAmount: 1n, ...terms };
}

/** The same as a row of the journal that was signed. */
export function journaled(
  row: Pick<OpenQuote, 'seq' | 'orderHash' | 'makerAmount' | 'filledMakerAmount' | 'expiry'>,
): OpenQuote {
  const { pair, user: userAddress, makerAsset, takerAsset } = asked({ makerAmount: 0n });
  return { chainId: CHAIN, pair, side: 'asks', userAddress, makerAsset, takerAsset, takerAmount: '1', ...row };
}
