import { z } from 'zod';

/** EVM chain id. */
export const chainIdSchema = z.int().positive();

/** Key of a token in the desk file and on the wire; usually its symbol (spec 2.6). */
export const tokenIdSchema = z.string().min(1).max(64);

/** Key of a pair in the desk file and on the wire, `BASE/QUOTE` by habit (spec 2.6). */
export const pairIdSchema = z.string().min(1).max(64);

/** Who did something: the name the console was given, or the OS user. */
export const actorSchema = z.string().trim().min(1).max(60);

/** Why somebody did something. */
export const reasonSchema = z.string().trim().min(1).max(500);

/** Unix milliseconds. */
export const timeSchema = z.int().nonnegative();
