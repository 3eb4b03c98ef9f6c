import { strictPairSchema, strictTokenSchema } from '../protocol/strict-wire.ts';
import type { Pair, Token } from '../protocol/wire.ts';
import type { Fault } from './faults.ts';

/** Why strict counterparties discard all of /tokens because of this one, or null. */
export function strictTokenFault(token: Token): Fault | null {
  if (strictTokenSchema.safeParse(token).success) return null;
  return {
    path: 'decimals',
    message: `is ${token.decimals}, and strict services then discard all of /tokens (“What strict services refuse” under Settings)`,
  };
}

/** Why strict counterparties discard all of /pairs because of this one, or null. */
export function strictPairFault(pair: Pair): Fault | null {
  if (strictPairSchema.safeParse(pair).success) return null;
  return {
    path: 'liquidityUSD',
    message: `is over ${Number.MAX_SAFE_INTEGER}, and strict services then discard all of /pairs (“What strict services refuse” under Settings)`,
  };
}
