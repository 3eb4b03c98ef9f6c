import type { Database } from 'better-sqlite3';
import { type BookPair, buildChainBook, type ChainBook } from '../book/chain-book.ts';
import { loadBook } from '../book/load-book.ts';
import { formulaOf } from '../contract/formula.ts';
import { timeSchema, utcText } from '../contract/names.ts';
import {
  type Moment,
  type PastDeskView,
  type PastPair,
  type PastToken,
  pastPairSchema,
  type UnreadRow,
} from '../contract/past.ts';
import { exposedAsset } from '../guard/ask.ts';
import { unlistedTokens } from '../guard/exposure.ts';
import { TradingStates } from '../guard/trading-states.ts';
import { readRevisions } from '../journal/book/revisions.ts';
import { checkedRow } from '../journal/checked-row.ts';
import type { OpenQuote } from '../journal/quotes/fold.ts';
import { lastAsked } from '../journal/quotes/last-asked.ts';
import { openOrdersAt } from '../journal/quotes/open-at.ts';
import { createQueries } from '../journal/slices.ts';
import { rowAtTime } from '../journal/time-marks.ts';
import type { StoredTradingState } from '../journal/trading/fold.ts';
import type { Address } from '../protocol/address.ts';
import { boundedAmount } from '../protocol/amount.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { PAST_KINDS, PastDesk, type PastRow, pastRows } from '../quoting/past-desk.ts';
import { spreadTenthBps } from './pair-rows.ts';

/** What is being read, and how much of it was: rows, orders or pairs. */
export interface Reading {
  readonly reading: string;
  readonly rows: number;
}

/** Who changed something, when, and in which row. */
export interface ChangedBy {
  readonly seq: number;
  readonly time: number;
  readonly actor: string;
}

/** The desk after a row, whole, with what a comparison needs besides. */
export interface Past {
  readonly desk: PastDeskView;
  readonly pairs: readonly PastPair[];
  readonly tokens: readonly PastToken[];
  readonly states: TradingStates;
  /** Who last changed what is listed and set, by the key of `keysOf`. */
  readonly changed: ReadonlyMap<string, ChangedBy>;
  readonly chains: ReadonlyMap<number, ChainBook>;
}

/** Ladders have tables that say in which row each revision is: what was published and moved is looked up there, and not folded. */
const FOLDED = PAST_KINDS.filter((kind) => kind !== 'ladder_published' && kind !== 'ladders_moved');

const MOST_UNREAD = 20;
const MOST_ALERTS = 200;
/** Rows before the moment whose times are compared with it. */
const ROWS_BEFORE = 1_000;
const TOLD_EVERY = 500;
const PAIRS_AT_ONCE = 20;

/** What no row of a journal tells, whichever moment is asked for. */
const NEVER_WRITTEN = [
  'What a reference, a node or a check closed is not written down: it shows in the refusals it brought.',
  'Balances are as decisions read them; between two decisions they are not known.',
];

