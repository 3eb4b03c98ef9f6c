import { z } from 'zod';
import { spelledAddressSchema } from './route-token.ts';

/** A token as `GET /tokens` lists it; the protocol leaves the list open (PROTOCOL 14.2). `network` is a chain id. */
export const listedTokenSchema = z.object({
  symbol: z.string().min(1).max(64),
  address: spelledAddressSchema,
  decimals: z.int().min(0).max(77),
  network: z.int().positive().optional(),
});
export type ListedToken = z.infer<typeof listedTokenSchema>;

/** A chain as `GET /chains` lists it: its id alone, or an object that has it. */
export const listedChainSchema = z
  .union([z.int().positive(), z.object({ chainId: z.int().positive() })])
  .transform((chain) => (typeof chain === 'number' ? chain : chain.chainId));
