import { z } from 'zod';

/** EVM chain id. */
export const chainIdSchema = z.int().positive();

/** Key of a token in the desk file and on the wire; usually its symbol (PROTOCOL 2.6). */
export const tokenIdSchema = z.string().min(1).max(64);

/** Key of a pair in the desk file and on the wire, `BASE/QUOTE` by habit (PROTOCOL 2.6). */
export const pairIdSchema = z.string().min(1).max(64);

/** What a name must not hold: characters that cannot be seen or written down, and those that turn the text around them. */
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** What is not drawn at all. */
const NOT_DRAWN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Whether a name is what it looks like: all of it is drawn, and it turns nothing around it. */
export function isDrawn(name: string): boolean {
  return !UNSEEN.test(name) && name.search(NOT_DRAWN) < 0;
}

/** Who did something, as the journal has it: a person, or a part of the program. */
export const actorSchema = z.string().trim().min(1).max(60);

/** Under which name the ladders of formulas are published. */
export const FORMULA = 'formula';

/** The parts of the program that act by themselves, as actors. */
export const PROGRAM = ['desk', 'chain', 'service', 'follow', FORMULA];

/** What stands before the name of a token whose prices a ladder has. */
const PUSHED = 'prices:';

/** What a token is called. */
export const tokenNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/, 'must be 1 to 40 letters, digits, dots, dashes and underscores');

/** Under which name the prices that came with a token are published. */
export function pusher(token: string): string {
  return `${PUSHED}${token}`;
}

/** The token with which the prices came that this actor published, or null where nobody pushed them. */
export function tokenOf(actor: string): string | null {
  return actor.startsWith(PUSHED) ? actor.slice(PUSHED.length) : null;
}

/** Whether the program did it by itself, or somebody's engine. */
export function isProgram(actor: string): boolean {
  return PROGRAM.includes(actor) || tokenOf(actor) !== null;
}

/** A person's name: the one the console was given, or the OS user's. Nobody is called as the program calls itself. */
export const personSchema = actorSchema
  .refine((name) => !UNSEEN.test(name), 'has characters that cannot be shown')
  .refine((name) => !isProgram(asRead(name)), 'is what the program calls itself');

const MOST_OF_A_NAME = 40;

/** What could be taken for an address or a hash, whole or shortened. */
const LIKE_HEX = /0x[0-9a-f]{2}|[0-9a-f]{3,}\.{2,3}[0-9a-f]{3,}|[0-9a-f]{16}/;

/** What people call a user or a counterparty. */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MOST_OF_A_NAME)
  .refine((name) => !UNSEEN.test(name) && asRead(name) !== '', 'has characters that cannot be shown')
  .refine((name) => !LIKE_HEX.test(asRead(name)), 'looks like an address or a hash: give it another form');

/** The name as it looks: without what is not drawn, in one case and one width. */
export function asRead(name: string): string {
  return name.normalize('NFKC').replace(NOT_DRAWN, '').trim().toLowerCase();
}

/** Why somebody did something. */
export const reasonSchema = z.string().trim().min(1).max(500);

/** Unix milliseconds. */
export const timeSchema = z.int().nonnegative();

/** The last moment whose year has four digits, Unix milliseconds. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A moment in Unix milliseconds as ISO 8601; one that no calendar has is told as its last. */
export function isoTime(time: number): string {
  return new Date(Math.min(time, LAST_MOMENT)).toISOString();
}

/** A moment in Unix milliseconds as sentences say it: `2026-11-20 18:00:00 UTC`. */
export function utcText(time: number): string {
  return `${isoTime(time).slice(0, 19).replace('T', ' ')} UTC`;
}
