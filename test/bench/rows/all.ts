import type { Row } from '../row.ts';
import { firm } from './firm.ts';
import { prices, pricesHmac } from './prices.ts';

/** The rows of the design's table, in its order as far as what they share allows. */
export const ROWS: Row[] = [prices, pricesHmac, firm];

/** Rows of the design's table that nothing measures yet. */
export const NOT_HERE_YET = [
  {
    name: 'console',
    what: 'console, 500 pairs × 20 levels, 10 updates/s',
    because: "it belongs to the console's issue",
  },
];
