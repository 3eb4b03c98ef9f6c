import { z } from 'zod';

/** What a person may do with a desk, in the order in which it is written. */
export const consoleRightSchema = z.enum(['look', 'trade', 'halt', 'settings', 'admin']);
export type Right = z.infer<typeof consoleRightSchema>;

/** What each right is called where a person chooses or misses it. */
export const RIGHTS: Readonly<Record<Right, { name: string; says: string }>> = {
  look: { name: 'look', says: 'sees every page and changes nothing' },
  trade: { name: 'trade', says: 'prices, publishing, hedges, switches, resume' },
  halt: { name: 'halt only', says: 'stops the desk, a chain, a pair or a side, and sees what trades' },
  settings: { name: 'settings', says: 'the desk file, limits, chains, tokens, counterparties, takers, protections' },
  admin: { name: 'admin', says: 'everything, also people, keys and backups' },
};

/** What else each right lets somebody do. Whoever is recognised may halt, whatever else they may do. */
const WITH: Readonly<Record<Right, readonly Right[]>> = {
  halt: [],
  look: ['halt'],
  trade: ['look', 'halt'],
  settings: ['look', 'halt'],
  admin: ['look', 'trade', 'halt', 'settings'],
};

/** What a token may be for: a person's console, or an engine's prices. */
const tokenRightSchema = z.enum([...consoleRightSchema.options, 'prices']);

/** The rights of a token as they are written down: `trade,settings`. */
export const tokenRightsSchema = z.string().refine(
  (text) => {
    const rights = text.split(',');
    return new Set(rights).size === rights.length && rights.every((right) => tokenRightSchema.safeParse(right).success);
  },
  `must be some of ${tokenRightSchema.options.join(', ')}, joined by commas`,
);

/** Whether a token is for an engine that pushes prices. */
export function isForPrices(rights: string): boolean {
  return rights.split(',').includes('prices');
}

/** What the console of a token with these rights may do; nothing where it is for prices alone. */
export function consoleRights(rights: string): Right[] {
  const given = rights.split(',').flatMap((right) => consoleRightSchema.safeParse(right).data ?? []);
  return consoleRightSchema.options.filter((right) => given.some((one) => one === right || WITH[one].includes(right)));
}

/** Who can be asked for what somebody may not do: the user who runs the desk first, then everybody with a token. */
export const personRowSchema = z.object({ name: z.string(), may: z.array(consoleRightSchema) });
export type PersonRow = z.infer<typeof personRowSchema>;

/** More names than these are counted. */
const MOST_NAMED = 3;

/** Whom to ask for what takes this right: "tara, or mara, who runs the desk". */
export function whoMay(right: Right, [owner, ...others]: readonly PersonRow[]): string {
  const names = others.flatMap(({ name, may }) => (may.includes(right) ? [name] : []));
  const rest = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  const named = names.length === 0 ? '' : `${names.slice(0, MOST_NAMED).join(', ')}${rest}, or `;
  return `${named}${owner === undefined ? 'whoever' : `${owner.name}, who`} runs the desk`;
}

/** What the user who runs the desk may do: its files are theirs. */
export const EVERY_RIGHT: readonly Right[] = consoleRightSchema.options;
