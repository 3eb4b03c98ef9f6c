import type { Database } from 'better-sqlite3';
import type { HedgedFill } from '../../contract/hedge.ts';
import { coverOf } from '../fills/cover.ts';
import type { FILL_EVENTS, FillBody } from '../fills/events.ts';
import { fillBase, positionTable } from '../fills/positions.ts';
import type { QUOTE_EVENTS } from '../quotes/events.ts';
import { type ProjectionsOf, refuseRow } from '../slice.ts';
import type { HEDGE_EVENTS, HedgeOpened } from './events.ts';
import {
  type AutoHedgeEvent,
  carriedHedge,
  foldAutoHedge,
  type HedgeRecord,
  isEnded,
  movesOfHedge,
  openedHedge,
  steppedHedge,
} from './fold.ts';
import { AUTO_HEDGE_COLUMNS, type AutoHedgeCells, readableAutoHedge } from './read.ts';
import { receiptsTable } from './receipts.ts';
import { flowOfHedge, shareHedge } from './share-hedge.ts';

/** A fill by its row, and the transaction that it is of. */
type OnChain = { seq: number; transaction: string };
type FillRow = { side: string | null; reverted: number; cover: HedgedFill['cover']; body: string };

/**
 * Hedges and what they cover. It is the second net: a fill of which a hedge runs, and a step that cannot follow, are refused
 * and not written.
 */
export function projectHedges(
  db: Database,
): ProjectionsOf<typeof HEDGE_EVENTS & Pick<typeof FILL_EVENTS, 'fill'> & Pick<typeof QUOTE_EVENTS, 'chain_reset'>> {
  const record = db.prepare<[number], string>('SELECT record FROM hedges WHERE seq = ?').pluck();
  const insert = db.prepare(
    'INSERT INTO hedges (seq, time, chain_id, pair, automatic, ended, record) VALUES (?, ?, ?, ?, ?, 0, ?)',
  );
  const save = db.prepare('UPDATE hedges SET ended = ?, record = ? WHERE seq = ?');
  const insertStep = db.prepare('INSERT INTO hedge_steps (seq, hedge_seq) VALUES (?, ?)');
  const cover = coverTables(db);
  const receipts = receiptsTable(db);
  const move = positionTable(db);
  const changeAuto = autoHedgesTable(db);

  return {
    /**
     * A fill that a reorganisation took back and that is on chain again brings its hedges along: it is not hedged twice. Its amounts
     * may be others now, so what those hedges moved is shared out anew.
     */
    fill: ({ seq, body }) => {
      for (const { hedgeSeq, before } of cover.carryOver(seq, body)) {
        const text = record.get(hedgeSeq);
        if (text === undefined) continue;
        const after = carriedHedge(JSON.parse(text), before, seq);
        save.run(isEnded(after) ? 1 : 0, JSON.stringify(after), hedgeSeq);
        if (cover.canShare(after)) cover.share(after);
      }
    },
    chain_reset: ({ body }) => receipts.forget(body.chainId),
    hedge_opened: ({ seq, time, actor, body }) => {
      const opened = openedHedge(seq, time, actor, body);
      insert.run(seq, time, body.chainId, body.pair, body.automatic ? 1 : 0, JSON.stringify(opened));
      cover.begin(seq, body);
    },
    hedge_step: ({ seq, time, body: { chainId, hedgeSeq, step } }) => {
      const text = record.get(hedgeSeq);
      if (text === undefined) refuseRow(`Row ${hedgeSeq} opened no hedge.`);
      const before = JSON.parse(text) as HedgeRecord;
      if (before.opened.chainId !== chainId) refuseRow(`Hedge ${hedgeSeq} is not of chain ${chainId}.`);
      const after = steppedHedge(before, time, step);
      insertStep.run(seq, hedgeSeq);
      save.run(isEnded(after) ? 1 : 0, JSON.stringify(after), hedgeSeq);
      receipts.step(hedgeSeq, chainId, step);
      move(movesOfHedge(before, after));
      const isMoved = after.spent !== before.spent || after.received !== before.received;
      if (isMoved || isEnded(after) !== isEnded(before)) cover.share(after);
    },
    auto_hedge_set: changeAuto,
    auto_hedge_said: changeAuto,
  };
}

