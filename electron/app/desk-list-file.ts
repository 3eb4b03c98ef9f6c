import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { consoleOrigin } from '../contract/console-access.ts';
import { deskNameSchema } from '../contract/desk-list.ts';
import { DeskError } from '../protocol/desk-error.ts';
import { writePrivateFile } from '../signer/private-file.ts';
import type { TokenVault } from './token-vault.ts';

/** As many as the command line takes in a list of its own. */
export const MOST_DESKS = 100;

/** `token`: sealed together with the address it was given for; null where it is not kept. */
const keptListSchema = z.strictObject({
  version: z.literal(1),
  desks: z
    .array(
      z.strictObject({
        name: deskNameSchema,
        url: z.string().refine((text) => consoleOrigin(text) !== null),
        token: z.string().max(20_000).nullable(),
      }),
    )
    .max(MOST_DESKS)
    .refine((desks) => new Set(desks.map(({ name }) => name)).size === desks.length),
});

const sealedSchema = z.strictObject({ url: z.string(), token: z.string() });

/** A desk of the app's list. `sealed`: its token as it lies in the file; `token`: as it is sent, null where nobody has given it yet. */
export interface ListedDesk {
  name: string;
  url: URL;
  token: string | null;
  sealed: string | null;
}

/**
 * Reads the app's list of desks, none where there is no file. Whoever can write the file cannot have a token sent elsewhere: one
 * that was sealed for another address is not used. Throws DeskError `list_unread`.
 */
export function readListedDesks(file: string, vault: TokenVault): ListedDesk[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unread(file, cause);
  }
  try {
    return keptListSchema.parse(JSON.parse(text)).desks.map(({ name, url, token }) => {
      const sealed = token === null ? null : opened(token, vault);
      const isFor = sealed !== null && sealed.url === new URL(url).origin;
      return { name, url: new URL(url), token: isFor ? sealed.token : null, sealed: token };
    });
  } catch (cause) {
    throw unread(file, cause);
  }
}

/** Writes the list, for its owner alone. Rejects with DeskError `not_written`. */
export async function writeListedDesks(file: string, desks: readonly ListedDesk[]): Promise<void> {
  const rows = desks.map(({ name, url, sealed }) => ({ name, url: url.origin, token: sealed }));
  try {
    await writePrivateFile(file, `${JSON.stringify({ version: 1, desks: rows }, null, 2)}\n`);
  } catch (cause) {
    throw new DeskError('not_written', 'The list of desks cannot be written, so it stays as it was.', {
      remedy: `Make room for ${file}, then try again.`,
      cause,
    });
  }
}

/** A token sealed for this address and no other; null where the vault keeps none. */
export function sealedFor(url: URL, token: string, vault: TokenVault): string | null {
  return vault.notKept === null ? vault.seal(JSON.stringify({ url: url.origin, token })) : null;
}

function opened(sealed: string, vault: TokenVault): z.infer<typeof sealedSchema> | null {
  const text = vault.open(sealed);
  if (text === null) return null;
  try {
    return sealedSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function unread(file: string, cause: unknown): DeskError {
  return new DeskError('list_unread', `The list of desks, ${file}, cannot be read.`, {
    remedy: 'Fix it or put it aside, then start the app again. Until then the desks in it are not halted from here.',
    cause,
  });
}
