import type { Database } from 'better-sqlite3';
import type { Subject } from '../../contract/protections.ts';
import type { RefusalCode } from '../../contract/refusal.ts';
import type { Address } from '../../protocol/address.ts';
import { parsedBody } from '../archived-bodies.ts';
import { listedTokens } from '../book/listed-tokens.ts';
import { dollarRateTexts } from '../fills/marks.ts';
import type { QuoteBody } from '../quotes/events.ts';
import { rowsBetween } from '../time-marks.ts';
import {
  type AskedRow,
  askedOf,
  FILLED_COLUMNS,
  type FillWorth,
  fillOf,
  fillWorths,
  type StoredFilled,
} from './counted-rows.ts';
import type { ProtectionEvent } from './fold.ts';

/** An amount of a quote token, and the dollars a token of it: as its row has them, else as the reference had them at a moment. */
export interface InDollars {
  /** Raw units of `decimals`. */
  readonly amount: bigint;
  readonly decimals: number;
  /** A decimal; null where nothing says it. `at` is Unix milliseconds. */
  readonly rateAt: (at: number) => string | null;
}

/** What happened that rules count, in the order of the journal. `time` is that of its row, Unix milliseconds. */
export type FlowEvent = { readonly seq: number; readonly time: number } & (
  | {
      /** A firm request against which nothing spoke but, where it was not signed, the rules of then. */
      readonly kind: 'asked';
      readonly row: AskedRow;
      readonly wasSigned: boolean;
      readonly dollars: InDollars | null;
    }
  /** One that the rules of then turned away before its amounts were worked out. */
  | { readonly kind: 'turned away' }
  | {
      readonly kind: 'filled';
      readonly row: Omit<AskedRow, 'seq' | 'time'>;
      readonly quoteSeq: number;
      readonly dollars: InDollars | null;
      /** What it gained until a moment, Unix milliseconds. */
      readonly worthAt: (now: number) => FillWorth;
    }
  | { readonly kind: 'taken back'; readonly fillSeq: number }
  | { readonly kind: 'reset'; readonly rule: string; readonly subject: Subject }
  /** A row that cannot be read. */
  | { readonly kind: 'unread' }
);

/** What rules say last of all: where one of these has amounts, nothing else spoke against the request. */
const BY_RULES: readonly RefusalCode[] = ['protection_limit', 'protection_tripped', 'protection_unpriced'];
const ROWS_AT_ONCE = 1_000;

type Row = { seq: number; time: number; kind: 'quote' | 'fill' | 'reverted' | 'protection_reset'; body: string };

/**
 * What a journal has of the flow that rules count, from a moment on until another (Unix milliseconds, both included). Refusals are not
 * all in a journal: in a flood of them some have no row.
 */
export function readFlow(db: Database): (since: number, until: number) => Generator<FlowEvent> {
  const rows = db.prepare<[number, number, number], Row>(`
    SELECT seq, time, kind, body FROM journal
    WHERE seq BETWEEN ? AND ? AND kind IN ('quote', 'fill', 'reverted', 'protection_reset') ORDER BY seq LIMIT ?`);
  const filled = db.prepare<[number], StoredFilled>(`${FILLED_COLUMNS} WHERE f.seq = ? AND f.pair IS NOT NULL`);
  const between = rowsBetween(db);
  const inDollars = rowDollars(db);
  const worths = fillWorths(db);
  const eventOf = (row: Row): FlowEvent | null => {
    const place = { seq: row.seq, time: row.time };
    switch (row.kind) {
      case 'quote': {
        const body = parsedBody<QuoteBody>(row.body);
        const wasSigned = body.code === null;
        if (body.code !== null && !BY_RULES.includes(body.code)) return null;
        if (!wasSigned && body.exposure === null) return { ...place, kind: 'turned away' };
        const asked = askedOf(row, body);
        if (asked === null) return { ...place, kind: 'unread' };
        return { ...place, kind: 'asked', row: asked, wasSigned, dollars: inDollars(asked, body.side) };
      }
      case 'fill': {
        const stored = filled.get(row.seq);
        if (stored === undefined) return null; // of no quote of this desk
        const fill = fillOf(stored);
        if (fill === null) return { ...place, kind: 'unread' };
        const { quoteSeq, side } = stored;
        const dollars = inDollars(fill, side);
        return { ...place, kind: 'filled', row: fill, quoteSeq, dollars, worthAt: worths(stored, fill) };
      }
      case 'reverted':
        return { ...place, kind: 'taken back', fillSeq: parsedBody<{ eventSeq: number }>(row.body).eventSeq };
      default: {
        const { rule, chainId, who } = parsedBody<Extract<ProtectionEvent, { kind: 'protection_reset' }>['body']>(
          row.body,
        );
        return { ...place, kind: 'reset', rule, subject: { chainId, who } };
      }
    }
  };
  return function* (since, until) {
    const { first, last } = between(since, until);
    for (let from = first; ; ) {
      const chunk = rows.all(from, last, ROWS_AT_ONCE);
      for (const row of chunk) {
        if (row.time < since || row.time > until) continue;
        let event: FlowEvent | null;
        try {
          event = eventOf(row);
        } catch {
          event = { seq: row.seq, time: row.time, kind: 'unread' };
        }
        if (event !== null) yield event;
      }
      const end = chunk.at(-1);
      if (end === undefined || chunk.length < ROWS_AT_ONCE) return;
      from = end.seq + 1;
    }
  };
}

/** What a row's quote amount is worth in dollars; null without a side, or where its token is not listed any more. */
export function rowDollars(
  db: Database,
): (row: Omit<AskedRow, 'seq' | 'time'>, side: 'bids' | 'asks' | null) => InDollars | null {
  const tokens = listedTokens(db);
  const rate = dollarRateTexts(db);
  return ({ chainId, makerAsset, takerAsset, makerAmount, takerAmount, dollarRate }, side) => {
    const [asset, amount]: [Address, string] = side === 'bids' ? [makerAsset, makerAmount] : [takerAsset, takerAmount];
    const token = side === null ? undefined : tokens()(chainId, asset);
    if (token === undefined) return null;
    const rateAt = (at: number) => dollarRate ?? rate(chainId, token, at);
    return { amount: BigInt(amount), decimals: token.decimals, rateAt };
  };
}