/** Reads the desk of the past out of its journal: the configuration folded, everything else looked up. Reads only. */
export function readPast(db: Database) {
  const queries = createQueries(db);
  const revisions = readRevisions(db);
  const openAt = openOrdersAt(db);
  const asked = lastAsked(db);
  const atTime = rowAtTime(db);
  const row = db.prepare<[number], Pick<PastRow, 'seq' | 'time' | 'actor' | 'kind'>>(
    'SELECT seq, time, actor, kind FROM main.journal WHERE seq <= ? ORDER BY seq DESC LIMIT 1',
  );
  const latest = db
    .prepare<[number, number], number | null>('SELECT max(time) FROM main.journal WHERE seq BETWEEN ? AND ?')
    .pluck();

  const rowOf = (moment: Moment) => {
    const newest = row.get(Number.MAX_SAFE_INTEGER);
    const seq = 'row' in moment ? moment.row : atTime(moment.time);
    const found = seq === null || seq > (newest?.seq ?? 0) ? undefined : row.get(seq);
    if (found !== undefined && newest !== undefined) return { found, newest: newest.seq };
    const remedy =
      newest === undefined
        ? 'Nothing has happened at this desk yet.'
        : `Its rows are 1 to ${newest.seq}; the first is of ${utcText(timeOf(row.get(1)?.time))}.`;
    throw new DeskError(
      'unknown_row',
      'row' in moment ? `The journal has no row ${moment.row}.` : `The journal begins after ${utcText(moment.time)}.`,
      { remedy },
    );
  };

  /** The configuration and the stops, with the rows that could not be read. */
  function* foldedTo(seq: number) {
    const desk = new PastDesk();
    const unread: UnreadRow[] = [];
    const changed = new Map<string, ChangedBy>();
    let longest = 0;
    let rows = 0;
    try {
      for (const one of pastRows(db, seq, FOLDED)) {
        rows += 1;
        if (rows % TOLD_EVERY === 0) yield { reading: 'what was set', rows };
        const { seq: at, time, actor, kind } = one;
        try {
          desk.take(one);
          for (const key of keysOf(one)) changed.set(key, { seq: at, time: timeOf(time), actor });
        } catch (error) {
          unread.push({ seq: at, time: timeOf(time), actor: actor.slice(0, 60), kind, why: whyOf(error) });
        }
        for (const { settings } of desk.state.book.chains.values()) {
          longest = Math.max(longest, settings.quoteLifetimeSeconds);
        }
      }
      return { stored: desk.stored(), trading: desk.state.trading, unread, changed, longest };
    } finally {
      desk.close();
    }
  }

  /** The desk after the row of a moment. Throws DeskError `unknown_row` where the journal has none. */
  return function* pastOf(moment: Moment): Generator<Reading, Past> {
    const { found, newest } = rowOf(moment);
    const { seq } = found;
    const at = 'time' in moment ? moment.time : timeOf(found.time);
    const { stored, trading, unread, changed, longest } = yield* foldedTo(seq);
    const ladders = (stored.desk?.chains ?? []).flatMap(({ chainId, pairs }) =>
      Object.keys(pairs).flatMap((pair) => {
        const place = revisions.afterRow(chainId, pair, seq);
        return place === null ? [] : [revisions.published(chainId, pair, place)];
      }),
    );
    const readable = ladders.map((one) => (one.unreadable === undefined ? one : { ...one, ladder: null }));
    const book = loadBook({ ...stored, ladders: readable });
    const chains = new Map([...book.chains].map(([id, state]) => [id, buildChainBook(state)]));
    const states = new TradingStates(0);
    states.replace(trading);

    const opened = yield* openOrders(seq, new Set(chains.keys()), longest);
    const said = new Map(ladders.map((one) => [keyOfPair(one), one.unreadable]));
    const held = new Map<string, NonNullable<PastToken['held']>>();
    const pairs: PastPair[] = [];
    for (const [chainId, chain] of chains) {
      for (const pair of chain.pairs.values()) {
        const last = lookBack(chainId, pair, seq, held);
        pairs.push(pairOf(chain, pair, { states, last, unreadable: said.get(keyOfPair({ chainId, pair: pair.id })) }));
        if (pairs.length % PAIRS_AT_ONCE === 0) yield { reading: 'pairs', rows: pairs.length };
      }
    }
    const events = (kind: PastDeskView['alerts'][number]['kind'], seqs: readonly number[]) =>
      seqs.flatMap((one) => {
        const event = queries.eventAt(one)?.row;
        return event === undefined ? [] : [{ kind, event }];
      });
    const alerts = [
      ...events('alarm', queries.alarmsAfter(seq, MOST_ALERTS)),
      ...events('protection', queries.tripsAfter(seq, { at, rules: book.protections, limit: MOST_ALERTS })),
      ...events('stop', queries.stopsAfter(seq, MOST_ALERTS)),
    ].sort((a, b) => b.event.seq - a.event.seq);
    const ahead = latest.get(Math.max(1, seq - ROWS_BEFORE), seq) ?? 0;
    const desk: PastDeskView = {
      at,
      row: { ...found, actor: found.actor.slice(0, 60), time: timeOf(found.time) },
      newest,
      ahead: ahead > at ? timeOf(ahead) : null,
      desk: saidOf(states.own({}), states.desk()),
      chains: [...chains.values()].map(({ chainId, config }) => ({
        chainId,
        name: config.name,
        ...saidOf(states.strictest({ chainId }) ?? states.own({ chainId }) ?? states.own({}), null),
      })),
      alerts: alerts.slice(0, MOST_ALERTS),
      quotes: opened.orders.length,
      unread: unread.slice(0, MOST_UNREAD),
      unreadCount: unread.length,
      unknown: [
        ...opened.unknown,
        ...book.setApart.map(({ kind, id, fault }) => `The ${kind} ${id} cannot be shown: it ${fault}.`),
        ...[...chains.values()].flatMap(({ config, setApart }) =>
          setApart.map(({ kind, id, fault }) => `The ${kind} ${id} of ${config.name} cannot be shown: ${fault}.`),
        ),
        ...(alerts.length > MOST_ALERTS ? [`${alerts.length - MOST_ALERTS} older alerts are not shown.`] : []),
        ...NEVER_WRITTEN,
      ],
    };
    const tokens = [...chains.values()].flatMap((chain) => tokensOf(chain, opened.orders, held));
    return { desk, pairs, tokens, states, changed, chains };
  };

  function* openOrders(seq: number, chains: ReadonlySet<number>, longest: number) {
    const reading = openAt(seq, { chains, longest });
    let step = reading.next();
    while (!step.done) {
      yield { reading: 'signed orders', rows: step.value };
      step = reading.next();
    }
    const { orders, unread, unreadEndings, whole } = step.value;
    const unknown = whole ? [] : ['So much was signed before that orders which were open for long may be missing.'];
    const [ending] = unreadEndings;
    if (ending !== undefined) {
      const count = unreadEndings.size === 1 ? 'A row' : `${unreadEndings.size} rows`;
      unknown.push(
        `${count} on the ends of orders cannot be read, such as row ${ending}: orders may be shown as open that were over.`,
      );
    }
    const [first] = unread;
    if (first !== undefined) {
      const count = unread.length === 1 ? 'An open order' : `${unread.length} open orders`;
      unknown.push(`${count} cannot be read and is not counted as live: row ${first.seq}, ${first.why}`);
    }
    return { orders, unknown };
  }

  /** The last decision about a pair; what it and those before it had read of the two tokens goes into `held`. */
  function lookBack(
    chainId: number,
    { id, base, quote }: BookPair,
    seq: number,
    held: Map<string, NonNullable<PastToken['held']>>,
  ): PastPair['asked'] {
    let last: PastPair['asked'] = null;
    const missing = new Set<string>([base.address, quote.address]);
    for (const { seq: at, time, side, code, makerAsset, balance, allowance } of asked(chainId, id, seq)) {
      last ??= { seq: at, time, side, code };
      if (balance === null || !missing.delete(makerAsset)) continue;
      const key = `${chainId} ${makerAsset}`;
      if (at > (held.get(key)?.seq ?? 0)) held.set(key, { balance, allowance, seq: at, time });
      if (missing.size === 0) break;
    }
    return last;
  }
}

