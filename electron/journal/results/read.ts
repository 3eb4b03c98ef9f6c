import type { Database } from 'better-sqlite3';
import type { HedgedFill } from '../../contract/hedge.ts';
import { byMark, MARKOUT_NAMES } from '../../contract/marks.ts';
import type { FillRow } from '../../contract/quote-log.ts';
import {
  byPart,
  type FillResult,
  fillResultSchema,
  type PartName,
  type ResultBy,
  type ResultKey,
} from '../../contract/results.ts';
import { orNull } from '../../protocol/or-null.ts';
import { type ListedToken, listedTokens } from '../book/listed-tokens.ts';
import { checkedRow } from '../checked-row.ts';
import type { FillBody } from '../fills/events.ts';
import {
  counterpartyOf,
  dollarRates,
  MID_COLUMNS,
  type MidColumns,
  nobodyKnown,
  tradeOf,
  UNREAD_REQUEST,
  WHICH_OF_ANYBODY,
  type WhichFills,
  whichValues,
} from '../fills/marks.ts';
import { hedgeShares } from '../hedges/shares.ts';
import { hexOf } from '../hex-bytes.ts';
import { plus } from '../quotes/trade-value.ts';
import { type FillParts, fillResult, together, ZERO } from './fill-result.ts';
import {
  addGrowth,
  addResults,
  dollarText,
  type Growth,
  growthOf,
  noGrowth,
  noResults,
  partText,
  type ResultPart,
  sumsOf,
} from './result-sums.ts';

type Place = { time: number; seq: number };
type Row = MidColumns & {
  seq: number;
  time: number;
  chainId: number;
  pair: string;
  side: FillRow['side'];
  quoteSeq: number;
  cover: HedgedFill['cover'];
  user: Buffer;
  counterparty: string | null;
  /** Whether it is not known who asked, where that is what is asked for. */
  unreadRequest: string | null;
  body: string;
};
type Last = { mid: string; time: number } | null;

/** Into how many steps the time is cut: of the curve of everything, and of those of the rows. */
type Steps = { all: number; row: number };
/** `begin` and `end` are where the first step begins and the last one ends. */
type Asked = {
  by?: ResultBy;
  before: Place | null;
  limit: number;
  now: number;
  begin: number;
  end: number;
  steps: Steps;
};

const REST_NAMES: readonly PartName[] = ['inventory', 'hedge', 'gas', 'fees'];
const EACH_BY = ['pair', 'user', 'counterparty'] as const;

