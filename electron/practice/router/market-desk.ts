import { type Address, ZERO_ADDRESS } from '../../protocol/address.ts';
import { WireRefused } from '../wire-refused.ts';
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

/** What the service has agreed with a partner; fees in bps. */
interface Partner {
  /** Charged on every swap under this name, for `owner`. */
  feeBps: number;
  owner: Address;
  /** How much more a build may ask for. */
  mostFeeBps: number;
  maySurplus: boolean;
}

/** Whoever names no partner, or one that is not registered, is anonymous: 1 bps on every swap (PROTOCOL 14.1, 18). */
const ANONYMOUS_TERMS: Partner = { feeBps: 1, owner: ZERO_ADDRESS, mostFeeBps: 200, maySurplus: false };

export type Partners = Readonly<Record<string, Partner>>;

/** `treasury` earns the fee of those who are anonymous. */
function partnerNamed(partners: Partners, name: string, treasury: Address): Partner {
  return Object.hasOwn(partners, name) && partners[name] ? partners[name] : { ...ANONYMOUS_TERMS, owner: treasury };
}

/** What a build asks for on top of the registered fee (PROTOCOL 14.2). */
export interface FeeWish {
  partnerAddress: Address | null;
  partnerFeeBps: number;
  takeSurplus: boolean;
}

/** @throws WireRefused `Partner not allowed` (PROTOCOL 17) */
export function checkFeeWish(partner: Partner, { partnerAddress, partnerFeeBps, takeSurplus }: FeeWish): void {
  const isFeeAllowed = partnerFeeBps <= partner.mostFeeBps && (partnerFeeBps === 0 || partnerAddress !== null);
  const isSurplusAllowed = !takeSurplus || (partner.maySurplus && partnerAddress !== null);
  if (!isFeeAllowed || !isSurplusAllowed) throw new WireRefused('PartnerNotAllowed', 'Partner not allowed');
}
