import type { ChainConfig } from '../contract/desk-file.ts';

/**
 * Who the desk is to the service (PROTOCOL 15.1): the name it has registered under, left out where it has none, and then
 * anonymous, at 1 bps of every hedge. It asks for no fee of its own: a hedge would pay it to itself.
 */
export function partnerIn({ partner }: Pick<ChainConfig, 'partner'>): { partner?: string } {
  return partner == null ? {} : { partner };
}
