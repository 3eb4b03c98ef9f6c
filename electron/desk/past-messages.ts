import type { Moment, PastDiffPart, PastLane, PastPart } from '../contract/past.ts';
import type { ErrorText } from '../journal/write-item.ts';

/** What the thread that reads the past is asked. */
export type PastQuestion =
  | { ask: 'at'; moment: Moment }
  | { ask: 'diff'; from: Moment; to: Moment }
  | { ask: 'lane'; since: number; until: number; steps: number };

/** What it gives of each, part by part. */
export type PastAnswers = { at: PastPart; diff: PastDiffPart; lane: PastLane };

/** `over` holds 1 once nobody wants to know any more. */
export type ToPast =
  | { type: 'ask'; id: number; question: PastQuestion; over: Int32Array<SharedArrayBuffer> }
  | { type: 'close' };

export type FromPast =
  | { type: 'part'; id: number; part: PastAnswers[keyof PastAnswers] }
  | { type: 'end'; id: number; error: ErrorText | null };
