import { z } from 'zod';
import { chainIdSchema } from '../names.ts';
import { nftOrderPlanSchema, nftOrderTermsSchema, signedNftOrderSchema } from '../nft-order.ts';
import { may } from './base.ts';

/** Orders with NFTs that a person has the maker sign for one taker. Only of a running desk. */
export const nftOrdersContract = {
  /** What would be signed, with everything checked that signing checks; signs nothing. */
  check: may('trade').input(nftOrderTermsSchema).output(nftOrderPlanSchema),
  /** Signs it, if all is as it was when the person confirmed these `words`. Its row is durable before this answers. */
  sign: may('trade')
    .input(nftOrderTermsSchema.extend({ words: z.string().min(1).max(4_000) }))
    .output(signedNftOrderSchema),
  /** One that was signed before and is open, for handing it to its taker once more. */
  signed: may('trade')
    .input(z.object({ chainId: chainIdSchema, orderHash: z.string().max(66) }))
    .output(signedNftOrderSchema),
};
