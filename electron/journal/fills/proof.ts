import type { Database } from 'better-sqlite3';
import type { z } from 'zod';
import type { QUOTE_EVENTS } from '../quotes/events.ts';
import type { Recorded } from '../slice.ts';
import { AGAIN, type Cell, type Found, type TableProof } from '../table-proof.ts';
import { abandonedCover } from './cover.ts';
import type { FILL_EVENTS } from './events.ts';
import { foldPosition, type Move, moveByFill, type StoredPosition } from './positions.ts';

type Events = typeof FILL_EVENTS & Pick<typeof QUOTE_EVENTS, 'chain_reset'>;
type EventBody<Kind extends keyof Events> = z.infer<Events[Kind]>;
type OrderEvent<Kind extends 'fill' | 'cancel'> = Recorded<string, EventBody<Kind>>;

/** What the table of fills says of an event for good, but whose quote it is of. */
export function fillCells(event: Pick<OrderEvent<'fill'>, 'seq' | 'body'>): readonly Cell[] {
  return [...cancelCells(event), event.body.makerAmount, event.body.takerAmount];
}

/** What the table of cancels says of an event for good, but whose quote it is of. */
export function cancelCells({ seq, body }: Pick<OrderEvent<'cancel'>, 'seq' | 'body'>): readonly Cell[] {
  const { blockTime, chainId, orderHash, block, blockHash, transactionHash, logIndex } = body;
  return [seq, blockTime, chainId, orderHash.slice(2).toLowerCase(), block, blockHash, transactionHash, logIndex];
}

const PLACE = 'seq, time, chain_id, lower(hex(order_hash)), block, block_hash, transaction_hash, log_index';

type Facts = {
  takenBack: [seq: number, eventSeq: number][];
  resets: [seq: number, chainId: number][];
  /** What fills moved of tokens by chain, since the last reset of the chain in this part. */
  moved: Moved;
};
type Moved = Map<number, Map<Move['token'], StoredPosition>>;

/** Fills, cancels, and what fills moved. Those that more hangs on (a hedge, an alarm) are projected again as well. */
export const FILLS_PROOF: TableProof = {
  kinds: ['fill', 'cancel', 'reverted'],
  tables: ['fills', 'cancels', 'positions'],
  ownRows: [
    { table: 'fills', columns: `${PLACE}, maker_amount, taker_amount`, ofKind: { fill: fillCells } },
    { table: 'cancels', columns: PLACE, ofKind: { cancel: cancelCells } },
  ],
  gather: (db) => {
    const [takenBack, resets, moved]: [Facts['takenBack'], Facts['resets'], Moved] = [[], [], new Map()];
    const bodyOf = db.prepare<[number], string>(`SELECT body FROM journal WHERE seq = ? AND kind = 'fill'`).pluck();
    const move = moveIn(moved);
    return {
      take: {
        fill: ({ body }: OrderEvent<'fill'>) => moveByFill(move, 1n, body),
        reverted: ({ seq, body: { eventSeq } }: Recorded<string, EventBody<'reverted'>>) => {
          takenBack.push([seq, eventSeq]);
          const text = bodyOf.get(eventSeq);
          if (text !== undefined) moveByFill(move, -1n, JSON.parse(text) as EventBody<'fill'>);
        },
        chain_reset: ({ seq, body: { chainId } }: Recorded<string, EventBody<'chain_reset'>>) => {
          resets.push([seq, chainId]);
          moved.delete(chainId);
        },
      },
      facts: (): Facts => ({ takenBack, resets, moved }),
    };
  },
  again: (db, found) => {
    const { marks } = found;
    const exceptions = db
      .prepare<[], number>(`
        SELECT f.seq FROM fills f LEFT JOIN quotes q ON q.seq = f.quote_seq
        WHERE f.quote_seq IS NULL OR q.ended IS 'withheld'`)
      .pluck();
    for (const seq of exceptions.iterate()) marks.set(seq, AGAIN);
    // A hedge passes from a fill that was taken back to another fill of the same quote.
    const quoteOf = db.prepare<[number], number | null>('SELECT quote_seq FROM fills WHERE seq = ?').pluck();
    const fillsOf = db.prepare<[number], number>('SELECT seq FROM fills WHERE quote_seq = ?').pluck();
    for (let seq = 1; seq < marks.bytes.length; seq += 1) {
      if (!marks.has(seq, AGAIN)) continue;
      const quoteSeq = quoteOf.get(seq) ?? null;
      if (quoteSeq === null || marks.has(quoteSeq, AGAIN)) continue;
      marks.set(quoteSeq, AGAIN);
      for (const fill of fillsOf.all(quoteSeq)) marks.set(fill, AGAIN);
    }
    for (const { takenBack } of factsIn(found)) {
      for (const [seq, eventSeq] of takenBack) if (marks.has(eventSeq, AGAIN)) marks.set(seq, AGAIN);
    }
  },
  settle: (db) => {
    const fault = strangeLink(db);
    return (found, anew) =>
      fault ?? revertedFault(db, found) ?? coverFault(db, found, anew) ?? positionFault(db, found, anew);
  },
};

function factsIn({ parts }: Found): Facts[] {
  return parts as Facts[];
}

