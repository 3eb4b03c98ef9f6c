import type { Address } from '../../protocol/address.ts';
import { WireRefused } from '../wire-refused.ts';
import { type Partners, partnerNamed } from './partners.ts';
import type { RouterChain } from './router-chain.ts';

/** What every market operation has at hand. */
export interface MarketDesk {
  chains: readonly RouterChain[];
  partners: Partners;
  /** Earns the fee of anonymous users. */
  treasury: Address;
  /** Seals the routes. */
  key: string;
  /** Unix milliseconds. */
  now: () => number;
}

/** @throws WireRefused `Unsupported chain` (PROTOCOL 17) */
export function chainServed({ chains }: MarketDesk, chainId: number): RouterChain {
  const found = chains.find(({ chain }) => chain.chainId === chainId);
  if (found === undefined) throw new WireRefused('UnsupportedChain', 'Unsupported chain');
  return found;
}

export function partnerOf({ partners, treasury }: MarketDesk, name: string) {
  return partnerNamed(partners, name, treasury);
}
