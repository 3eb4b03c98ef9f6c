import type { Database } from 'better-sqlite3';
import { type Difference, pastDecisions, type Span } from './decide-again.ts';

/** What a stretch of the journal gave when it was decided again. */
export interface Replay {
  decisions: number;
  /** Signed and refused, those that gave the same to the last byte. */
  signed: number;
  refused: number;
  /** Those of the same that were decided while a change before them was on its way to the disk. */
  beforeDurable: number;
  /** How many cannot be decided again, by why. What came before that in the decision was the same. */
  notReplayed: Record<string, number>;
  differ: number;
  /** `time` is Unix milliseconds. */
  first: ({ readonly seq: number; readonly time: number } & Difference) | null;
}

/**
 * Decides every firm request of a journal again that was recorded in a span, and says whether that gives the same. Reads only. Throws
 * DeskError `journal_broken` where what the desk was then cannot be read.
 */
export function replayJournal(db: Database, span: Span = {}): Replay {
  const replay: Replay = {
    decisions: 0,
    signed: 0,
    refused: 0,
    beforeDurable: 0,
    notReplayed: {},
    differ: 0,
    first: null,
  };
  for (const past of pastDecisions(db, span)) {
    if (past.kind === 'before' || past.kind === 'started') continue;
    replay.decisions += 1;
    if (past.kind === 'untold') replay.notReplayed[past.why] = (replay.notReplayed[past.why] ?? 0) + 1;
    else if (past.kind === 'differs') {
      replay.differ += 1;
      replay.first ??= { seq: past.seq, time: past.time, ...past.difference };
    } else {
      replay[past.body.code === null ? 'signed' : 'refused'] += 1;
      if (past.beforeDurable) replay.beforeDurable += 1;
    }
  }
  return replay;
}
