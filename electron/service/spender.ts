import type { Address } from '../protocol/address.ts';
import { ZERO_ADDRESS } from '../protocol/address.ts';
import type { IntentPrice } from '../protocol/intent-wire.ts';
import type { TransactionEnvelope } from '../protocol/market-transaction.ts';
import type { PriceRoute } from '../protocol/market-wire.ts';
import { isSame } from './market-checks.ts';
import { nonsense } from './service-connection.ts';

/** A contract that may be allowed to take tokens: of one mode, on one chain, never for another (PROTOCOL 15.1 and 15.5). */
export interface Spender {
  mode: 'intent' | 'market' | 'rfq';
  chainId: number;
  address: Address;
}

/** What an answer says: one of these blocks, by whose presence the spender is known (PROTOCOL 15.2). */
export type QuotedBlock =
  | { intent: Pick<IntentPrice, 'route' | 'spender'> }
  | { market: PriceRoute }
  | { transaction: TransactionEnvelope };

/**
 * Who is to be approved for this block: the intent contract for an intent, the router for a market route or its transaction;
 * null where the answer names none. Throws ServiceFault `service_nonsense` when an intent names two.
 */
export function spenderOf(block: QuotedBlock): Spender | null {
  if ('transaction' in block) return named('market', block.transaction.chainId, block.transaction.to);
  if ('market' in block) return named('market', block.market.network, block.market.contractAddress);
  const { route, spender } = block.intent;
  const inside = route.spender;
  if (spender !== undefined && inside !== undefined && !isSame(spender, inside)) {
    throw nonsense(`two contracts to approve, ${spender} and ${inside}`);
  }
  return named('intent', route.origin.input.token.chainId, spender ?? inside);
}

function named(mode: Spender['mode'], chainId: number, address: Address | undefined): Spender | null {
  if (address === undefined || address === ZERO_ADDRESS) return null;
  return { mode, chainId, address: address.toLowerCase() as Address };
}
