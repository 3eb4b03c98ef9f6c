import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { consoleOrigin } from './console-access.ts';
import { deskNameSchema, heardStatusSchema } from './desk-list.ts';
import { timeSchema } from './names.ts';
import { refusing } from './refusing.ts';
import { tradingStateSchema } from './trading.ts';

/**
 * What the app knows of its own desk. `starting`: no answer yet. `waits`: for a person at its entrance. `silent`: it runs and
 * does not answer. `ended`: no process.
 */
const ownDeskStateSchema = z.enum([...tradingStateSchema.options, 'starting', 'waits', 'silent', 'ended']);
export type OwnDeskState = z.infer<typeof ownDeskStateSchema>;

/**
 * How far a halt has come, for the desk confirms it or not: `at` is when it was pressed, by this computer's clock as all times
 * here. `unconfirmed`: it was sent so many times and goes on being sent; `why` of the last one. `confirmed`: the desk has said
 * that it is HALTED; not `durable`: and that it could not write it down.
 */
const haltStageSchema = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('asked'), at: timeSchema }),
  z.object({ stage: z.literal('unconfirmed'), at: timeSchema, tries: z.int(), why: z.string() }),
  z.object({ stage: z.literal('confirmed'), at: timeSchema, confirmedAt: timeSchema, durable: z.boolean() }),
]);
export type HaltStage = z.infer<typeof haltStageSchema>;

/**
 * A desk elsewhere as the app sees it. `token`: sealed by the computer's keychain (`kept`), in memory until the app ends
 * (`here`), or to be given by a person before anything can be asked (`none`).
 */
const deskElsewhereSchema = z.object({
  name: z.string(),
  /** The address of its console. */
  url: z.string(),
  token: z.enum(['kept', 'here', 'none']),
  /** What it said last, and when it was heard; null: never since the app was started. */
  heard: z.object({ status: heardStatusSchema, at: timeSchema }).nullable(),
  /** It does not answer: since when, and why. Null while it does, and before the first try has ended. */
  silent: z.object({ since: timeSchema, why: z.string(), remedy: z.string() }).nullable(),
  halt: haltStageSchema.nullable(),
});
export type DeskElsewhereRow = z.infer<typeof deskElsewhereSchema>;

const desksViewSchema = z.object({
  own: z.object({ state: ownDeskStateSchema, halt: haltStageSchema.nullable() }),
  desks: z.array(deskElsewhereSchema),
  /** Why tokens are not kept over the end of the app; null where they are. */
  notKept: z.string().nullable(),
  /** Why the list could not be read: nothing is written over it. */
  unread: z.string().nullable(),
});
export type DesksView = z.infer<typeof desksViewSchema>;

const urlSchema = z
  .string()
  .trim()
  .max(300)
  .refine(
    (text) => consoleOrigin(text) !== null,
    'must be an https address without a path or a token, such as https://desk.example.com',
  );

/** A token as a person pastes it; it is never told. */
const givenTokenSchema = z
  .string()
  .trim()
  .regex(/^[\w-]{1,200}$/, 'must be a token: letters, digits, - and _');

/**
 * What the window of the list and the desktop app say to each other, on a port of their own that no console has. The list is
 * the app's: no desk knows of it.
 */
export const desksContract = {
  /** The view now, and again whenever it changes. */
  watch: refusing.output(eventIterator(desksViewSchema)),
  /** `desk_listed`, `too_many_desks`, `list_unread`, `not_written`. */
  add: refusing.input(z.object({ name: deskNameSchema, url: urlSchema, token: givenTokenSchema })).output(z.object({})),
  /**
   * Changes the desk `of`. A token goes to the address that it was given for alone: it may be left out (null) where that stays.
   * `unknown_desk`, `no_token`, and as `add`.
   */
  change: refusing
    .input(z.object({ of: z.string(), name: deskNameSchema, url: urlSchema, token: givenTokenSchema.nullable() }))
    .output(z.object({})),
  /** Its token is forgotten, its windows close, and a halt that it has not confirmed is not sent any more. As `change`. */
  remove: refusing.input(z.object({ of: z.string() })).output(z.object({})),
  /** Opens its console in a window of its own. `unknown_desk`, `no_token`. */
  open: refusing.input(z.object({ of: z.string() })).output(z.object({})),
  /** Halts the app's own desk and all of the list at once, each again until it has confirmed. */
  haltAll: refusing.output(z.object({})),
  /** Sends the halt to this desk no more. `unknown_desk`. */
  letBe: refusing.input(z.object({ of: z.string() })).output(z.object({})),
};
