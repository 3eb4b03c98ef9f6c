import { z } from 'zod';
import { deskChangeSchema } from './desk-changes.ts';
import { timeSchema, tokenNameSchema } from './names.ts';
import { consoleRightSchema } from './rights.ts';

/** What can be set to take a second person, and what a person calls it. */
export const FOUR_EYES = {
  resume: {
    name: 'going live',
    says: 'resuming the desk, a chain, a pair or a side, resetting what tripped, and whatever else takes a stop off',
  },
  limits: {
    name: 'limits',
    says: 'raising or removing limits, fences, protections, allowances and caps of automatic hedging',
  },
  keys: { name: 'keys', says: 'the signer’s key, where it is held, counterparties and keys to services' },
  takers: {
    name: 'takers',
    says: 'execution contracts that orders may name, who else a hedge pays or goes through, and NFT orders',
  },
  networks: { name: 'network settings', says: 'chains, nodes, contracts, and where the surface listens' },
} as const;

export const fourEyesKindSchema = z.enum(Object.keys(FOUR_EYES) as [FourEyesKind, ...FourEyesKind[]]);
export type FourEyesKind = keyof typeof FOUR_EYES;

/** The kinds that take a second person, each once. */
export const fourEyesSchema = z
  .array(fourEyesKindSchema)
  .refine((kinds) => new Set(kinds).size === kinds.length, 'names one of them twice');

/** Why something waits: `people` (rights, and four eyes themselves) does as long as anything else is set to. */
export const heldKindSchema = z.enum([...fourEyesKindSchema.options, 'people']);
export type HeldKind = z.infer<typeof heldKindSchema>;

/** What became of something that waited. `changed`: what it was about is not as it was; `lost`: what was given with it is gone. */
export const approvalEndSchema = z.enum([
  'done',
  'failed',
  'refused',
  'withdrawn',
  'expired',
  'changed',
  'revoked',
  'interrupted',
  'lost',
]);
export type ApprovalEnd = z.infer<typeof approvalEndSchema>;

/** Something that one person asked for and that waits, or waited, for a second one. `token`: with which they came; null is the user who runs the desk. */
export const approvalSchema = z.object({
  /** The row of the journal that it was asked with. */
  seq: z.int(),
  at: timeSchema,
  actor: z.string(),
  token: tokenNameSchema.nullable(),
  /** Which operation of the contract. */
  operation: z.string(),
  kinds: z.array(heldKindSchema),
  /** What somebody must be allowed in order to say yes or no. */
  right: consoleRightSchema,
  /** What is to be done, in words: "go live on the desk". */
  says: z.string(),
  /** Why, in the words of whoever asked, where that takes a reason. */
  reason: z.string().optional(),
  changes: z.array(deskChangeSchema),
  /** Changes beyond those that are listed. */
  more: z.int().nonnegative(),
  /** Nobody says yes any more from then on, Unix milliseconds. */
  until: timeSchema,
  /** From then on whoever asked may approve it themselves, Unix milliseconds: there was nobody else when they asked. */
  aloneFrom: timeSchema.optional(),
  approved: z.object({ at: timeSchema, actor: z.string(), token: tokenNameSchema.nullable() }).nullable(),
  /** Null while it waits, or is being carried out. */
  ended: z.object({ at: timeSchema, actor: z.string(), how: approvalEndSchema, why: z.string().nullable() }).nullable(),
});
export type Approval = z.infer<typeof approvalSchema>;

/** What is to be done, and why, in one line: "go live on the desk (checked twice)". */
export function wholeSays({ says, reason }: Pick<Approval, 'says' | 'reason'>): string {
  return reason === undefined ? says : `${says} (${reason})`;
}

/** What takes a second person; what waits for one, and what one said yes to and is being carried out, oldest first. */
export const approvalsViewSchema = z.object({
  kinds: fourEyesSchema,
  waiting: z.array(approvalSchema),
  underWay: z.array(approvalSchema),
});
export type ApprovalsView = z.infer<typeof approvalsViewSchema>;
