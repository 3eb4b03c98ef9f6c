import { fromRaw, groupedText, withPlaces } from '../../components/figures/decimal-text.ts';

/** Wei in the chain's own coin, cut up: it is what we pay. */
export function feeText(wei: string): string {
  return groupedText(withPlaces(fromRaw(wei, 18), 6, 'up'));
}
