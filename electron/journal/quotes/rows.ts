import { isoTime } from '../../contract/names.ts';
import {
  outcomeOf,
  type QuoteDetail,
  type QuoteRow,
  type QuoteState,
  quoteDetailSchema,
  quoteRowSchema,
} from '../../contract/quote-log.ts';
import { ZERO_ADDRESS } from '../../protocol/address.ts';
import { boundedAmount } from '../../protocol/amount.ts';
import { parsedBody } from '../archived-bodies.ts';
import type { TokenLookup } from '../book/listed-tokens.ts';
import { referenceAt } from '../book/reference-samples.ts';
import { checkedRow } from '../checked-row.ts';
import type { QuoteBody } from './events.ts';
import { tenthBps, worthAt } from './trade-value.ts';

/** What the table adds to the body of a quote's event; everything else is read from there. */
export type StoredQuote = {
  seq: number;
  time: number;
  chainId: number;
  state: QuoteState;
  code: QuoteRow['code'];
  filledMakerAmount: string | null;
  filledTakerAmount: string | null;
  /** The reference when it was decided. */
  mid: string | null;
  /** A JSON array of the transactions of its fills that stand. */
  transactions: string;
  body: string;
};

/** Of one quote: thousands of fills of a dust order are not written out in every row. */
const MOST_TRANSACTIONS = 50;

/** Columns of a `StoredQuote`, from `quotes q JOIN journal j`. */
export const QUOTE_COLUMNS = `q.seq, q.time, q.chain_id AS chainId, q.state, q.code, q.filled_maker_amount AS filledMakerAmount,
  q.filled_taker_amount AS filledTakerAmount,
  ${referenceAt({ chain: 'q.chain_id', pair: 'q.pair', time: 'q.time' })} AS mid,
  (SELECT json_group_array(f.hash) FROM (SELECT transaction_hash AS hash FROM fills
    WHERE quote_seq = q.seq AND reverted = 0 ORDER BY seq LIMIT ${MOST_TRANSACTIONS}) f) AS transactions, j.body`;

export function toQuoteRow(stored: StoredQuote, token: TokenLookup): QuoteRow {
  return checkedRow(
    quoteRowSchema,
    () => rowOf(stored, parsedBody(stored.body), token),
    (why) => emptyRow(stored, why),
  );
}

export function toQuoteDetail(stored: StoredQuote & { hash: string }, token: TokenLookup): QuoteDetail {
  return checkedRow(
    quoteDetailSchema,
    () => {
      const body: QuoteBody = parsedBody(stored.body);
      const { given, counterparty, nonceAndMeta, maker, signature, balance, allowance, exposure } = body;
      const { requestBody, requestBytes, signingMs } = body;
      return {
        ...rowOf(stored, body, token),
        given,
        counterparty,
        nonceAndMeta,
        maker,
        signature,
        balance,
        allowance,
        exposure,
        requestBody,
        requestBytes,
        signingMs,
        hash: stored.hash,
      };
    },
    (why): QuoteDetail => ({
      ...emptyRow(stored, why),
      given: 'makerAmount',
      counterparty: null,
      nonceAndMeta: null,
      maker: ZERO_ADDRESS,
      signature: null,
      balance: null,
      allowance: null,
      exposure: null,
      requestBody: stored.body,
      hash: stored.hash,
    }),
  );
}

function rowOf(stored: StoredQuote, body: QuoteBody, token: TokenLookup): QuoteRow {
  const { chainId, pair, side, userAddress, takerAddress, makerAsset, takerAsset } = body;
  const { makerAmount, takerAmount, orderHash, ladderRevision, latencyMs, expiry } = body;
  const { seq, time, state, code, filledMakerAmount, filledTakerAmount } = stored;
  return {
    seq,
    time: isoTime(time),
    chainId,
    pair,
    side,
    userAddress,
    takerAddress,
    makerAsset,
    takerAsset,
    makerAmount,
    takerAmount,
    orderHash,
    state,
    code,
    ladderRevision,
    latencyMs,
    expiry,
    filledMakerAmount: boundedAmount(BigInt(filledMakerAmount ?? 0)),
    filledTakerAmount: boundedAmount(BigInt(filledTakerAmount ?? 0)),
    edgeTenthBps: edgeOf(stored, body, token),
    outcome: outcomeOf(state, filledMakerAmount),
    transactions: [...new Set<string>(JSON.parse(stored.transactions))],
    makerNft: body.makerNft,
    takerNft: body.takerNft,
  };
}

/** What is left of a row that cannot be shown: its place, its time, and what the tables say of it. */
function emptyRow({ seq, time, state, chainId, filledMakerAmount }: StoredQuote, why: string): QuoteRow {
  return {
    seq,
    time: isoTime(time),
    chainId,
    pair: null,
    side: null,
    state,
    code: null,
    unreadable: why,
    userAddress: ZERO_ADDRESS,
    takerAddress: ZERO_ADDRESS,
    makerAsset: ZERO_ADDRESS,
    takerAsset: ZERO_ADDRESS,
    makerAmount: null,
    takerAmount: null,
    orderHash: null,
    ladderRevision: null,
    latencyMs: 0,
    expiry: null,
    filledMakerAmount: '0',
    filledTakerAmount: '0',
    edgeTenthBps: null,
    outcome: outcomeOf(state, filledMakerAmount),
    transactions: [],
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
