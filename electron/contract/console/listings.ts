import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import { pairSchema, tokenSchema } from '../../protocol/wire.ts';
import { listingChangeSchema } from '../book.ts';
import { chainConfigSchema } from '../desk-file.ts';
import { chainIdSchema, timeSchema, tokenIdSchema } from '../names.ts';
import { base, pairKey } from './base.ts';

/** Tokens and pairs. */
export const listingsContract = {
  /** The bodies that strict counterparties would discard whole once this is saved, and what in each would newly be to blame. */
  preview: base
    .input(z.object({ chainId: chainIdSchema, change: listingChangeSchema }))
    .output(z.object({ discards: z.array(z.object({ body: z.string(), blame: z.array(z.string()) })) })),
  /** What a chain lists, without its prices; also pairs that a fault keeps from being served. */
  list: base
    .input(z.object({ chainId: chainIdSchema }))
    .output(chainConfigSchema.pick({ tokens: true, pairs: true, retireHours: true })),
  saveToken: base
    .input(z.object({ chainId: chainIdSchema, tokenId: tokenIdSchema, token: tokenSchema }))
    /** `waits`: why the chain could not be asked about the token; nothing is signed for it until it was. */
    .output(z.object({ seq: z.int(), waits: z.string().optional() })),
  /** What the contract at an address says of itself; null where it does not say it. */
  readToken: base.input(z.object({ chainId: chainIdSchema, address: addressSchema })).output(
    z.object({
      symbol: z.string().nullable(),
      name: z.string().nullable(),
      decimals: z.int().min(0).max(77).nullable(),
    }),
  ),
  removeToken: base
    .input(z.object({ chainId: chainIdSchema, tokenId: tokenIdSchema }))
    .output(z.object({ seq: z.int() })),
  savePair: base.input(pairKey.extend({ definition: pairSchema })).output(z.object({ seq: z.int() })),
  retirePair: base.input(pairKey).output(z.object({ seq: z.int(), until: timeSchema })),
};
