import { z } from 'zod';

const MAX_UINT256 = 2n ** 256n - 1n;

/** A whole amount in raw units as a decimal string, below 2^256 (spec 2.1, TokenAmount). */
export const rawAmountSchema = z
  .string()
  .max(78, 'must be below 2^256')
  .regex(/^(0|[1-9][0-9]*)$/, 'must be a whole number of raw units in decimal digits')
  .refine((text) => BigInt(text) <= MAX_UINT256, 'must be below 2^256');
