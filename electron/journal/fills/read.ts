import type { Database } from 'better-sqlite3';
import { type FillRow, fillRowSchema } from '../../contract/quote-log.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../../protocol/address.ts';
import { checkedRow } from '../checked-row.ts';
import { hexOf } from '../hex-bytes.ts';
import type { FillBody } from './events.ts';

/** A fill or cancel that no reorganisation took back. */
export type StandingOrderEvent = {
  seq: number;
  kind: 'fill' | 'cancel';
  orderHash: Hex;
  block: number;
  blockHash: string;
  transactionHash: string;
  logIndex: number;
  /** Raw units; a cancel moves none. */
  makerAmount: string | null;
  takerAmount: string | null;
};

/** Fills and raw base volume of a pair in one span of time, as the maker bought and sold. */
export type VolumeBucket = {
  chainId: number;
  pair: string;
  bucket: number;
  fills: number;
  boughtFills: number;
  bought: string;
  sold: string;
};

/** Times are Unix milliseconds of the block. */
export type FillFilter = { since?: number; until?: number; chainId?: number; pair?: string; limit: number };
type Listing = { since: number; until: number; chainId: number | null; pair: string | null; limit: number };

type Cancel = { time: number; block: number; transactionHash: string; reverted: boolean };
/** A fill with the user of its quote, as the tables hold it. */
export type StoredFill = {
  seq: number;
  time: number;
  chainId: number;
  quoteSeq: number | null;
  pair: string | null;
  side: FillRow['side'];
  user: Buffer | null;
  reverted: number;
  body: string;
};
type Traded = { chainId: number; pair: string; side: FillRow['side']; bucket: number; maker: string; taker: string };
type Standing = Omit<StandingOrderEvent, 'orderHash'> & { orderHash: Buffer };

/** The columns of `StoredFill`, of fills `f`, their quotes `q` and events `j`. */
export const FILL_COLUMNS = `f.seq, f.time, f.chain_id AS chainId, f.quote_seq AS quoteSeq, f.pair, f.side,
  q.user_address AS user, f.reverted, j.body`;
const FROM_FILLS = 'FROM fills f JOIN journal j ON j.seq = f.seq LEFT JOIN quotes q ON q.seq = f.quote_seq';

/** Fills and cancels as the chain told them. */
export function readFills(db: Database) {
  const list = db.prepare<[Listing], StoredFill>(`
    SELECT ${FILL_COLUMNS} ${FROM_FILLS}
    WHERE f.time >= :since AND f.time <= :until
      AND (:chainId IS NULL OR f.chain_id = :chainId) AND (:pair IS NULL OR f.pair = :pair)
    ORDER BY f.time DESC, f.seq DESC LIMIT :limit`);
  const bySeq = db.prepare<[number], StoredFill>(`SELECT ${FILL_COLUMNS} ${FROM_FILLS} WHERE f.seq = ?`);
  const traded = db.prepare<[{ since: number; until: number; bucketMs: number }], Traded>(`
    SELECT chain_id AS chainId, pair, side, time - time % CAST(:bucketMs AS INTEGER) AS bucket,
      maker_amount AS maker, taker_amount AS taker
    FROM fills INDEXED BY fills_by_time
    WHERE time >= :since AND time < :until AND reverted = 0 AND pair IS NOT NULL ORDER BY time`);
  const standing = db.prepare<[{ chainId: number; fromBlock: number }], Standing>(`
    SELECT seq, 'fill' AS kind, order_hash AS orderHash, block, block_hash AS blockHash,
      transaction_hash AS transactionHash, log_index AS logIndex, maker_amount AS makerAmount, taker_amount AS takerAmount
    FROM fills WHERE chain_id = :chainId AND block >= :fromBlock AND reverted = 0
    UNION ALL
    SELECT seq, 'cancel', order_hash, block, block_hash, transaction_hash, log_index, NULL, NULL
    FROM cancels WHERE chain_id = :chainId AND block >= :fromBlock AND reverted = 0
    ORDER BY seq`);
  const cancels = db.prepare<[number], Omit<Cancel, 'reverted'> & { reverted: number }>(
    'SELECT time, block, transaction_hash AS transactionHash, reverted FROM cancels WHERE quote_seq = ? ORDER BY seq',
  );

  return {
    /** Newest first. */
    fills: ({ since = 0, until = Number.MAX_SAFE_INTEGER, chainId, pair, limit }: FillFilter): FillRow[] =>
      list.all({ since, until, chainId: chainId ?? null, pair: pair ?? null, limit }).map(toFillRow),
    /** The fill written as row `seq`; null when that row is something else. */
    fill: (seq: number): FillRow | null => {
      const row = bySeq.get(seq);
      return row === undefined ? null : toFillRow(row);
    },
    cancelsOfQuote: (quoteSeq: number): Cancel[] =>
      cancels.all(quoteSeq).map((row) => ({ ...row, reverted: row.reverted !== 0 })),
    /** Fills that stand, per pair and span of time, from `since` until before `until`. */
    volume: (span: { since: number; until: number; bucketMs: number }): VolumeBucket[] => sumUp(traded.all(span)),
    /** Fills and cancels of a block and those after it that no reorganisation took back, in the order they were seen. */
    orderEvents: (chainId: number, fromBlock: number): StandingOrderEvent[] =>
      standing.all({ chainId, fromBlock }).map((row) => ({ ...row, orderHash: hexOf(row.orderHash) })),
  };
}

