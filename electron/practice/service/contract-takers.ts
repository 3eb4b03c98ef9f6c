import { z } from 'zod';
import type { PracticeChain } from '../practice-chain.ts';
import type { PracticeLog } from '../practice-log.ts';
import { WireRefused } from '../wire-refused.ts';
import { answerOperations, type Operation } from './operations.ts';
import type { RouteHandler } from './route.ts';

const networkSchema = z.string().regex(/^\d+$/).transform(Number);

/**
 * `GET /adapters/contract-takers?network={chainId}`: which execution contracts may appear as `takerAddress` (PROTOCOL 4.3),
 * as a bare array.
 */
export function contractTakersRoute(chains: readonly PracticeChain[], log: PracticeLog): RouteHandler {
  const operation: Operation = {
    method: 'GET',
    path: /^\/adapters\/contract-takers$/,
    answer({ query }) {
      const network = networkSchema.safeParse(query.get('network'));
      if (!network.success) throw new WireRefused('InvalidInput', 'network must be the ID of a chain.');
      const chain = chains.find(({ chainId }) => chainId === network.data);
      if (chain !== undefined) return chain.takers;
      throw new WireRefused('UnsupportedChain', `Chain ${network.data} is not served here.`, { status: 400 });
    },
  };
  return answerOperations([operation], { name: 'takers', log });
}
