import type { Database } from 'better-sqlite3';
import type {
  WhatIfAsked,
  WhatIfEnd,
  WhatIfPair,
  WhatIfProgress,
  WhatIfQuote,
  WhatIfQuotesAsked,
} from '../contract/what-if.ts';
import { dollarText } from '../journal/results/result-sums.ts';
import { type DecidedThen, whatIf } from '../quoting/what-if.ts';
import { shownCurve, shownSums } from '../quoting/what-if-sums.ts';
import { type Amounts, amountsOf } from '../quoting/what-if-worths.ts';

/** What a stretch would have been, as a console is told it. */
export function* shownWhatIf(
  db: Database,
  { since, until, settings }: WhatIfAsked,
): Generator<WhatIfProgress, { pairs: WhatIfPair[]; end: WhatIfEnd }> {
  const { decisions, asTheyWere, pairs, total, curve, tried } = yield* whatIf(db, { since, until }, settings);
  return {
    pairs: pairs.map((sums) => ({ chainId: sums.chainId, pair: sums.pair, ...shownSums(sums) })),
    end: {
      part: 'end',
      since,
      until,
      requests: decisions,
      asTheyWere,
      total: shownSums(total),
      curve: shownCurve(curve),
      tried,
    },
  };
}

/** The requests behind a figure, after a row of the journal. The stretch is decided again as far as they reach. */
export function* quotesBehind(
  db: Database,
  { since, until, settings, group, pair, after, limit }: WhatIfQuotesAsked,
): Generator<WhatIfProgress, WhatIfQuote[]> {
  const found: WhatIfQuote[] = [];
  const isAsked = (decided: DecidedThen) =>
    decided.seq > after &&
    (group === 'dollars' ? decided.hasWorth : decided.group === group) &&
    (pair === null || (decided.was.chainId === pair.chainId && decided.pair === pair.pair));
  const run = whatIf(db, { since, until }, settings, (decided) => {
    if (found.length < limit && isAsked(decided)) found.push(quoteOf(decided));
  });
  for (const step of run) {
    if (found.length >= limit) break;
    yield step;
  }
  return found;
}

function quoteOf({ seq, time, was, pair, code, ask, kept, worths }: DecidedThen): WhatIfQuote {
  const { chainId, side, userAddress: user } = was;
  const decided = (why: WhatIfQuote['was']['code'], amounts: Amounts | undefined) => ({
    code: why,
    traded: amounts === undefined ? null : worths.traded(amounts),
    edge: amounts === undefined ? null : edgeOf(worths.whole(amounts)),
  });
  return {
    seq,
    time,
    chainId,
    pair,
    side,
    user,
    fills: worths.fills.length,
    was: decided(was.code, amountsOf(was)),
    would: decided(code, ask),
    kept,
  };
}

function edgeOf(worth: ReturnType<DecidedThen['worths']['whole']>): string | null {
  return worth === null ? null : dollarText(worth.gain);
}