/** On the bids the maker buys base and receives it as taker asset; on the asks it gives base as maker asset. */
function sumUp(trades: Traded[]): VolumeBucket[] {
  const buckets = new Map<string, { fills: number; boughtFills: number; bought: bigint; sold: bigint } & Traded>();
  for (const trade of trades) {
    const key = `${trade.bucket}/${trade.chainId}/${trade.pair}`;
    const sum = buckets.get(key) ?? { ...trade, fills: 0, boughtFills: 0, bought: 0n, sold: 0n };
    sum.fills += 1;
    if (trade.side === 'bids') {
      sum.boughtFills += 1;
      sum.bought += BigInt(trade.taker);
    } else sum.sold += BigInt(trade.maker);
    buckets.set(key, sum);
  }
  return [...buckets.values()].map(({ chainId, pair, bucket, fills, boughtFills, bought, sold }) => {
    return { chainId, pair, bucket, fills, boughtFills, bought: `${bought}`, sold: `${sold}` };
  });
}

function toFillRow(stored: StoredFill): FillRow {
  return checkedRow(
    fillRowSchema,
    () => fillRowOf(stored),
    (why) => emptyFill(stored, why),
  );
}

/** Throws where its row cannot be read. */
export function fillRowOf({ seq, quoteSeq, pair, side, user, reverted, body }: StoredFill): FillRow {
  const { chainId, orderHash, blockTime, block, transactionHash, ...fill }: FillBody = JSON.parse(body);
  const { taker, makerAsset, takerAsset, makerAmount, takerAmount, makerNft, takerNft } = fill;
  const userAddress: Address | null = user === null ? null : hexOf(user);
  return {
    seq,
    time: blockTime,
    chainId,
    pair,
    side,
    quoteSeq,
    orderHash,
    userAddress,
    taker,
    makerAsset,
    takerAsset,
    makerAmount,
    takerAmount,
    makerNft,
    takerNft,
    transactionHash,
    block,
    reverted: reverted !== 0,
  };
}

/** What is left of a fill that cannot be shown: its place and its time. */
export function emptyFill(
  { seq, time, chainId, quoteSeq, reverted }: Pick<StoredFill, 'seq' | 'time' | 'chainId' | 'quoteSeq' | 'reverted'>,
  why: string,
): FillRow {
  return {
    seq,
    time,
    chainId,
    pair: null,
    side: null,
    quoteSeq,
    orderHash: '',
    userAddress: null,
    unreadable: why,
    taker: ZERO_ADDRESS,
    makerAsset: ZERO_ADDRESS,
    takerAsset: ZERO_ADDRESS,
    makerAmount: '0',
    takerAmount: '0',
    transactionHash: '',
    block: 0,
    reverted: reverted !== 0,
  };
}
