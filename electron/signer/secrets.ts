import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { tokenNameSchema } from '../contract/names.ts';
import { tokenSchema } from '../contract/tokens.ts';
import { expectOpensKey } from './keystore.ts';
import { writePrivateFile } from './private-file.ts';
import { badSeal, openSealedText, type SealOptions, sealText } from './sealed-text.ts';
import { readSealedSecrets, SECRETS_FILE } from './secrets-file.ts';

const keysSchema = z.strictObject({ accessKey: z.string().min(1), secretKey: z.string().min(1) });
/** With the keys that these took the place of, while those are still taken. */
const counterpartyKeysSchema = keysSchema.extend({ earlier: keysSchema.optional() });
export type CounterpartyKeys = z.infer<typeof counterpartyKeysSchema>;
/** By domain. */
export const counterpartiesSchema = z.record(z.string(), counterpartyKeysSchema);

/** What is secret of a way of alerts, and the server that it is for. */
const waySecretSchema = z.strictObject({ server: z.string().min(1), secret: z.string().min(1) });
export type WaySecret = z.infer<typeof waySecretSchema>;

/**
 * What must never enter the journal: the credentials of each traffic source, by domain (PROTOCOL 5.2), keys to services, by origin,
 * URLs that have a key in them, by the mark that stands for them elsewhere, the hashes of tokens that were handed out, by name,
 * what is secret of the ways on which alerts are told, by name: it goes to that server and no other, and what was given with something
 * that waits for a second person, as JSON.
 */
const secretsSchema = z.strictObject({
  counterparties: counterpartiesSchema,
  serviceKeys: z.record(z.string(), z.string().min(1)).default({}),
  urls: z.record(z.string(), z.string().min(1)).optional(),
  tokens: z.record(tokenNameSchema, tokenSchema.omit({ name: true }).extend({ hash: z.hex().length(64) })).optional(),
  alertWays: z.record(tokenNameSchema, waySecretSchema).optional(),
  asked: z.record(z.string(), z.string()).optional(),
});
export type Secrets = z.infer<typeof secretsSchema>;

/**
 * Reads `secrets.json` with the keystore's passphrase; without such a file there are no secrets.
 * Throws DeskError `wrong_passphrase`, `bad_seal` or `secrets_unreadable`.
 */
export async function readSecrets(folder: string, passphrase: string): Promise<Secrets> {
  const text = await readSealedSecrets(folder);
  if (text === null) return { counterparties: {}, serviceKeys: {} };
  return openSecrets(text, passphrase);
}

/** Opens secrets that are given as the text of their file. Throws DeskError `wrong_passphrase` or `bad_seal`. */
export async function openSecrets(text: string, passphrase: string): Promise<Secrets> {
  const opened = await openSealedText(text, passphrase);
  try {
    return secretsSchema.parse(JSON.parse(opened));
  } catch (cause) {
    throw badSeal(cause);
  }
}

/** Seals the secrets and writes them, as `sealSecrets` does. */
export async function writeSecrets(...sealed: Parameters<typeof sealSecrets>): Promise<void> {
  const write = await sealSecrets(...sealed);
  await write();
}

/**
 * Seals the secrets with the keystore's passphrase. Returns what puts them in place of the old ones, whole or not at all (0600). The
 * first to be sealed are so only once the passphrase has opened the keystore, where there is one: sealed under another than the key they
 * would keep the desk from starting. Throws DeskError `wrong_passphrase` or `bad_keystore` then.
 */
export async function sealSecrets(
  folder: string,
  passphrase: string,
  secrets: Secrets,
  options: SealOptions = {},
): Promise<() => Promise<void>> {
  const before = await readSealedSecrets(folder).catch(() => null); // one that cannot be read is replaced all the same
  if (before === null) await expectOpensKey(folder, passphrase);
  const sealed = await sealText(JSON.stringify(secretsSchema.parse(secrets)), passphrase, { before, ...options });
  return () => writePrivateFile(join(folder, SECRETS_FILE), sealed);
}

/** What the journal may hold of a secret: enough to tell two apart. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(`makerdesk secret\0${secret}`).digest('hex').slice(0, 16);
}
