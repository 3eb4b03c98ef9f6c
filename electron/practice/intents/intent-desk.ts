import type { Address } from '../../protocol/address.ts';
import type { intentNames } from '../../protocol/intent-wire.ts';
import type { MarketDesk } from '../router/market-desk.ts';
import type { RouterChain } from '../router/router-chain.ts';
import { WireRefused } from '../wire-refused.ts';
import type { IntentStore } from './intent-store.ts';
import type { IntentAddresses, IntentChain } from './settle/intent-chain.ts';

/** One chain as the intent side of the service sees it. */
export interface DeskChain {
  market: RouterChain;
  /** Null where the intent product is not available (PROTOCOL 15.9). */
  addresses: IntentAddresses | null;
  /** Tokens that are spent by a permit only (PROTOCOL 15.8). */
  permitOnly: ReadonlySet<Address>;
}

/** What every intent operation has at hand. */
export interface IntentDesk {
  chains: readonly DeskChain[];
  /** The market side, which prices what solvers do, and whose routes a combined quote gives. */
  market: MarketDesk;
  store: IntentStore;
  /** What path, mode and block are called. */
  names: ReturnType<typeof intentNames>;
}

/** A chain that intents are settled on. */
export interface ServedChain extends DeskChain, Pick<IntentChain, 'chain'> {
  addresses: IntentAddresses;
}

/** @throws WireRefused `Unsupported chain`, or naming the chain that has no intent contract */
export function intentChain({ chains }: Pick<IntentDesk, 'chains'>, chainId: number): ServedChain {
  const found = chains.find(({ market }) => market.chain.chainId === chainId);
  if (found === undefined) throw new WireRefused('UnsupportedChain', 'Unsupported chain');
  if (found.addresses === null) {
    throw new WireRefused('UnsupportedChain', `Intents are not available on chain ${chainId}`);
  }
  return { ...found, chain: found.market.chain, addresses: found.addresses };
}

/** No liquidity, wrong decimals, or no lane between the chains (PROTOCOL 17). */
export function noIntentRoute(): WireRefused {
  return new WireRefused('NoRoute', 'No route');
}
