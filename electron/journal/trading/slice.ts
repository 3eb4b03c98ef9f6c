import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { ChainConfig } from '../../contract/desk-file.ts';
import type { BOOK_EVENTS } from '../book/events.ts';
import { checkedRow } from '../checked-row.ts';
import type { ProjectionsOf, Recorded, Slice } from '../slice.ts';
import { TRADING_EVENTS } from './events.ts';
import { foldImport, foldScope, type StoredTradingState, storedTradingStateSchema, type TradingEvent } from './fold.ts';
import { type Place, placeOf, type Side, scopeOf } from './place.ts';
import { readStops, STOPS_TABLES, stopsTable } from './stops.ts';
import { tellTrading } from './tell.ts';

const TRADING_STATES = `
-- chain_id 0, pair '' and side '' stand for all of them.
CREATE TABLE trading_states (
  chain_id INTEGER NOT NULL,
  pair TEXT NOT NULL,
  side TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  actor TEXT NOT NULL,
  since INTEGER NOT NULL,
  until INTEGER,
  cause TEXT,
  PRIMARY KEY (chain_id, pair, side)
) STRICT, WITHOUT ROWID;
`;
const COLUMNS = 'chain_id AS chainId, pair, side, state, reason, actor, since, until, cause';
type StateRow = Omit<StoredTradingState, 'scope'> & { chainId: number; pair: string; side: Side };

/** Where the last words on scopes are kept: in their table, or in memory while a migration reads the past. */
interface States {
  get(place: Place): StoredTradingState | undefined;
  set(state: StoredTradingState): void;
  all(): StoredTradingState[];
  clear(): void;
}

/** What a row of the journal does to the last words on scopes, and what follows from that for the stops. */
function trading(
  states: States,
  follow: ReturnType<typeof stopsTable>,
): ProjectionsOf<typeof TRADING_EVENTS & Pick<typeof BOOK_EVENTS, 'desk_configured'>> {
  const fold = (event: TradingEvent & { seq: number }) => {
    const before = states.get(placeOf(event.body.scope));
    const after = foldScope(before, event);
    if (after !== undefined && after !== before) states.set(after);
    follow(event.seq, { before, after }, true);
  };
  return {
    trading_state: fold,
    stop_explained: fold,
    desk_configured: (event: Recorded<'desk_configured', z.infer<typeof BOOK_EVENTS.desk_configured>>) => {
      const [before, after] = [states.all(), foldImport(states.all(), event)];
      const [was, is] = [byPlace(before), byPlace(after)];
      states.clear();
      for (const state of after) states.set(state);
      for (const place of new Set([...was.keys(), ...is.keys()])) {
        follow(event.seq, { before: was.get(place), after: is.get(place) }, false);
      }
    },
  };
}

function byPlace(states: readonly StoredTradingState[]): Map<string, StoredTradingState> {
  return new Map(states.map((state) => [placeOf(state.scope).join(' '), state]));
}

function statesTable(db: Database): States {
  const one = db.prepare<Place, StateRow>(
    `SELECT ${COLUMNS} FROM trading_states WHERE chain_id = ? AND pair = ? AND side = ?`,
  );
  const all = db.prepare<[], StateRow>(`SELECT ${COLUMNS} FROM trading_states`);
  const clear = db.prepare('DELETE FROM trading_states');
  const save = db.prepare(`
    INSERT OR REPLACE INTO trading_states (chain_id, pair, side, state, reason, actor, since, until, cause)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  return {
    get: (place) => {
      const row = one.get(...place);
      return row && stateOf(row);
    },
    set: ({ scope, state, reason, actor, since, until, cause }) => {
      save.run(...placeOf(scope), state, reason, actor, since, until, cause);
    },
    all: () => all.all().map(stateOf),
    clear: () => {
      clear.run();
    },
  };
}

function statesInMemory(): States {
  const states = new Map<string, StoredTradingState>();
  return {
    get: (place) => states.get(place.join(' ')),
    set: (state) => {
      states.set(placeOf(state.scope).join(' '), state);
    },
    all: () => [...states.values()],
    clear: () => states.clear(),
  };
}

function stateOf({ chainId, pair, side, ...state }: StateRow): StoredTradingState {
  return { scope: scopeOf(chainId, pair, side), ...state };
}

type PastRow = { seq: number; time: number; actor: string; kind: keyof ReturnType<typeof trading>; body: string };

/** Stops, with those that are in the journal already. */
export function pastStops(db: Database): void {
  db.exec(STOPS_TABLES);
  const project = trading(statesInMemory(), stopsTable(db));
  const rows = db.prepare<[number], PastRow>(`
    SELECT seq, time, actor, kind, body FROM journal
    WHERE seq > ? AND kind IN ('trading_state', 'stop_explained', 'desk_configured') ORDER BY seq LIMIT 100`);
  for (let chunk = rows.all(0); chunk.length > 0; chunk = rows.all(chunk.at(-1)?.seq ?? 0)) {
    // The kind chooses the body's schema, which the compiler cannot follow through a lookup.
    for (const { body, ...row } of chunk) project[row.kind]({ ...row, body: JSON.parse(body) } as never);
  }
}

/** The last word on every scope, and past stops. */
export const TRADING = {
  events: TRADING_EVENTS,
  tables: ['trading_states', 'stops', 'stop_words'],
  migrations: {
    1: (db) => void db.exec(TRADING_STATES),
    5: pastStops,
  },
  project: (db) => trading(statesTable(db), stopsTable(db)),
  tell: tellTrading,
  queries: (db: Database) => {
    const all = db.prepare<[], StateRow>(`SELECT ${COLUMNS} FROM trading_states`);
    const switches = db.prepare<[], { chainId: number; pair: string; side: Side }>(
      "SELECT chain_id AS chainId, pair, side FROM trading_states WHERE pair <> '' AND state = 'HALTED'",
    );
    return {
      ...readStops(db),
      /** A state that cannot be read stops its scope. */
      tradingStates: (): StoredTradingState[] =>
        all.all().map((row) =>
          checkedRow(
            storedTradingStateSchema,
            () => stateOf(row),
            () => unreadable(row),
          ),
        ),
      /** The sides that people have switched off, by chain. */
      switchedOff(): [chainId: number, off: ChainConfig['off']][] {
        const chains = new Map<number, ChainConfig['off']>();
        for (const { chainId, pair, side } of switches.all()) {
          const off = chains.get(chainId) ?? {};
          chains.set(chainId, off);
          const sides = side === '' ? (['bids', 'asks'] as const) : [side];
          off[pair] = [...new Set([...(off[pair] ?? []), ...sides])];
        }
        return [...chains];
      },
    };
  },
} satisfies Slice;

function unreadable({ chainId, pair, side }: StateRow): StoredTradingState {
  const isSide = side === 'bids' || side === 'asks' || side === '';
  const reason = 'What was last said here cannot be read in the journal: resume it with a reason.';
  const stopped = { state: 'HALTED', reason, actor: 'desk', since: 0, until: null, cause: null } as const;
  return { scope: scopeOf(chainId, pair, isSide ? side : ''), ...stopped };
}
