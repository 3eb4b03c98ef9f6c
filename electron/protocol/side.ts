import { z } from 'zod';

/** The side of the grid a quote is taken from: `bids` when the maker buys base, `asks` when it sells base (PROTOCOL 2.6). */
export const sideSchema = z.enum(['bids', 'asks']);
export type Side = z.infer<typeof sideSchema>;

/** The amount that a firm request names; the maker computes the other one (PROTOCOL 4.3). */
export const givenAmountSchema = z.enum(['makerAmount', 'takerAmount']);
export type GivenAmount = z.infer<typeof givenAmountSchema>;