/** What an event changed, so that a comparison can say who did: everything, or a part of what a chain lists and is set to. */
export function keysOf({ kind, body }: Pick<PastRow, 'kind' | 'body'>): string[] {
  if (kind === 'desk_configured') return ['all'];
  const { chainId, tokenId, pair } = JSON.parse(body) as { chainId?: number; tokenId?: string; pair?: string };
  if (kind.startsWith('token_')) return [`token ${chainId} ${tokenId}`];
  if (kind.startsWith('pair_')) return [`pair ${chainId} ${pair}`];
  if (kind === 'formula_set') return [`formula ${chainId} ${pair}`];
  if (kind === 'trading_state' || kind === 'stop_explained') return [];
  return [`settings ${chainId ?? 0}`];
}

export function keyOfPair({ chainId, pair }: { chainId: number; pair: string }): string {
  return `${chainId} ${pair}`;
}

function pairOf(
  chain: ChainBook,
  pair: BookPair,
  { states, last, unreadable }: { states: TradingStates; last: PastPair['asked']; unreadable: string | undefined },
): PastPair {
  const { chainId, config } = chain;
  const formula = formulaOf(config, pair.id);
  const isOn = (side?: 'bids' | 'asks') => states.own({ chainId, pair: pair.id, side })?.state !== 'HALTED';
  const common = {
    chainId,
    pair: pair.id,
    base: pair.definition.base,
    quote: pair.definition.quote,
    state: states.ofPair(chainId, pair.id),
    switches: { pair: isOn(), bids: isOn('bids'), asks: isOn('asks') },
    retiredUntil: pair.retiredUntil,
    fault: pair.fault,
    asked: last,
    ...(formula !== null && { formula }),
  };
  return checkedRow(
    pastPairSchema,
    () => {
      const { ladder, revision, time, actor, followed } = pair.ladder;
      return {
        ...common,
        revision,
        ladder,
        ...(followed !== undefined && { followed }),
        ...(unreadable !== undefined && { unreadable }),
        publishedAt: time,
        publishedBy: actor,
        spreadTenthBps: spreadTenthBps(ladder.bids[0], ladder.asks[0]),
      };
    },
    (why) => ({
      ...common,
      revision: 0,
      ladder: { bids: [], asks: [] },
      publishedAt: 0,
      publishedBy: '',
      spreadTenthBps: null,
      unreadable: why,
    }),
  );
}

