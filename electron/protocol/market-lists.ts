import { z } from 'zod';

/** A chain as `GET /chains` lists it: its id alone, or an object that has it. */
export const listedChainSchema = z
  .union([z.int().positive(), z.object({ chainId: z.int().positive() })])
  .transform((chain) => (typeof chain === 'number' ? chain : chain.chainId));
