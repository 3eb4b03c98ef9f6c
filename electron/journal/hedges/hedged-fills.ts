import type { Database } from 'better-sqlite3';
import {
  fillCoverSchema,
  type HedgedFill,
  type HedgeToken,
  hedgedFillSchema,
  type Position,
  positionSchema,
} from '../../contract/hedge.ts';
import type { MarkedFill } from '../../contract/quote-log.ts';
import type { Address } from '../../protocol/address.ts';
import { formatDecimal, fromRaw, mul, type Rational, sub } from '../../protocol/decimal.ts';
import { isNative } from '../../protocol/route-token.ts';
import { listedTokens, type TokenLookup } from '../book/listed-tokens.ts';
import { checkedRow } from '../checked-row.ts';
import { STANDING_COVER } from '../fills/cover.ts';
import type { FillBody } from '../fills/events.ts';
import { dollarRates, fillMarker, MARKED_COLUMNS, type MarkedRow } from '../fills/marks.ts';
import { fillBase } from '../fills/positions.ts';
import { type HedgeShare, hedgeShares } from './shares.ts';

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
type HedgesFill = {
  seq: number;
  chainId: number;
  pair: string | null;
  side: string | null;
  body: string;
  cover: string;
};
type PositionRow = { chainId: number; token: Address; filled: string; hedged: string };

