import { z } from 'zod';
import { addressSchema } from '../../protocol/address.ts';
import { rawAmountSchema } from '../../protocol/amount.ts';
import { pairSchema, tokenSchema } from '../../protocol/wire.ts';
import { listingChangeSchema, seenPairSchema, seenTokenSchema } from '../book.ts';
import { chainConfigSchema } from '../desk-file.ts';
import { chainIdSchema, timeSchema, tokenIdSchema } from '../names.ts';
import { may, pairKey } from './base.ts';

/** Tokens and pairs. */
export const listingsContract = {
  /** The bodies that strict counterparties would discard whole once this is saved, and what in each would newly be to blame. */
  preview: may('settings')
    .input(z.object({ chainId: chainIdSchema, change: listingChangeSchema }))
    .output(z.object({ discards: z.array(z.object({ body: z.string(), blame: z.array(z.string()) })) })),
  /** What a chain lists, without its prices; also pairs that a fault keeps from being served. */
  list: may('look')
    .input(z.object({ chainId: chainIdSchema }))
    .output(chainConfigSchema.pick({ tokens: true, pairs: true, retireHours: true })),
  /** With `seen`, only where the token is still as the person saw it, else `changed_meanwhile`; null: there was no such token. */
  saveToken: may('settings')
    .input(
      z.object({
        chainId: chainIdSchema,
        tokenId: tokenIdSchema,
        token: tokenSchema,
        seen: seenTokenSchema.nullable().optional(),
      }),
    )
    /** `waits`: why the chain could not be asked about the token; nothing is signed for it until it was. */
    .output(z.object({ seq: z.int(), waits: z.string().optional() })),
  /** What the contract at an address says of itself; null where it does not say it. */
  readToken: may('settings')
    .input(z.object({ chainId: chainIdSchema, address: addressSchema }))
    .output(
      z.object({
        symbol: z.string().nullable(),
        name: z.string().nullable(),
        decimals: z.int().min(0).max(77).nullable(),
      }),
    ),
  /**
   * Tokens that a chain does not list and that its maker is proven to hold, of those that the desk knows of: listed at the same
   * address on another of its chains, named by the chain's service, or well known on the network.
   */
  heldTokens: may('settings')
    .input(z.object({ chainId: chainIdSchema }))
    .output(
      z.array(
        z.object({
          address: addressSchema,
          symbol: z.string(),
          name: z.string().nullable(),
          decimals: z.int().min(0).max(77),
          /** Raw units. */
          balance: rawAmountSchema,
          knownFrom: z.discriminatedUnion('kind', [
            z.object({ kind: z.literal('chain'), chainId: chainIdSchema }),
            z.object({ kind: z.literal('network') }),
            z.object({ kind: z.literal('service') }),
          ]),
        }),
      ),
    ),
  removeToken: may('settings')
    .input(z.object({ chainId: chainIdSchema, tokenId: tokenIdSchema }))
    .output(z.object({ seq: z.int() })),
  /** `seen` as for a token; null: there was no such pair, or it was retired. */
  savePair: may('settings')
    .input(pairKey.extend({ definition: pairSchema, seen: seenPairSchema.nullable().optional() }))
    .output(z.object({ seq: z.int() })),
  retirePair: may('settings')
    .input(pairKey)
    .output(z.object({ seq: z.int(), until: timeSchema })),
};
