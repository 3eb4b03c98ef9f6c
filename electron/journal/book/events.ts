import { z } from 'zod';
import { followedSchema } from '../../contract/book.ts';
import {
  chainConfigSchema,
  counterpartySchema,
  type DeskFile,
  deadManSchema,
  deskFileSchema,
  ladderSchema,
  lockAfterSchema,
  surfaceNamesSchema,
} from '../../contract/desk-file.ts';
import { formulaSchema } from '../../contract/formula.ts';
import { contractPinSchema } from '../../contract/hedge.ts';
import { limitsSchema } from '../../contract/limits.ts';
import { chainIdSchema, pairIdSchema, timeSchema, tokenIdSchema } from '../../contract/names.ts';
import { protectionsSchema } from '../../contract/protections.ts';
import { remoteSignerSchema } from '../../contract/remote-signer.ts';
import { hasSecretPart, urlsOf, type WithUrls } from '../../contract/sealed-url.ts';
import { addressSchema } from '../../protocol/address.ts';
import { decimalSchema } from '../../protocol/decimal.ts';
import { pairSchema, tokenSchema } from '../../protocol/wire.ts';

const onChain = { chainId: chainIdSchema };
const onPair = { chainId: chainIdSchema, pair: pairIdSchema };

/** What a chain is set to, without what it lists and what is changed by events of its own. */
const chainSetSchema = chainConfigSchema
  .omit({ chainId: true, tokens: true, pairs: true, prices: true, blacklist: true, off: true })
  .omit({ limits: true, takers: true, takersLeftOut: true, follow: true, byHand: true, formulas: true });
export type ChainSet = z.infer<typeof chainSetSchema>;

/** What is set of the whole desk by itself. What is not named stays; null: nothing of it is set any more. */
const deskSetSchema = z.object({
  surfaceNames: surfaceNamesSchema.optional(),
  lockAfterMinutes: lockAfterSchema.nullish(),
  remoteSigner: remoteSignerSchema.nullish(),
  deadManMinutes: deadManSchema.nullish(),
});
export type DeskSet = z.infer<typeof deskSetSchema>;

/**
 * A pair's next revision: the ladder that it had, with its middle put on a mid, or with its best bid and its best ask put on two prices,
 * where a formula made it; null for a side that has no levels. In quote per base.
 */
const ladderMoveSchema = z.union([
  z.tuple([pairIdSchema, z.int(), decimalSchema]),
  z.tuple([pairIdSchema, z.int(), decimalSchema.nullable(), decimalSchema.nullable()]),
]);
export type LadderMove = z.infer<typeof ladderMoveSchema>;

export const BOOK_EVENTS = {
  /**
   * The whole configuration without secrets; replaces what was there. Secrets appear as fingerprints. `standing`: the pairs whose
   * ladder goes on as it is, under its revision, whoever moved it last; and drains of pairs go on. Earlier programs wrote no such
   * list: of theirs each ladder is a new revision, and drains end. `edit`: somebody changed something of what was in force, and what a
   * file has no word for stays: these pairs go on being retired, and stops that go on keep who said them, when and why.
   */
  desk_configured: z.object({
    desk: deskFileSchema.omit({ alerts: true }).superRefine(checkNoSecrets),
    fingerprints: z.record(z.string(), z.string()),
    standing: z.array(z.object(onPair)).optional(),
    edit: z.object({ retired: z.array(z.object({ ...onPair, until: timeSchema })) }).optional(),
  }),
  /** Where a chain is, and how it is quoted: everything of that anew. What it lists and quotes stays, and the other chains. */
  chain_set: z.object({ ...onChain, config: chainSetSchema.superRefine(checkNoOpenUrls) }),
  /** What is set of the whole desk, as far as it is named. */
  desk_set: deskSetSchema,
  /** Who may ask, all of them. Secrets appear as fingerprints, by domain. */
  counterparties_set: z.object({
    counterparties: z.array(counterpartySchema.omit({ accessKey: true, secretKey: true })),
    fingerprints: z.record(z.string(), z.string()),
  }),
  /** What may be signed in a time, all rules anew. */
  protections_set: z.object({ protections: protectionsSchema }),
  /**
   * With `followed` the ladder stands on a mid: the reference's, and the pair goes on following it, or one that an engine pushed.
   * Without, a person published it, or an engine pushed it whole, and following ends. `anchor`, where no person published it: the middle
   * of the ladder that one published last, as far as it is known. Earlier programs wrote none.
   */
  ladder_published: z.object({
    ...onPair,
    revision: z.int(),
    baseRevision: z.int(),
    ladder: ladderSchema,
    followed: followedSchema.optional(),
    anchor: decimalSchema.optional(),
  }),
  /**
   * What moved of a chain at once, with its reference, to the mids that an engine pushed or to the prices of formulas; see `moveLadder`
   * and `putBest`. Earlier programs wrote a whole ladder a move.
   */
  ladders_moved: z.object({ ...onChain, moves: z.array(ladderMoveSchema).min(1) }),
  /** From now on the ladder moves with the reference, or does not. */
  follow_set: z.object({ ...onPair, on: z.boolean() }),
  /** From now on a person prices it, and neither an engine nor a formula; or it is given back to them. */
  hand_set: z.object({ ...onPair, on: z.boolean() }),
  /** From now on the desk prices it by this formula, and it follows nothing; null: by none. */
  formula_set: z.object({ ...onPair, formula: formulaSchema.nullable() }),
  token_saved: z.object({ ...onChain, tokenId: tokenIdSchema, token: tokenSchema }),
  token_removed: z.object({ ...onChain, tokenId: tokenIdSchema }),
  pair_saved: z.object({ ...onPair, definition: pairSchema }),
  pair_retired: z.object({ ...onPair, until: timeSchema }),
  pair_removed: z.object({ ...onPair }),
  limits_set: z.object({ ...onChain, limits: limitsSchema }),
  /** Orders are signed for these takers. `leftOut`: those that a person wants not to be asked about again. */
  takers_set: z.object({
    ...onChain,
    takers: z.array(addressSchema),
    leftOut: z.array(addressSchema).optional(),
    reason: z.string().nullish(),
  }),
  /** A person confirmed by its address which contract of the service may be given tokens: its router, or its intent contract. */
  contract_pinned: contractPinSchema,
  blacklist_added: z.object({
    ...onChain,
    address: addressSchema,
    reason: z.string().nullable(),
    until: timeSchema.nullable(),
    /** By this desk alone; without it the service is told too. */
    onlyHere: z.boolean().optional(),
  }),
  blacklist_removed: z.object({ ...onChain, address: addressSchema, reason: z.string().nullable() }),
};

function checkNoSecrets({ chains, counterparties, serviceKeys }: DeskFile, context: z.RefinementCtx): void {
  const refuse = (message: string) => context.addIssue({ code: 'custom', message });
  if (serviceKeys !== undefined) refuse('it has keys to services, which must not be written');
  if (counterparties.some(({ accessKey, secretKey }) => accessKey !== undefined || secretKey !== undefined)) {
    refuse('a counterparty has its keys with it, which must not be written');
  }
  for (const chain of chains) checkNoOpenUrls(chain, context);
}

function checkNoOpenUrls(chain: WithUrls, context: z.RefinementCtx): void {
  const open = urlsOf(chain).find(({ url, of }) => hasSecretPart(of, url));
  if (open === undefined) return;
  context.addIssue({ code: 'custom', message: `the ${open.path} of a chain is not sealed, and may have a key in it` });
}
