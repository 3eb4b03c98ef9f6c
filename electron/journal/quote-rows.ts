import type { QuoteDetail, QuoteRow, QuoteState } from '../contract/quote-log.ts';
import type { QuoteBody } from './events.ts';
import type { TokenLookup } from './listed-tokens.ts';
import { referenceAt } from './reference-at.ts';
import { tenthBps, worthAt } from './trade-value.ts';

/** What the table adds to the body of a quote's event; everything else is read from there. */
export type StoredQuote = {
  seq: number;
  time: number;
  state: QuoteState;
  code: QuoteRow['code'];
  filledMakerAmount: string | null;
  filledTakerAmount: string | null;
  /** The reference when it was decided. */
  mid: string | null;
  body: string;
};

/** Columns of a `StoredQuote`, from `quotes q JOIN journal j`. */
export const QUOTE_COLUMNS = `q.seq, q.time, q.state, q.code, q.filled_maker_amount AS filledMakerAmount,
  q.filled_taker_amount AS filledTakerAmount,
  ${referenceAt({ chain: 'q.chain_id', pair: 'q.pair', time: 'q.time' })} AS mid, j.body`;

export function toQuoteRow(stored: StoredQuote, token: TokenLookup): QuoteRow {
  return rowOf(stored, JSON.parse(stored.body), token);
}

export function toQuoteDetail(stored: StoredQuote & { hash: string }, token: TokenLookup): QuoteDetail {
  const body: QuoteBody = JSON.parse(stored.body);
  const { given, counterparty, nonceAndMeta, maker, signature, balance, allowance, exposure, requestBody } = body;
  return {
    ...rowOf(stored, body, token),
    ...{ given, counterparty, nonceAndMeta, maker, signature, balance, allowance, exposure, requestBody },
    hash: stored.hash,
  };
}

function rowOf(stored: StoredQuote, body: QuoteBody, token: TokenLookup): QuoteRow {
  const { chainId, pair, side, userAddress, takerAddress, makerAsset, takerAsset } = body;
  const { makerAmount, takerAmount, orderHash, ladderRevision, latencyMs, expiry } = body;
  return {
    seq: stored.seq,
    time: new Date(stored.time).toISOString(),
    ...{ chainId, pair, side, userAddress, takerAddress, makerAsset, takerAsset, makerAmount, takerAmount, orderHash },
    state: stored.state,
    code: stored.code,
    ...{ ladderRevision, latencyMs, expiry },
    filledMakerAmount: stored.filledMakerAmount ?? '0',
    filledTakerAmount: stored.filledTakerAmount ?? '0',
    edgeTenthBps: edgeOf(stored, body, token),
  };
}

function edgeOf({ mid, state }: StoredQuote, body: QuoteBody, token: TokenLookup): number | null {
  const { chainId, side, makerAsset, takerAsset, makerAmount, takerAmount } = body;
  if (mid === null || side === null || makerAmount === null || takerAmount === null || state === 'refused') return null;
  const [base, quote] = side === 'bids' ? [takerAsset, makerAsset] : [makerAsset, takerAsset];
  const [baseDecimals, quoteDecimals] = [token(chainId, base)?.decimals, token(chainId, quote)?.decimals];
  if (baseDecimals === undefined || quoteDecimals === undefined) return null;
  const amounts = { makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) };
  return tenthBps(worthAt({ side, ...amounts, baseDecimals, quoteDecimals }, mid));
}