function autoHedgesTable(db: Database): (event: AutoHedgeEvent) => void {
  const select = db.prepare<[number, string], AutoHedgeCells>(
    `SELECT ${AUTO_HEDGE_COLUMNS} WHERE chain_id = ? AND pair = ?`,
  );
  const save = db.prepare(`
    INSERT OR REPLACE INTO auto_hedges (chain_id, pair, settings, since, since_seq, said) VALUES (?, ?, ?, ?, ?, ?)`);
  return (event) => {
    const { chainId, pair } = event.body;
    const row = select.get(chainId, pair);
    const after = foldAutoHedge(row && readableAutoHedge(row)?.written, event);
    if (after === undefined) return;
    const said = after.said === null ? null : JSON.stringify(after.said);
    save.run(chainId, pair, JSON.stringify(after.settings), after.since, after.sinceSeq, said);
  };
}

/** What hedges do to the fills they are for. */
function coverTables(db: Database) {
  const fill = db.prepare<[number], FillRow>(
    'SELECT f.side, f.reverted, f.cover, j.body FROM fills f JOIN journal j ON j.seq = f.seq WHERE f.seq = ? AND f.pair IS NOT NULL',
  );
  const readableFill = db
    .prepare<[number], number>(
      'SELECT json_valid(j.body) FROM fills f JOIN journal j ON j.seq = f.seq WHERE f.seq = ? AND f.pair IS NOT NULL',
    )
    .pluck();
  const running = db
    .prepare<[number], number>(
      'SELECT count(*) FROM hedge_fills c JOIN hedges h ON h.seq = c.hedge_seq WHERE c.fill_seq = ? AND h.ended = 0',
    )
    .pluck();
  const shares = db.prepare<[number], { hedgeSeq: number; base: string }>(
    'SELECT hedge_seq AS hedgeSeq, base FROM hedge_fills WHERE fill_seq = ?',
  );
  const insert = db.prepare("INSERT INTO hedge_fills (hedge_seq, fill_seq, base, quote) VALUES (?, ?, '0', '0')");
  const save = db.prepare('UPDATE hedge_fills SET base = ?, quote = ? WHERE hedge_seq = ? AND fill_seq = ?');
  // The same transaction first; another one that fills the order in its place closes what its hedges opened just as well.
  const takenBack = db
    .prepare<[OnChain & { ofOthers: 0 | 1 }], number>(`
      SELECT f.seq FROM fills f INDEXED BY fills_taken_back
      WHERE f.quote_seq = (SELECT quote_seq FROM fills WHERE seq = :seq) AND f.reverted = 1 AND f.cover <> 'taken_back'
        AND EXISTS (SELECT 1 FROM hedge_fills c WHERE c.fill_seq = f.seq)
        AND (:ofOthers = 1 OR f.transaction_hash = :transaction)
      ORDER BY f.transaction_hash = :transaction DESC, f.seq LIMIT 1`)
    .pluck();
  const wasHedged = db
    .prepare<[OnChain], number>(`
      SELECT 1 FROM fills f INDEXED BY fills_taken_back
      WHERE f.quote_seq = (SELECT quote_seq FROM fills WHERE seq = :seq) AND f.reverted = 1 AND f.cover <> 'taken_back'
        AND f.cover <> 'unhedged' AND f.transaction_hash = :transaction`)
    .pluck();
  const withOthers = db.prepare<[OnChain], { hedgeSeq: number; before: number; transaction: string }>(`
    SELECT c.hedge_seq AS hedgeSeq, f.seq AS before, f.transaction_hash AS "transaction"
    FROM fills f JOIN hedge_fills c ON c.fill_seq = f.seq JOIN journal j ON j.seq = f.seq
    WHERE f.quote_seq = (SELECT quote_seq FROM fills WHERE seq = :seq) AND f.reverted = 0 AND f.transaction_hash <> :transaction
      AND json_valid(j.body) ORDER BY c.hedge_seq, f.seq`);
  const openedFor = db
    .prepare<[number], string>(`
      SELECT f.transaction_hash FROM journal j
      JOIN json_each(CASE WHEN json_valid(j.body) THEN j.body ELSE '{}' END, '$.fillSeqs') o
      JOIN fills f ON f.seq = o.value WHERE j.seq = ?`)
    .pluck();
  const liesWith = db
    .prepare<[number], string>(
      'SELECT f.transaction_hash FROM hedge_fills c JOIN fills f ON f.seq = c.fill_seq WHERE c.hedge_seq = ?',
    )
    .pluck();
  const carry = db.prepare('UPDATE hedge_fills SET fill_seq = ? WHERE fill_seq = ?');
  const carryOne = db.prepare('UPDATE hedge_fills SET fill_seq = ? WHERE fill_seq = ? AND hedge_seq = ?');
  const setCover = db.prepare<[HedgedFill['cover'], number]>('UPDATE fills SET cover = ? WHERE seq = ?');

  const read = (seq: number) => {
    const row = fill.get(seq);
    if (row === undefined) refuseRow(`Row ${seq} is no fill of a pair.`);
    return { reverted: row.reverted !== 0, cover: row.cover, ...fillBase(row.side, JSON.parse(row.body) as FillBody) };
  };
  const restate = (seq: number, { cover, base }: Pick<ReturnType<typeof read>, 'cover' | 'base'>) => {
    const hedged = shares.all(seq).reduce((sum, share) => sum + BigInt(share.base), 0n);
    setCover.run(coverOf(cover, { base, hedged, runs: (running.get(seq) ?? 0) > 0 }), seq);
  };
  /**
   * Hedges that were opened for a fill of this transaction, and that another transaction of the same order took over while it was
   * not on chain: of parts of one order that a reorganisation puts into another order each gets its own back.
   */
  const takenOver = (own: OnChain) => {
    if (wasHedged.get(own) === undefined) return [];
    const found = withOthers.all(own).filter(({ hedgeSeq, transaction }) => {
      const of = openedFor.all(hedgeSeq);
      const isLost = of.includes(own.transaction) && !liesWith.all(hedgeSeq).includes(own.transaction);
      return isLost && !of.includes(transaction);
    });
    // A hedge is of a fill once.
    return found.filter(({ hedgeSeq }, index) => found[index - 1]?.hedgeSeq !== hedgeSeq);
  };
  return {
    /** Gives the hedges that were of `before` and are of this fill now. */
    carryOver: (seq: number, body: FillBody): { hedgeSeq: number; before: number }[] => {
      const own: OnChain = { seq, transaction: body.transactionHash };
      const lost = takenOver(own);
      const before = takenBack.get({ ...own, ofOthers: lost.length === 0 ? 1 : 0 });
      if ((before === undefined && lost.length === 0) || fill.get(seq) === undefined) return [];
      for (const one of lost) carryOne.run(seq, one.before, one.hedgeSeq);
      if (before !== undefined) carry.run(seq, before);
      for (const one of [...lost.map((from) => from.before), seq]) restate(one, read(one));
      const from = new Map(lost.map((one) => [one.hedgeSeq, one.before]));
      return shares.all(seq).map(({ hedgeSeq }) => ({ hedgeSeq, before: from.get(hedgeSeq) ?? before ?? seq }));
    },
    begin: (hedgeSeq: number, { fillSeqs }: HedgeOpened) => {
      for (const seq of fillSeqs) {
        const now = read(seq);
        if (now.reverted) refuseRow(`The fill in row ${seq} was taken back.`);
        if ((running.get(seq) ?? 0) > 0) refuseRow(`A hedge of the fill in row ${seq} runs already.`);
        insert.run(hedgeSeq, seq);
        restate(seq, now);
      }
    },
    /** Whether every fill of a hedge can be read: what the chain says is written also where one cannot. */
    canShare: ({ opened }: HedgeRecord) => opened.fillSeqs.every((seq) => readableFill.get(seq) === 1),
    share: (hedge: HedgeRecord) => {
      const fills = hedge.opened.fillSeqs.map((seq) => {
        const fill = read(seq);
        const others = shares.all(seq).filter(({ hedgeSeq }) => hedgeSeq !== hedge.seq);
        const open = others.reduce((sum, other) => sum + BigInt(other.base), fill.base);
        return { ...fill, seq, open, flow: flowOfHedge(hedge, fill) };
      });
      // A token of the pair may have got another address between two fills: what moved of one is of no fill of the other.
      for (const asset of new Set(fills.map((fill) => fill.asset))) {
        const same = fills.filter((fill) => fill.asset === asset);
        const flow = same.map((fill) => fill.flow).reduce((found, other) => (found.quote === null ? other : found));
        shareHedge(same, flow).forEach(({ seq, base, quote }, index) => {
          const isOfOther = same[index]?.flow.quote === null;
          save.run(`${base}`, quote === null || isOfOther ? null : `${quote}`, hedge.seq, seq);
        });
      }
      for (const one of fills) restate(one.seq, one);
    },
  };
}