function moveIn(moved: Moved): (moves: readonly Move[]) => void {
  return (moves) => {
    for (const move of moves) {
      const { chainId, token } = move;
      const tokens: ReturnType<Moved['get']> = moved.get(chainId) ?? new Map();
      moved.set(chainId, tokens);
      tokens.set(token, foldPosition(tokens.get(token), move));
    }
  };
}

/** Each is of the quote with its order's hash that was signed before it, or of none where there is no such quote. */
function strangeLink(db: Database): string | null {
  for (const [table, columns] of [
    ['fills', 'OR e.pair IS NOT q.pair OR e.side IS NOT q.side'],
    ['cancels', ''],
  ] as const) {
    const seq = db
      .prepare<[], number>(`
        SELECT e.seq FROM ${table} e NOT INDEXED LEFT JOIN quotes q ON q.seq = e.quote_seq
        WHERE e.reverted NOT IN (0, 1) OR q.seq IS NOT e.quote_seq ${columns} OR CASE WHEN q.seq IS NULL
          THEN EXISTS (SELECT 1 FROM quotes o WHERE o.order_hash = e.order_hash AND o.chain_id = e.chain_id AND o.seq < e.seq)
          ELSE q.order_hash IS NOT e.order_hash OR q.chain_id <> e.chain_id OR q.seq > e.seq END
        LIMIT 1`)
      .pluck()
      .get();
    if (seq !== undefined) return `The table ${table} has row ${seq} with another quote than the journal.`;
  }
  return null;
}

function revertedFault(db: Database, found: Found): string | null {
  const said = new Set(factsIn(found).flatMap(({ takenBack }) => takenBack.map(([, eventSeq]) => eventSeq)));
  for (const table of ['fills', 'cancels']) {
    const reverted = db.prepare<[], number>(`SELECT seq FROM ${table} WHERE reverted <> 0`).pluck();
    for (const seq of reverted.iterate()) {
      if (!said.delete(seq)) return `The table ${table} has row ${seq} as taken back, which the journal does not say.`;
    }
  }
  const [left] = said;
  return left === undefined ? null : `The fill or cancel of row ${left} was taken back, which its table does not say.`;
}

/** Whether fills are hedged: those with a hedge were projected again, all others are not, and never will be once their chain is gone. */
function coverFault(db: Database, found: Found, anew: Database): string | null {
  const resets = new Map(
    factsIn(found).flatMap((part) => part.resets.map(([seq, chainId]) => [chainId, seq] as const)),
  );
  const coverAnew = anew.prepare<[number], string>('SELECT cover FROM fills WHERE seq = ?').pluck();
  const covers = db
    .prepare<[number], [number, number, string]>(`
      SELECT seq, chain_id, cover FROM fills WHERE cover IS NOT 'unhedged' OR seq < ?`)
    .raw();
  const differs = (seq: number, is: string, ought: string) =>
    is === ought ? null : `The table fills has row ${seq} as ${is}, but by the journal it is ${ought}.`;
  for (const [seq, chainId, cover] of covers.iterate(Math.max(0, ...resets.values()))) {
    const alone = seq < (resets.get(chainId) ?? 0) ? abandonedCover('unhedged') : 'unhedged';
    const fault = differs(seq, cover, coverAnew.get(seq) ?? alone);
    if (fault !== null) return fault;
  }
  const coverOf = db.prepare<[number], string>('SELECT cover FROM fills WHERE seq = ?').pluck();
  for (const [seq, cover] of anew.prepare<[], [number, string]>('SELECT seq, cover FROM fills').raw().iterate()) {
    const fault = differs(seq, coverOf.get(seq) ?? 'not there', cover);
    if (fault !== null) return fault;
  }
  return null;
}

type Position = { chainId: number; token: Move['token']; filled: string; hedged: string };

/** What was filled comes from every fill, what was hedged from the hedges, all of which were projected again. */
function positionFault(db: Database, found: Found, anew: Database): string | null {
  const moved: Moved = new Map();
  for (const part of factsIn(found)) {
    for (const [, chainId] of part.resets) moved.delete(chainId);
    const move = moveIn(moved);
    for (const [chainId, tokens] of part.moved) {
      for (const [token, { filled }] of tokens) move([{ chainId, token, filled }]);
    }
  }
  const positions = (of: Database) =>
    of.prepare<[], Position>('SELECT chain_id AS chainId, token, filled, hedged FROM positions');
  const key = ({ chainId, token }: Pick<Position, 'chainId' | 'token'>) => `${token} on chain ${chainId}`;
  const ought = new Map<string, string>();
  for (const [chainId, tokens] of moved) {
    for (const [token, { filled }] of tokens) ought.set(key({ chainId, token }), `${filled} filled, 0 hedged`);
  }
  for (const { chainId, token, hedged } of positions(anew).iterate()) {
    const filled = moved.get(chainId)?.get(token)?.filled ?? 0n;
    ought.set(key({ chainId, token }), `${filled} filled, ${hedged} hedged`);
  }
  for (const position of positions(db).iterate()) {
    const [is, expected] = [`${position.filled} filled, ${position.hedged} hedged`, ought.get(key(position))];
    ought.delete(key(position));
    if (is !== expected)
      return `The table positions has ${key(position)} with ${is}; by the journal ${expected ?? 'there is none'}.`;
  }
  const [missing] = ought.keys();
  return missing === undefined ? null : `The table positions lacks ${missing}.`;
}
