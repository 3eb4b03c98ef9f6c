import type { Database } from 'better-sqlite3';
import type { HedgedFill, HedgeToken, Position } from '../contract/hedge.ts';
import type { MarkedFill } from '../contract/quote-log.ts';
import type { Address } from '../protocol/address.ts';
import { formatDecimal, fromRaw, mul, type Rational, sub } from '../protocol/decimal.ts';
import { isNative } from '../protocol/route-token.ts';
import type { EventBody } from './events.ts';
import { fillBase } from './fill-base.ts';
import { hedgeGasUsd } from './hedge-gas.ts';
import type { HedgeRecord } from './hedge-record.ts';
import { listedTokens, type TokenLookup } from './listed-tokens.ts';
import { dollarRates, fillMarker, MARKED_COLUMNS, type MarkedRow } from './read-marked-fills.ts';

type WhichFills = {
  chainId?: number;
  pair?: string;
  cover?: HedgedFill['cover'][];
  before?: number;
  seqs?: number[];
  limit: number;
  now: number;
};
type Row = MarkedRow & { cover: HedgedFill['cover'] };
type Share = { hedgeSeq: number; base: string; quote: string | null };
type PositionRow = { chainId: number; token: Address; filled: string; hedged: string };

const DOLLAR_PLACES = 2;

