import type { Address, Hex } from '../../protocol/address.ts';
import type { SignedOrder, Token } from '../../protocol/wire.ts';

/** One swap that a user wants from the maker, as the cached grid prices it. Amounts in raw units. */
export interface FirmAsk {
  pairId: string;
  makerToken: Token;
  takerToken: Token;
  /** Which amount the user names: what they give (`in`, a sell) or what they get (`out`, a buy). */
  exact: 'in' | 'out';
  /** That amount, as they want it; the service asks the maker for a little more. */
  amount: bigint;
  /** The other amount by the cached grid, for `amount`. */
  expected: bigint;
  /** How much worse than `expected` the firm quote may be. */
  slippageBps: number;
  userAddress: Address;
  /** The execution contract that will fill. */
  takerAddress: Address;
}

/** How a request for a firm quote ended. */
export type FirmOutcome =
  /** Checked in every respect; to be filled in part, since more was asked for than is wanted. */
  | { kind: 'order'; order: SignedOrder; hash: Hex }
  /** An error answer; `code` is the maker's own word for it, if it has one. */
  | { kind: 'refused'; status: number; code: string | null; sentence: string }
  /** The maker does not quote this user, said now or earlier. */
  | { kind: 'blacklisted' }
  | { kind: 'no_answer' }
  /** An answer that cannot be used: malformed, wrong, unsigned, unbacked, or priced worse than the slippage. */
  | { kind: 'unusable'; why: string }
  /** Nothing was sent: the service is down, or it leaves the pair alone. */
  | { kind: 'not_asked'; why: string };