/** What fills came to, as sums and one by one. Only fills of pairs that stand are in it. */
export function readResults(db: Database) {
  const list = db.prepare<[ReturnType<typeof whichValues> & Place & { limit: number; isWhoAsked: number }], Row>(`
    SELECT f.seq, f.time, f.chain_id AS chainId, f.pair, f.side, f.quote_seq AS quoteSeq, f.cover, q.user_address AS user,
      ${counterpartyOf('f.quote_seq')} AS counterparty,
      CASE WHEN :ofCounterparty OR :isWhoAsked THEN ${UNREAD_REQUEST} END AS unreadRequest, j.body, ${MID_COLUMNS}
    FROM fills f INDEXED BY fills_by_time
    CROSS JOIN quotes q ON q.seq = f.quote_seq CROSS JOIN journal j ON j.seq = f.seq
    WHERE ${WHICH_OF_ANYBODY} AND f.reverted = 0 AND f.pair IS NOT NULL
      AND (:ofCounterparty = 0 OR ${counterpartyOf('f.quote_seq')} IS :counterparty OR ${UNREAD_REQUEST} IS NOT NULL)
      AND f.time <= :time AND (f.time < :time OR f.seq < :seq)
    ORDER BY f.time DESC, f.seq DESC LIMIT :limit`);
  const newest = db.prepare<[number, string, number], NonNullable<Last>>(
    'SELECT mid, time FROM reference_samples WHERE chain_id = ? AND pair = ? AND time <= ? ORDER BY time DESC LIMIT 1',
  );
  const first = db
    .prepare<[number, number], number | null>(
      'SELECT min(time) FROM fills INDEXED BY fills_by_time WHERE time >= ? AND time < ?',
    )
    .pluck();
  const tokens = listedTokens(db);
  const rate = dollarRates(db);
  const shares = hedgeShares(db);

  /** Reads one fill after the other; throws for one whose rows cannot be read: it may be anybody's, and is nobody's figure. */
  const reader = ({ counterparty, now }: WhichFills & { now: number }) => {
    const token = tokens();
    const sharesOf = shares();
    const lasts = new Map<string, Last>();
    const lastOf = ({ chainId, pair }: Row): Last => {
      const name = `${chainId} ${pair}`;
      const known = lasts.get(name);
      if (known !== undefined) return known;
      const last = newest.get(chainId, pair, now) ?? null;
      lasts.set(name, last);
      return last;
    };
    return (row: Row): FillParts => {
      const { chainId, side, time } = row;
      if (counterparty !== undefined && row.unreadRequest !== null) throw new Error(nobodyKnown(row.unreadRequest));
      const { makerAsset, takerAsset, makerAmount, takerAmount }: FillBody = JSON.parse(row.body);
      const [baseAsset, quoteAsset] = side === 'bids' ? [takerAsset, makerAsset] : [makerAsset, takerAsset];
      const quote: ListedToken | undefined = token(chainId, quoteAsset);
      const amounts = { makerAmount: BigInt(makerAmount), takerAmount: BigInt(takerAmount) };
      const trade = tradeOf(side, amounts, token(chainId, baseAsset)?.decimals, quote?.decimals);
      if (trade === null) return NOT_LISTED;
      const facts = {
        trade,
        time,
        mids: byMark((name) => row[`mid_${name}`]),
        dollars: rate(chainId, quote, time),
        hedges: sharesOf(row),
        last: lastOf(row),
      };
      return fillResult(facts, now);
    };
  };

  const rowsOf = (
    which: WhichFills & { before: Place | null; limit: number },
    isWhoAsked: 0 | 1,
  ): { rows: Row[]; next: Place | null } => {
    const { before, limit } = which;
    const place = before ?? { time: LAST, seq: LAST };
    const rows = list.all({ ...whichValues(which), isWhoAsked, limit, ...place });
    const last = rows.at(-1);
    return { rows, next: last === undefined || rows.length < limit ? null : { time: last.time, seq: last.seq } };
  };

  return {
    /**
     * Sums of up to `limit` fills, newest first, and where to go on; null when there are no more. They are by pair, by user and by
     * counterparty in one go; of one of these alone (`by`) no others but the pairs are worked out, for the whole is made of them.
     * `now` is Unix milliseconds.
     */
    resultsPart(which: WhichFills & Asked): {
      parts: ResultPart[];
      growth: Growth[];
      next: Place | null;
    } {
      const { by: only, begin, end, steps } = which;
      const asked = EACH_BY.filter((by) => by === 'pair' || by === (only ?? by));
      const { rows, next } = rowsOf(which, asked.includes('counterparty') ? 1 : 0);
      const read = reader(which);
      const parts = new Map<string, ResultPart>();
      const growth = Array.from({ length: steps.all }, noGrowth);
      for (const row of rows) {
        const fill = orNull(() => read(row));
        const grown = fill === null ? null : growthOf(fill);
        for (const by of asked) {
          const key = keyOf(by, row);
          const name = JSON.stringify([by, key]);
          const known = parts.get(name) ?? { by, key, sums: noResults(), growth: new Array(steps.row).fill(ZERO) };
          // Where nobody knows who asked, it is no counterparty's figure.
          const isNobodys = by === 'counterparty' && row.unreadRequest !== null;
          parts.set(name, {
            by,
            key,
            sums: addResults(known.sums, sumsOf(isNobodys ? null : fill)),
            growth:
              grown === null || isNobodys ? known.growth : grownBy(known.growth, grown.net, at(row.time, steps.row)),
          });
        }
        const step = at(row.time, steps.all);
        if (grown !== null) growth[step] = addGrowth(growth[step] ?? noGrowth(), grown);
      }
      return { parts: [...parts.values()], growth, next };

      function at(time: number, count: number): number {
        const share = Math.floor(((time - begin) / Math.max(1, end - begin)) * count);
        return Math.max(0, Math.min(count - 1, share));
      }
    },
    /** When the first fill of a time was; null where there is none. */
    firstFill: ({ since, until }: Pick<WhichFills, 'since' | 'until'>): number | null =>
      first.get(since, until) ?? null,
    /** One by one, newest first. `now` is Unix milliseconds. */
    resultFills(which: WhichFills & { before: Place | null; limit: number; now: number }): FillResult[] {
      const read = reader(which);
      return rowsOf(which, 0).rows.map((row) => {
        const { seq, time, chainId, pair, side, quoteSeq, counterparty, cover } = row;
        const shown = (fill: FillParts): FillResult => ({
          seq,
          time,
          chainId,
          pair,
          side,
          quoteSeq,
          user: hexOf(row.user),
          counterparty,
          cover,
          volume: fill.volume === null ? null : dollarText(fill.volume),
          parts: byPart((name) => partText(fill.parts[name])),
          markout: partText(together(fill.parts, MARKOUT_NAMES)),
          rest: fill.net === null ? null : partText(together(fill.parts, REST_NAMES)),
          net: fill.net === null ? null : dollarText(fill.net),
          unpriced: fill.unpriced,
          valuedAt: fill.valuedAt,
        });
        return checkedRow(
          fillResultSchema,
          () => shown(read(row)),
          (why) => ({ ...shown(NOT_LISTED), pair: null, counterparty: null, user: null, unreadable: why }),
        );
      });
    },
  };
}

/** What is known of a fill whose tokens are not listed any more. */
const NOT_LISTED: FillParts = {
  volume: null,
  parts: byPart(() => null),
  net: null,
  unpriced: 'no_dollars',
  isOpen: false,
  valuedAt: null,
};
const LAST = Number.MAX_SAFE_INTEGER;

function grownBy(growth: readonly Growth['net'][], net: Growth['net'], step: number): Growth['net'][] {
  return growth.map((before, index) => (index === step ? plus(before, net) : before));
}

function keyOf(by: ResultBy, { chainId, pair, user, counterparty }: Row): ResultKey {
  const nobody = { chainId: null, pair: null, user: null, counterparty: null };
  if (by === 'pair') return { ...nobody, chainId, pair };
  return by === 'user' ? { ...nobody, user: hexOf(user) } : { ...nobody, counterparty };
}
