import { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';

/** A keystore that asks for more memory than this is not opened. */
const MAX_SCRYPT_MEMORY = 1024 ** 3;

const hexText = z.string().regex(/^([0-9a-fA-F]{2})+$/);
const cryptoPart = {
  cipher: z.literal('aes-128-ctr'),
  ciphertext: hexText.length(64),
  cipherparams: z.object({ iv: hexText.length(32) }),
  mac: hexText.length(64),
};
const scryptParams = z
  .object({ dklen: z.literal(32), n: z.int().min(2), p: z.int().min(1), r: z.int().min(1), salt: hexText })
  .refine(({ n, r, p }) => 128 * r * (n + p) <= MAX_SCRYPT_MEMORY, 'asks for more than 1 GiB of memory');
const pbkdf2Params = z.object({
  dklen: z.literal(32),
  c: z.int().min(1).max(100_000_000),
  prf: z.literal('hmac-sha256'),
  salt: hexText,
});

/** Web3 Secret Storage version 3, as geth, Foundry and the wallets write it. */
const keystoreSchema = z.object({
  version: z.literal(3),
  id: z.string().default(''),
  address: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{40}$/)
    .transform((text) => text.replace(/^0x/, ''))
    .optional(),
  crypto: z.discriminatedUnion('kdf', [
    z.object({ ...cryptoPart, kdf: z.literal('scrypt'), kdfparams: scryptParams }),
    z.object({ ...cryptoPart, kdf: z.literal('pbkdf2'), kdfparams: pbkdf2Params }),
  ]),
});
export type StoredKeystore = z.infer<typeof keystoreSchema>;

/** Reads the text of a keystore. Throws DeskError `bad_keystore`, which names each fault. */
export function parseKeystore(text: string): StoredKeystore {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    throw badKeystore('it is not JSON');
  }
  const parsed = keystoreSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw badKeystore(
    parsed.error.issues.map((issue) => `${issue.path.join('.') || 'file'}: ${issue.message}`).join('; '),
  );
}

export function badKeystore(detail: string): DeskError {
  return new DeskError('bad_keystore', `This file is not a version 3 keystore: ${detail}.`, {
    remedy: 'Export the key again from the wallet it comes from, as Web3 Secret Storage version 3.',
  });
}
