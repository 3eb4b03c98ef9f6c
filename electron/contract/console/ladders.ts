import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { decimalSchema } from '../../protocol/decimal.ts';
import {
  cellHistorySchema,
  draftEditSchema,
  draftSchema,
  ladderCellSchema,
  publishedLadderSchema,
  publishedWithOthersSchema,
  takeBackSchema,
  takenBackSchema,
} from '../book.ts';
import { buildFormSchema, builtLadderSchema, foundShapeSchema } from '../ladder-build.ts';
import {
  draftSummarySchema,
  ladderPersonSchema,
  ladderPreviewSchema,
  sessionSchema,
  standingSchema,
} from '../ladder-preview.ts';
import { may, pairKey } from './base.ts';

/** Published ladders and their drafts. */
export const laddersContract = {
  published: may('look').input(pairKey).output(publishedLadderSchema),
  revisions: may('look')
    .input(pairKey.extend({ limit: z.int().min(1).max(200).default(50) }))
    .output(z.array(publishedLadderSchema)),
  /** Who changed a cell, when, from what to what, newest first; with `before`, only revisions before that one. */
  cellHistory: may('look')
    .input(pairKey.extend({ cell: ladderCellSchema, before: z.int().min(1).optional() }))
    .output(cellHistorySchema),
  draft: may('look').input(pairKey).output(draftSchema),
  /** The draft now and after every edit of anybody; a publish or a discard starts it anew. */
  watchDraft: may('look').input(pairKey).output(eventIterator(draftSchema)),
  /**
   * All of the edits or none. With `seen`, the version the editor had before them, what somebody else wrote since then is
   * not overwritten: `draft_changed`. `session` tells two windows of one person apart.
   */
  edit: may('trade')
    .input(
      pairKey.extend({
        edits: z.array(draftEditSchema).min(1).max(1_000),
        seen: z.int().optional(),
        session: sessionSchema.optional(),
      }),
    )
    .output(draftSchema),
  /** With `seen`, only a draft that still is that version. */
  discard: may('trade')
    .input(pairKey.extend({ seen: z.int().optional() }))
    .output(draftSchema),
  /** Brings a draft onto the revision that is live: cells that somebody changed stay, the others become what is live. */
  rebase: may('trade')
    .input(pairKey.extend({ seen: z.int() }))
    .output(draftSchema),
  /** Every draft with changes that wait to be published. */
  drafts: may('look').output(z.array(draftSummarySchema)),
  /** What publishing the draft would do, as it stands now. */
  preview: may('look').input(pairKey).output(ladderPreviewSchema),
  /** The shape of a pair's ladder, for a form to begin with. */
  shape: may('look').input(pairKey).output(foundShapeSchema),
  /** Works out ladders from one form for several pairs; changes nothing. */
  build: may('look')
    .input(z.object({ pairs: z.array(pairKey).min(1).max(500), form: buildFormSchema }))
    .output(z.array(builtLadderSchema)),
  /** Who else has the pair before them and where, now and after every change; being there lasts as long as the stream. */
  watchPeople: may('look')
    .input(pairKey.extend({ session: sessionSchema }))
    .output(eventIterator(z.array(ladderPersonSchema))),
  /** Says where this window stands; null: nowhere in particular. */
  stand: may('look')
    .input(z.object({ session: sessionSchema, at: standingSchema.nullable() }))
    .output(z.object({})),
  /**
   * Publishes the draft if it still is `version` and stands on the revision that is live. A ladder that follows the
   * reference goes on with `keepFollowing`, in the shape that is published; without, following ends.
   */
  publish: may('trade')
    .input(pairKey.extend({ version: z.int(), keepFollowing: z.boolean().default(false) }))
    .output(publishedLadderSchema),
  /**
   * Publishes several drafts, or none of them where one is not still `version`, stands on another revision or is faulty; the
   * refusal names the pair.
   */
  publishSeveral: may('trade')
    .input(
      z
        .array(pairKey.extend({ version: z.int(), keepFollowing: z.boolean().default(false) }))
        .min(1)
        .max(500)
        .refine((all) => new Set(all.map(({ chainId, pair }) => `${chainId} ${pair}`)).size === all.length, {
          message: 'must name each pair once',
        }),
    )
    .output(z.array(publishedWithOthersSchema)),
  /**
   * Publishes again what was live before, of each pair that no person and no engine published or drafted since; following is
   * no such change. Says of each what became of it.
   */
  takeBack: may('trade').input(z.array(takeBackSchema).min(1).max(500)).output(z.array(takenBackSchema)),
  /**
   * A person says that this is the price of a pair whose reference is not believed: its ladder is published around what the
   * reference says, if that is within 1 % of `mid`. With `takenOver` an engine priced it, and it is in hand since then.
   */
  acceptReference: may('trade')
    .input(pairKey.extend({ mid: decimalSchema }))
    .output(publishedWithOthersSchema),
  /** Takes a pair over from engines, or gives it back to them. A person's publish of what one pushed takes it over by itself. */
  setHand: may('trade')
    .input(pairKey.extend({ on: z.boolean() }))
    .output(z.object({ seq: z.int(), on: z.boolean() })),
  /** Lets the ladder move with the reference, or leaves it alone. A person's publish or switch-off ends it by itself. */
  setFollow: may('trade')
    .input(pairKey.extend({ on: z.boolean() }))
    .output(z.object({ seq: z.int(), on: z.boolean() })),
};
