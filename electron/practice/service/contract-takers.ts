import { z } from 'zod';
import type { PracticeChain } from '../practice-chain.ts';
import { failure, type RouteHandler } from './route.ts';

const networkSchema = z.string().regex(/^\d+$/).transform(Number);

/**
 * `GET /adapters/contract-takers?network={chainId}`: which execution contracts may appear as `takerAddress` (PROTOCOL 4.3),
 * as a bare array.
 */
export function contractTakersRoute(chains: readonly PracticeChain[]): RouteHandler {
  return async ({ method, path, query }) => {
    if (path !== '/adapters/contract-takers') return null;
    if (method !== 'GET') return failure(405, 'InvalidInput', 'Only GET is answered here.');
    const network = networkSchema.safeParse(query.get('network'));
    if (!network.success) return failure(400, 'InvalidInput', 'network must be the ID of a chain.');
    const chain = chains.find(({ chainId }) => chainId === network.data);
    if (chain === undefined) return failure(400, 'UnsupportedChain', `Chain ${network.data} is not served here.`);
    return { status: 200, body: chain.takers };
  };
}