function tokensOf(
  chain: ChainBook,
  orders: readonly OpenQuote[],
  held: ReadonlyMap<string, NonNullable<PastToken['held']>>,
): PastToken[] {
  const live = new Map<Address, { amount: bigint; quotes: number; last: number }>();
  for (const { chainId, makerAsset, makerNft, makerAmount, filledMakerAmount, expiry } of orders) {
    if (chainId !== chain.chainId) continue;
    const asset = exposedAsset(makerAsset, makerNft);
    const sum = live.get(asset) ?? { amount: 0n, quotes: 0, last: 0 };
    const left = BigInt(makerAmount) - BigInt(filledMakerAmount);
    live.set(asset, { amount: sum.amount + left, quotes: sum.quotes + 1, last: Math.max(sum.last, expiry) });
  }
  const listed = [...chain.tokens].map(([tokenId, { address, decimals }]) => ({ tokenId, address, decimals }));
  const others = unlistedTokens(chain, live.keys()).map((address) => ({ tokenId: address, address, decimals: 0 }));
  return [...listed, ...others].map(({ tokenId, address, decimals }) => {
    const sum = live.get(address);
    return {
      chainId: chain.chainId,
      tokenId,
      decimals,
      live: boundedAmount(sum?.amount ?? 0n),
      quotes: sum?.quotes ?? 0,
      zeroAt: sum === undefined ? null : Math.min((sum.last + 1) * 1_000, Number.MAX_SAFE_INTEGER),
      held: held.get(`${chain.chainId} ${address}`) ?? null,
    };
  });
}

function saidOf(said: StoredTradingState | null, otherwise: StoredTradingState | null): PastDeskView['desk'] {
  if (said !== null)
    return { state: said.state, actor: said.actor, since: said.since, reason: said.reason ?? said.cause };
  return { state: otherwise?.state ?? 'LIVE', actor: null, since: null, reason: otherwise?.reason ?? null };
}

function whyOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return (cause instanceof Error ? cause.message : String(cause)).slice(0, 200);
}

function timeOf(time: number | undefined): number {
  return timeSchema.safeParse(time).data ?? 0;
}
