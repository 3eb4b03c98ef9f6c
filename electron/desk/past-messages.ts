import type { Moment, PastDiffPart, PastLane, PastPart } from '../contract/past.ts';
import type { Protection, Tried } from '../contract/protections.ts';
import type { WhatIfAsked, WhatIfPart, WhatIfQuotesAsked, WhatIfQuotesPart } from '../contract/what-if.ts';
import type { ErrorText } from '../journal/write-item.ts';

/** What the thread that reads the past is asked. */
export type PastQuestion =
  | { ask: 'at'; moment: Moment }
  | { ask: 'diff'; from: Moment; to: Moment }
  | { ask: 'lane'; since: number; until: number; steps: number }
  | { ask: 'trial'; rules: readonly Protection[]; since: number; until: number }
  | ({ ask: 'whatIf' } & WhatIfAsked)
  | ({ ask: 'whatIfQuotes' } & WhatIfQuotesAsked);

/** What it gives of each, part by part. */
export type PastAnswers = {
  at: PastPart;
  diff: PastDiffPart;
  lane: PastLane;
  trial: Tried;
  whatIf: WhatIfPart;
  whatIfQuotes: WhatIfQuotesPart;
};

/** `over` holds 1 once nobody wants to know any more. */
export type ToPast =
  | { type: 'ask'; id: number; question: PastQuestion; over: Int32Array<SharedArrayBuffer> }
  | { type: 'close' };

export type FromPast =
  | { type: 'part'; id: number; part: PastAnswers[keyof PastAnswers] }
  | { type: 'end'; id: number; error: ErrorText | null };
