import { type Address, ZERO_ADDRESS } from '../../protocol/address.ts';
import { MOST_FEE_BPS, packPartnerAndFee } from '../../protocol/intent-order.ts';
import { checkFeeWish, partnerOf } from '../router/market-desk.ts';
import { WireRefused } from '../wire-refused.ts';
import type { IntentDesk } from './intent-desk.ts';
import { INTENT_FLAGS } from './kinds/signed-intent.ts';

/**
 * The registered fee of a partner and what is asked for on top, together in bps (PROTOCOL 14.3: they stack).
 * @throws WireRefused `Partner not allowed` when they come to more than an order carries
 */
export function stackedFeeBps({ market }: IntentDesk, partner: string, partnerFeeBps = 0): number {
  const feeBps = partnerOf(market, partner).feeBps + partnerFeeBps;
  // Only a registered fee stacks (PROTOCOL 14.3): who has none may ask for all that an order carries.
  const isRegistered = Object.hasOwn(market.partners, partner);
  if (!isRegistered && partnerFeeBps <= MOST_FEE_BPS) return Math.min(feeBps, MOST_FEE_BPS);
  if (feeBps > MOST_FEE_BPS) throw new WireRefused('PartnerNotAllowed', 'Partner not allowed');
  return feeBps;
}

/** What a build says about whoever brought the order (PROTOCOL 14.4). */
export interface PartnerWish {
  partner?: string;
  partnerAddress?: Address;
  partnerFeeBps?: number;
  partnerTakesSurplus?: boolean;
  capSurplus?: boolean;
  partiallyFillable?: boolean;
}

/**
 * The order's `partnerAndFee`, decimal. Fee and surplus go to `partnerAddress`, else to whom the registered fee belongs.
 * @throws WireRefused `Partner not allowed`
 */
export function partnerAndFee(desk: IntentDesk, wish: PartnerWish): string {
  const { partner = 'anon', partnerAddress, partnerFeeBps = 0, partnerTakesSurplus = false, capSurplus = true } = wish;
  const registered = partnerOf(desk.market, partner);
  checkFeeWish(registered, { partnerAddress: partnerAddress ?? null, partnerFeeBps, takeSurplus: partnerTakesSurplus });
  const feeBps = stackedFeeBps(desk, partner, partnerFeeBps);
  const flags = [
    [partnerTakesSurplus, INTENT_FLAGS.takeSurplus],
    [capSurplus && partnerTakesSurplus, INTENT_FLAGS.capSurplus],
    [wish.partiallyFillable ?? false, INTENT_FLAGS.partiallyFillable],
  ] as const;
  const earner = feeBps > 0 || partnerTakesSurplus ? (partnerAddress ?? registered.owner) : ZERO_ADDRESS;
  return `${packPartnerAndFee({
    partner: earner,
    flags: flags.reduce((sum, [isSet, flag]) => (isSet ? sum | flag : sum), 0),
    feeBps,
  })}`;
}