/** Fills with their hedges, and positions. */
export function readHedgedFills(db: Database) {
  const list = db.prepare<
    [
      {
        chainId: number | null;
        pair: string | null;
        cover: string;
        before: number;
        seqs: string | null;
        limit: number;
      },
    ],
    Row
  >(`
    SELECT ${MARKED_COLUMNS}, f.cover FROM fills f
    CROSS JOIN journal j ON j.seq = f.seq LEFT JOIN quotes q ON q.seq = f.quote_seq
    WHERE f.seq < :before AND (:chainId IS NULL OR f.chain_id = :chainId) AND (:pair IS NULL OR f.pair = :pair)
      AND f.pair IS NOT NULL AND (:seqs IS NULL OR f.seq IN (SELECT value FROM json_each(:seqs)))
      AND CASE WHEN f.reverted = 1 THEN 'taken_back' ELSE f.cover END IN (SELECT value FROM json_each(:cover))
    ORDER BY f.seq DESC LIMIT :limit`);
  const shares = db.prepare<[number], Share>(
    'SELECT hedge_seq AS hedgeSeq, base, quote FROM hedge_fills WHERE fill_seq = ? ORDER BY hedge_seq',
  );
  const bases = db.prepare<[number], string>('SELECT base FROM hedge_fills WHERE hedge_seq = ?').pluck();
  const record = db.prepare<[number], string>('SELECT record FROM hedges WHERE seq = ?').pluck();
  const positions = db.prepare<[{ chainId: number | null }], PositionRow>(
    'SELECT chain_id AS chainId, token, filled, hedged FROM positions WHERE :chainId IS NULL OR chain_id = :chainId',
  );
  const unhedged = db.prepare<[], { chainId: number; fills: number; seq: number }>(`
    SELECT chain_id AS chainId, count(*) AS fills, max(seq) AS seq FROM fills INDEXED BY fills_to_hedge
    WHERE cover <> 'hedged' AND reverted = 0 AND pair IS NOT NULL AND cover <> 'taken_back' GROUP BY chain_id, pair`);
  const body = db.prepare<[number], string>('SELECT body FROM journal WHERE seq = ?').pluck();
  const tokens = listedTokens(db);
  const marker = fillMarker(db);
  const rate = dollarRates(db);

  /** What the gas of a hedge costs this share of it, in dollars. */
  const gasOf = ({ hedgeSeq, base }: Share): Rational | null => {
    const text = record.get(hedgeSeq);
    const usd = text === undefined ? null : hedgeGasUsd(JSON.parse(text) as HedgeRecord);
    const whole = bases.all(hedgeSeq).reduce((sum, one) => sum + size(one), 0n);
    if (usd === null || whole === 0n) return usd;
    return { n: usd.n * size(base), d: usd.d * whole };
  };

  const toHedgedFill = (row: Row, marked: MarkedFill, lookup: TokenLookup): HedgedFill => {
    const { chainId, side } = marked;
    const moved = fillBase(side, JSON.parse(row.body));
    const own = shares.all(marked.seq);
    const hedgedBase = own.reduce((sum, { base }) => sum + BigInt(base), 0n);
    const known = own.every(({ quote }) => quote !== null);
    const hedgedQuote = own.reduce((sum, { quote }) => sum + BigInt(quote ?? 0), 0n);
    const quote = lookup(chainId, moved.quoteAsset);
    const done = known && hedgedBase !== 0n && hedgedBase === -moved.base && quote !== undefined;
    const result = moved.quote + hedgedQuote;
    const dollars = done ? rate(chainId, quote, marked.time) : null;
    return {
      ...marked,
      cover: marked.reverted ? 'taken_back' : row.cover,
      base: tokenOf(lookup, chainId, moved.asset),
      quote: tokenOf(lookup, chainId, moved.quoteAsset),
      ...{ baseAmount: `${moved.base}`, quoteAmount: `${moved.quote}` },
      ...{ hedgedBase: `${hedgedBase}`, hedgedQuote: `${hedgedQuote}`, unhedgedBase: `${moved.base + hedgedBase}` },
      result: done ? fromRaw(result, quote.decimals) : null,
      resultUsd:
        done && dollars !== null
          ? afterGas(mul({ n: result, d: 10n ** BigInt(quote.decimals) }, dollars), own.map(gasOf))
          : null,
      hedges: own.map(({ hedgeSeq }) => hedgeSeq),
    };
  };

  return {
    /** Newest first, by row. */
    hedgedFills: ({ chainId, pair, cover, before, seqs, limit, now }: WhichFills): HedgedFill[] => {
      const [mark, lookup] = [marker(now), tokens()];
      const covers = cover ?? ['unhedged', 'hedging', 'part_hedged', 'hedged', 'taken_back'];
      return list
        .all({
          ...{ chainId: chainId ?? null, pair: pair ?? null, cover: JSON.stringify(covers), limit },
          ...{ before: before ?? Number.MAX_SAFE_INTEGER, seqs: seqs === undefined ? null : JSON.stringify(seqs) },
        })
        .map((row) => toHedgedFill(row, mark(row), lookup));
    },
    /** What fills and hedges moved of every token. `now` is Unix milliseconds. */
    positions: (chainId: number | null, now: number): Position[] => {
      const lookup = tokens();
      const counts = new Map<string, number>();
      for (const row of unhedged.all()) {
        const { makerAsset, takerAsset } = JSON.parse(body.get(row.seq) ?? '{}') as EventBody<'fill'>;
        for (const asset of [makerAsset, takerAsset]) {
          const key = `${row.chainId} ${asset}`;
          counts.set(key, (counts.get(key) ?? 0) + row.fills);
        }
      }
      return positions.all({ chainId }).map(({ chainId: chain, token, filled, hedged }) => {
        const net = BigInt(filled) + BigInt(hedged);
        const listed = lookup(chain, token);
        const dollars = rate(chain, listed, now);
        const worth = dollars && listed && mul({ n: net, d: 10n ** BigInt(listed.decimals) }, dollars);
        return {
          token: tokenOf(lookup, chain, token),
          ...{ filled, hedged, net: `${net}` },
          netUsd: worth ? formatDecimal(worth, DOLLAR_PLACES, 'floor') : null,
          unhedgedFills: counts.get(`${chain} ${token}`) ?? 0,
        };
      });
    },
  };
}

function tokenOf(lookup: TokenLookup, chainId: number, address: Address): HedgeToken {
  const listed = lookup(chainId, address);
  if (listed !== undefined) return { chainId, address, symbol: listed.symbol, decimals: listed.decimals };
  if (isNative(address)) return { chainId, address, symbol: 'native', decimals: 18 };
  return { chainId, address, symbol: address, decimals: 0 };
}

function afterGas(result: Rational, gas: readonly (Rational | null)[]): string | null {
  let left = result;
  for (const cost of gas) {
    if (cost === null) return null;
    left = sub(left, cost);
  }
  return formatDecimal(left, DOLLAR_PLACES, 'floor');
}

function size(amount: string): bigint {
  const value = BigInt(amount);
  return value < 0n ? -value : value;
}
