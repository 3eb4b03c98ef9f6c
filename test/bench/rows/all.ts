import type { Row } from '../row.ts';
import { consoleRow } from './console.ts';
import { consoleFrames } from './console-frames.ts';
import { diskMove } from './disk-move.ts';
import { diskQuote } from './disk-quote.ts';
import { engine } from './engine.ts';
import { exposureClock } from './exposure-clock.ts';
import { feed } from './feed.ts';
import { firm } from './firm.ts';
import { fleet } from './fleet.ts';
import { halt } from './halt.ts';
import { kill } from './kill.ts';
import { logPages } from './log-pages.ts';
import { paced } from './paced.ts';
import { prices, pricesHmac } from './prices.ts';
import { processorTime } from './processor-time.ts';
import { start } from './start.ts';
import { surfaces } from './surfaces.ts';
import { verify } from './verify.ts';
import { whatIf } from './what-if.ts';

/** The rows of the design's table. Those that need the long history come last and share it. */
export const ROWS: Row[] = [
  prices,
  pricesHmac,
  firm,
  processorTime,
  feed,
  engine,
  whatIf,
  fleet,
  surfaces,
  halt,
  exposureClock,
  kill,
  diskMove,
  consoleRow,
  consoleFrames,
  verify,
  diskQuote,
  logPages,
  paced,
  start,
];
