import type { PairRow } from '../contract/book.ts';
import type { Attention, ChainRow, ExposureRow } from '../contract/desk-view.ts';
import type { PracticeControl } from '../contract/practice.ts';
import type { SurfacePlace } from '../contract/surface-place.ts';
import type { FleetWatch } from '../fleet/fleet-watch.ts';
import type { DollarParts } from '../guard/rule-dollars.ts';
import type { Hedging } from '../hedge/hedging.ts';
import type { Quoter } from '../quoting/quoter.ts';
import type { Surface } from '../surface/surface.ts';
import type { AlertBoard } from './alert-board.ts';
import type { AnswerTimes } from './answer-times.ts';
import { attentionOf } from './attention.ts';
import type { ChainChecks } from './chain-checks.ts';
import { dollarsOf } from './dollars-of.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { WholeView } from './live-view.ts';
import { peopleOf } from './may-call.ts';
import type { Outside } from './outside.ts';
import { type PairFigures, pairRows } from './pair-rows.ts';
import type { PricesDoor } from './prices-door.ts';
import { referencesOf } from './references-of.ts';
import type { Rooms } from './rooms.ts';
import type { WatchedChains } from './watched-chains.ts';

/** Everything the console shows of a desk that runs; without a surface what can be known of its folder. */
export interface ViewParts {
  rooms: Rooms;
  /** The user who runs the desk. */
  owner: string;
  watched: WatchedChains;
  heartbeats: Heartbeats;
  /** Left out where no desk runs. */
  answers?: Pick<AnswerTimes, 'of'>;
  figures: PairFigures;
  outside: Outside;
  checks: ChainChecks | null;
  surface: Surface | null;
  /** Where the surface was to listen and could not, as the port is taken. */
  missed?: SurfacePlace | null;
  /** Where engines push prices; left out where no desk runs. */
  prices?: Pick<PricesDoor, 'missed'>;
  /** Null where the desk is in no fleet, or does not run. */
  fleet: Pick<FleetWatch, 'view' | 'attention' | 'webSockets'> | null;
  alerts: AlertBoard;
  hedging: Hedging | null;
  quoter: Pick<Quoter, 'counts'> | null;
  /** The practice market beside it; null beside a real desk. */
  practice: PracticeControl | null;
}

export function wholeView(parts: ViewParts): WholeView {
  const { rooms, figures, outside, surface } = parts;
  const { book, guard } = rooms;
  const worth = { references: book.references, now: rooms.now() };
  const following = { referenceOf: referencesOf(rooms), followers: outside.references, ...worth };
  const skipped = new Map(
    outside.restrictions.list().map(({ chainId, pair, sentence }) => [`${chainId} ${pair}`, sentence]),
  );
  const pairs = book.chains().flatMap((chain) => withSkipped(pairRows(chain, guard, figures, following), skipped));
  const people = peopleOf(parts.owner, rooms.credentials.tokens());
  const fleet = parts.fleet?.view() ?? null;
  const quoting = new Set(pairs.filter(isQuoted).map(({ chainId }) => chainId));
  return {
    status: guard.status(),
    chains: book.chains().map(({ chainId, config }) => ({
      ...chainRow(parts, chainId, config),
      quotes: quoting.has(chainId),
    })),
    pairs,
    exposure: exposureOf(rooms, worth),
    // Of a desk that was taken over nothing is left to do but to end it.
    attention: fleet?.isOver
      ? (parts.fleet?.attention() ?? [])
      : [
          ...missedAttention(parts),
          ...missedPrices(parts),
          ...(parts.fleet?.attention() ?? []),
          ...attentionOf(parts),
          ...rooms.refusedAddresses.attention(),
          ...rooms.ways.attention(),
          ...rooms.approvals.attention(people),
        ],
    alerts: parts.alerts.settings(),
    surfaceUrl: surface?.url ?? null,
    people,
    approvals: rooms.approvals.view(),
    fleet,
  };
}

/** The surface listens, but not where the counterparties ask. */
function missedAttention({ surface, missed }: ViewParts): Attention[] {
  if (surface === null || !missed) return [];
  const detail =
    `Another program has port ${missed.port}, so the desk listens on port ${surface.port} for now, where no counterparty ` +
    `asks. End that program and start the app again; or, under Settings, Surface, stay on ${surface.port} and tell the counterparties.`;
  const title = `Port ${missed.port} of the surface is taken`;
  return [{ code: 'surface_port', level: 'stop', title, detail, action: { kind: 'page', page: 'settings' } }];
}

/** There is a token for prices, and no engine can come with it. */
function missedPrices({ prices }: ViewParts): Attention[] {
  const port = prices?.missed ?? null;
  if (port === null) return [];
  const detail =
    `Another program has port ${port}, so no engine can push prices, and the pairs they price close. End that program: the desk ` +
    'tries again every ten seconds. Or start the desk with another port, --prices-port.';
  return [{ code: 'prices_port', level: 'stop', title: `Port ${port} for prices is taken`, detail }];
}

/** What is live of every token, each with what it is worth in dollars now. */
function exposureOf({ book, guard }: ViewParts['rooms'], parts: DollarParts): ExposureRow[] {
  const worth = new Map(book.chains().map((chain) => [chain.chainId, { chain, dollars: dollarsOf(chain, parts) }]));
  return guard.orders.rows().map((row) => {
    const of = worth.get(row.chainId);
    const token = of?.chain.tokens.get(row.tokenId);
    return { ...row, dollars: token === undefined ? null : (of?.dollars(token)?.rate ?? null) };
  });
}

/** Those that the service skips say so. */
function withSkipped(rows: PairRow[], skipped: ReadonlyMap<string, string>): PairRow[] {
  if (skipped.size === 0) return rows;
  return rows.map((row) => {
    const why = skipped.get(`${row.chainId} ${row.pair}`);
    return why === undefined ? row : { ...row, skipped: why };
  });
}

function isQuoted({ unquoted }: PairRow): boolean {
  return unquoted?.bids === null || unquoted?.asks === null;
}

function chainRow(parts: ViewParts, chainId: number, { name, basePath }: { name: string; basePath: string }): ChainRow {
  const { rooms, watched, heartbeats, surface } = parts;
  const chain = rooms.book.chain(chainId);
  const view = watched.view(chainId);
  return {
    chainId,
    name,
    basePath,
    block: view?.block?.number ?? null,
    blockSeenAt: view?.seenAt ?? null,
    blockTime: view?.block ? view.block.timestamp * 1_000 : null,
    nodeMs: view?.tookMs ?? null,
    closed: chain ? rooms.guard.closure(chain) : null,
    fault: view?.fault ?? (chain ? rooms.guard.clockFault(chain) : null),
    heartbeats: heartbeats.of(chainId),
    webSockets: (surface?.webSockets(chainId) ?? 0) + (parts.fleet?.webSockets(chainId) ?? 0),
    skewMs: heartbeats.skew(chainId),
    answers: parts.answers?.of(chainId) ?? null,
  };
}
