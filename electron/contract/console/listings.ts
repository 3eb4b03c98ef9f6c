import { z } from 'zod';
import { pairSchema, tokenSchema } from '../../protocol/wire.ts';
import { chainConfigSchema } from '../desk-file.ts';
import { chainIdSchema, timeSchema, tokenIdSchema } from '../names.ts';
import { base, pairKey } from './base.ts';

/** Tokens and pairs. */
export const listingsContract = {
  /** What a chain lists, without its prices; also pairs that a fault keeps from being served. */
  list: base
    .input(z.object({ chainId: chainIdSchema }))
    .output(chainConfigSchema.pick({ tokens: true, pairs: true, retireHours: true })),
  saveToken: base
    .input(z.object({ chainId: chainIdSchema, tokenId: tokenIdSchema, token: tokenSchema }))
    .output(z.object({ seq: z.int() })),
  removeToken: base
    .input(z.object({ chainId: chainIdSchema, tokenId: tokenIdSchema }))
    .output(z.object({ seq: z.int() })),
  savePair: base.input(pairKey.extend({ definition: pairSchema })).output(z.object({ seq: z.int() })),
  retirePair: base.input(pairKey).output(z.object({ seq: z.int(), until: timeSchema })),
};
