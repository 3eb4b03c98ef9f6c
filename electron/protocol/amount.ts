import { z } from 'zod';

const MAX_UINT256 = (2n ** 256n - 1n).toString();

/** What is summed up or read from outside, as an amount a token can hold: beyond 2^256 − 1 it is that. */
export function boundedAmount(raw: bigint): string {
  const text = `${raw}`;
  return text.length > MAX_UINT256.length || (text.length === MAX_UINT256.length && text > MAX_UINT256)
    ? MAX_UINT256
    : text;
}

/** A whole amount in raw units as a decimal string, below 2^256 (PROTOCOL 2.1, TokenAmount). */
export const rawAmountSchema = z
  .string()
  .max(MAX_UINT256.length, 'must be below 2^256')
  .regex(/^(0|[1-9][0-9]*)$/, 'must be a whole number of raw units in decimal digits')
  // Compared as text: checks also run on what an earlier one refused, and BigInt would throw on that.
  .refine((text) => text.length < MAX_UINT256.length || text <= MAX_UINT256, 'must be below 2^256');
