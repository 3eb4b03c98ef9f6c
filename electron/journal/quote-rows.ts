import type { QuoteDetail, QuoteRow, QuoteState } from '../contract/quote-log.ts';
import type { QuoteBody } from './events.ts';

/** What the table adds to the body of a quote's event; everything else is read from there. */
export type StoredQuote = {
  seq: number;
  time: number;
  state: QuoteState;
  code: QuoteRow['code'];
  filledMakerAmount: string | null;
  filledTakerAmount: string | null;
  body: string;
};

/** Columns of a `StoredQuote`, from `quotes q JOIN journal j`. */
export const QUOTE_COLUMNS = `q.seq, q.time, q.state, q.code, q.filled_maker_amount AS filledMakerAmount,
  q.filled_taker_amount AS filledTakerAmount, j.body`;

export function toQuoteRow(stored: StoredQuote): QuoteRow {
  return rowOf(stored, JSON.parse(stored.body));
}

export function toQuoteDetail(stored: StoredQuote & { hash: string }): QuoteDetail {
  const body: QuoteBody = JSON.parse(stored.body);
  const { given, counterparty, nonceAndMeta, maker, signature, balance, allowance, exposure, requestBody } = body;
  return {
    ...rowOf(stored, body),
    ...{ given, counterparty, nonceAndMeta, maker, signature, balance, allowance, exposure, requestBody },
    hash: stored.hash,
  };
}

function rowOf(stored: StoredQuote, body: QuoteBody): QuoteRow {
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
  };
}