const DOLLAR_PLACES = 2;
const NOTHING: Rational = { n: 0n, d: 1n };
const NOT_HEDGED = {
  base: null,
  quote: null,
  baseAmount: '0',
  quoteAmount: '0',
  hedgedBase: '0',
  hedgedQuote: '0',
  unhedgedBase: '0',
  result: null,
  resultUsd: null,
  hedges: [],
} satisfies Partial<HedgedFill>;

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
    SELECT ${MARKED_COLUMNS}, ${STANDING_COVER} AS cover FROM fills f
    CROSS JOIN journal j ON j.seq = f.seq LEFT JOIN quotes q ON q.seq = f.quote_seq
    WHERE f.seq < :before AND (:chainId IS NULL OR f.chain_id = :chainId) AND (:pair IS NULL OR f.pair = :pair)
      AND f.pair IS NOT NULL AND (:seqs IS NULL OR f.seq IN (SELECT value FROM json_each(:seqs)))
      AND ${STANDING_COVER} IN (SELECT value FROM json_each(:cover))
    ORDER BY f.seq DESC LIMIT :limit`);
  const ofHedge = db.prepare<[number], HedgesFill>(`
    SELECT f.seq, f.chain_id AS chainId, f.pair, f.side, j.body, ${STANDING_COVER} AS cover FROM hedge_fills c
    JOIN fills f ON f.seq = c.fill_seq JOIN journal j ON j.seq = f.seq WHERE c.hedge_seq = ?`);
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

  const results = fillResults(db);

  const toHedgedFill = (
    row: Row,
    marked: MarkedFill,
    lookup: TokenLookup,
    resultOf: ReturnType<typeof results>,
  ): HedgedFill => {
    const { chainId } = marked;
    const { moved, hedgedBase, hedgedQuote, result, usd, hedges } = resultOf(row, lookup);
    const quote = lookup(chainId, moved.quoteAsset);
    return {
      ...marked,
      cover: row.cover,
      base: tokenOf(lookup, chainId, moved.asset),
      quote: tokenOf(lookup, chainId, moved.quoteAsset),
      baseAmount: `${moved.base}`,
      quoteAmount: `${moved.quote}`,
      hedgedBase: `${hedgedBase}`,
      hedgedQuote: `${hedgedQuote}`,
      unhedgedBase: `${moved.base + hedgedBase}`,
      result: result === null || quote === undefined ? null : fromRaw(result, quote.decimals),
      resultUsd: usd === null ? null : formatDecimal(usd, DOLLAR_PLACES, 'floor'),
      hedges,
    };
  };

  const shownFill = (...[row, marked, lookup, resultOf]: Parameters<typeof toHedgedFill>): HedgedFill =>
    checkedRow(
      hedgedFillSchema,
      () => toHedgedFill(row, marked, lookup, resultOf),
      (why) => ({ ...marked, ...NOT_HEDGED, cover: row.cover, unreadable: marked.unreadable ?? why }),
    );

  return {
    /** Newest first, by row. */
    hedgedFills: ({ chainId, pair, cover, before, seqs, limit, now }: WhichFills): HedgedFill[] => {
      const [mark, lookup, resultOf] = [marker(now), tokens(), results()];
      const covers = cover ?? fillCoverSchema.options;
      return list
        .all({
          chainId: chainId ?? null,
          pair: pair ?? null,
          cover: JSON.stringify(covers),
          limit,
          before: before ?? Number.MAX_SAFE_INTEGER,
          seqs: seqs === undefined ? null : JSON.stringify(seqs),
        })
        .map((row) => shownFill(row, mark(row), lookup, resultOf));
    },
    /**
     * What all fills of each of these hedges came to with all their hedges, in dollars after gas, in the order of `seqs`; null
     * until every one of them is wholly hedged, and for a hedge of no fills.
     */
    hedgeNets: (seqs: readonly number[]): (string | null)[] => {
      const [lookup, resultOf] = [tokens(), results()];
      return seqs.map((seq) => {
        const fills = ofHedge.all(seq);
        let net: Rational | null = fills.length === 0 ? null : NOTHING;
        for (const fill of fills) {
          const usd = fill.cover === 'hedged' ? resultOf(fill, lookup).usd : null;
          net = net === null || usd === null ? null : sub(net, { n: -usd.n, d: usd.d });
        }
        return net === null ? null : formatDecimal(net, DOLLAR_PLACES, 'floor');
      });
    },
    /** What the desk is long or short of every token by fills and hedges, raw units with sign; null where the row cannot be read. */
    netPositions: (): { chainId: number; token: string; net: string | null }[] =>
      positions.all({ chainId: null }).map(({ chainId, token, filled, hedged }) => {
        const isRead = [filled, hedged].every((amount) => /^-?[0-9]+$/.test(amount));
        return { chainId, token, net: isRead ? `${BigInt(filled) + BigInt(hedged)}` : null };
      }),
    /** What fills and hedges moved of every token. `now` is Unix milliseconds. */
    positions: (chainId: number | null, now: number): Position[] => {
      const lookup = tokens();
      const counts = new Map<string, number>();
      for (const row of unhedged.all()) {
        const { makerAsset, takerAsset } = JSON.parse(body.get(row.seq) ?? '{}') as FillBody;
        for (const asset of [makerAsset, takerAsset]) {
          const key = `${row.chainId} ${asset}`;
          counts.set(key, (counts.get(key) ?? 0) + row.fills);
        }
      }
      const positionOf = ({ chainId: chain, token, filled, hedged }: PositionRow): Position => {
        const net = BigInt(filled) + BigInt(hedged);
        const listed = lookup(chain, token);
        const dollars = rate(chain, listed, now);
        const worth = dollars && listed && mul({ n: net, d: 10n ** BigInt(listed.decimals) }, dollars);
        return {
          token: tokenOf(lookup, chain, token),
          filled,
          hedged,
          net: `${net}`,
          netUsd: worth ? formatDecimal(worth, DOLLAR_PLACES, 'floor') : null,
          unhedgedFills: counts.get(`${chain} ${token}`) ?? 0,
        };
      };
      return positions.all({ chainId }).map((row) =>
        checkedRow(
          positionSchema,
          () => positionOf(row),
          (why) => ({
            token: tokenOf(lookup, row.chainId, row.token),
            filled: '0',
            hedged: '0',
            net: '0',
            netUsd: null,
            unhedgedFills: 0,
            unreadable: why,
          }),
        ),
      );
    },
  };
}

function tokenOf(lookup: TokenLookup, chainId: number, address: Address): HedgeToken {
  const listed = lookup(chainId, address);
  if (listed !== undefined) return { chainId, address, symbol: listed.symbol, decimals: listed.decimals };
  if (isNative(address)) return { chainId, address, symbol: 'native', decimals: 18 };
  return { chainId, address, symbol: address, decimals: 0 };
}

/** A fill with all its hedges. Amounts are raw units with sign, + is what the desk got. */
export interface FillResult {
  moved: ReturnType<typeof fillBase>;
  hedgedBase: bigint;
  hedgedQuote: bigint;
  /** Raw units of quote that fill and hedges left together; null until all of it is hedged against quote. */
  result: bigint | null;
  /** The same in dollars, after the gas and fees of its hedges, exactly; null where it is not known. */
  usd: Rational | null;
  hedges: number[];
}

/** What fills and their hedges came to; what it returns is made anew for each question. */
export function fillResults(db: Database) {
  const shares = hedgeShares(db);
  const rate = dollarRates(db);
  return () => {
    const sharesOf = shares();
    /** Dollars are counted as they were when it was filled. */
    return (
      fill: { seq: number; chainId: number; pair: string | null; side: string | null; body: string },
      lookup: TokenLookup,
    ): FillResult => {
      const event = JSON.parse(fill.body) as FillBody;
      const moved = fillBase(fill.side, event);
      const own = sharesOf(fill);
      const hedgedBase = own.reduce((sum, { base }) => sum + base, 0n);
      const hedgedQuote = own.reduce((sum, { quote }) => sum + (quote ?? 0n), 0n);
      const quote = lookup(event.chainId, moved.quoteAsset);
      const known = own.every((share) => share.quote !== null);
      const done = known && hedgedBase !== 0n && hedgedBase === -moved.base && quote !== undefined;
      const result = moved.quote + hedgedQuote;
      const dollars = done ? rate(event.chainId, quote, event.blockTime) : null;
      return {
        moved,
        hedgedBase,
        hedgedQuote,
        hedges: own.map(({ hedgeSeq }) => hedgeSeq),
        result: done ? result : null,
        usd:
          done && dollars !== null
            ? afterCosts(mul({ n: result, d: 10n ** BigInt(quote.decimals) }, dollars), own)
            : null,
      };
    };
  };
}

function afterCosts(result: Rational, shares: readonly HedgeShare[]): Rational | null {
  let left = result;
  for (const { gas, fees } of shares) {
    if (gas === null) return null;
    left = sub(sub(left, gas), fees);
  }
  return left;
}
