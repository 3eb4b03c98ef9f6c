import type { Database } from 'better-sqlite3';
import { projectAlarms } from './alarms.ts';
import type { EventKind } from './events.ts';
import { projectBlacklist } from './project-blacklist.ts';
import { projectDesk } from './project-desk.ts';
import { projectFollow } from './project-follow.ts';
import { projectHedges } from './project-hedges.ts';
import { projectLadders } from './project-ladders.ts';
import { projectListings } from './project-listings.ts';
import { projectOrderEvents } from './project-order-events.ts';
import { projectPositions } from './project-positions.ts';
import { projectQuotes } from './project-quotes.ts';
import { projectStops } from './project-stops.ts';
import { projectTrading } from './project-trading.ts';
import { type Projections, refuseRow } from './projection.ts';
import { projectUnprovenPast } from './unproven-past.ts';

type StoredEvent = { seq: number; time: number; actor: string; kind: string; body: string };

/**
 * Brings a row of the journal into the tables, within the caller's transaction. It reads the row as stored, so that
 * the first time and a rebuild cannot differ. Throws when the row contradicts what is there; the caller rolls back.
 */
export function createProjector(db: Database): (event: StoredEvent) => void {
  const nothing = () => {};
  const quotes = projectQuotes(db);
  const orderEvents = projectOrderEvents(db);
  const positions = projectPositions(db);
  const hedges = projectHedges(db);
  const alarms = projectAlarms(db);
  const desk = projectDesk(db);
  const trading = projectTrading(db);
  const stops = projectStops(db);
  const projections: Projections = {
    ...projectListings(db),
    ...projectLadders(db),
    ...projectFollow(db),
    ...projectUnprovenPast(db),
    ...projectBlacklist(db),
    ...quotes,
    ...orderEvents,
    ...hedges,
    ...alarms,
    desk_configured: inTurn(desk.desk_configured, stops.desk_configured),
    trading_state: inTurn(trading.trading_state, stops.trading_state),
    stop_explained: inTurn(trading.stop_explained, stops.stop_explained),
    fill: inTurn(orderEvents.fill, positions.fill, hedges.fill, alarms.fill),
    reverted: inTurn(orderEvents.reverted, positions.reverted),
    chain_reset: inTurn(quotes.chain_reset, positions.chain_reset, hedges.chain_reset),
    service_key_set: nothing,
    desk_started: nothing,
    desk_stopped: nothing,
    transaction: nothing,
  };
  const isKind = (kind: string): kind is EventKind => Object.hasOwn(projections, kind);

  return ({ seq, time, actor, kind, body }) => {
    if (!isKind(kind)) refuseRow(`"${kind}" is not a kind of event.`);
    // The kind chooses the body's schema, which the compiler cannot follow through a lookup.
    const apply = projections[kind] as (event: unknown) => void;
    apply({ seq, time, actor, kind, body: JSON.parse(body) });
  };
}

function inTurn<E>(...steps: ((event: E) => void)[]): (event: E) => void {
  return (event) => {
    for (const step of steps) step(event);
  };
}
