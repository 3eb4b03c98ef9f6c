import type { ChainConfig } from '../contract/desk-file.ts';
import { isOnThisMachine } from '../protocol/loopback.ts';

/**
 * Whether a chain of a practice desk can be its market's. One whose node or service is elsewhere is real, wherever its desk
 * file was imported, and has the rules of a real one.
 */
export function isPracticeChain({ rpcUrl, serviceUrl }: Pick<ChainConfig, 'rpcUrl' | 'serviceUrl'>): boolean {
  return isOnThisMachine(rpcUrl) && isOnThisMachine(serviceUrl);
}
