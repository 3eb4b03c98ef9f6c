import { createCipheriv, createDecipheriv, randomBytes as systemRandomBytes } from 'node:crypto';
import { z } from 'zod';
import { DeskError } from '../protocol/desk-error.ts';
import { passphraseKey } from './passphrase-key.ts';

const DEFAULT_COST = 32_768;
const base64 = z.base64();

const sealedSchema = z.strictObject({
  version: z.literal(1),
  kdf: z.literal('scrypt'),
  n: z.int().min(2).max(131_072),
  r: z.literal(8),
  p: z.literal(1),
  salt: base64,
  cipher: z.literal('aes-256-gcm'),
  iv: base64,
  tag: base64,
  ciphertext: base64,
});
type Sealed = z.infer<typeof sealedSchema>;

export interface SealOptions {
  randomBytes?: (size: number) => Buffer;
  /** The scrypt cost N; a power of two. */
  scryptCost?: number;
}

/** Seals a text with a passphrase: scrypt, then AES-256-GCM, so that a change of any byte is noticed. */
export async function sealText(text: string, passphrase: string, options: SealOptions = {}): Promise<string> {
  const random = options.randomBytes ?? systemRandomBytes;
  const [salt, iv, n] = [random(32), random(12), options.scryptCost ?? DEFAULT_COST];
  const cipher = createCipheriv('aes-256-gcm', await keyFor(passphrase, salt, n), iv);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const sealed: Sealed = {
    version: 1,
    kdf: 'scrypt',
    n,
    r: 8,
    p: 1,
    salt: salt.toString('base64'),
    cipher: 'aes-256-gcm',
    iv: iv.toString('base64'),
    tag: cipher.getAuthTag().toString('base64'),
    ciphertext: ciphertext.toString('base64'),
  };
  return `${JSON.stringify(sealed, null, 2)}\n`;
}

/** Opens what `sealText` sealed. Throws DeskError `wrong_passphrase` or `bad_seal`. */
export async function openSealedText(text: string, passphrase: string): Promise<string> {
  const sealed = parseSealed(text);
  const bytes = (value: string) => Buffer.from(value, 'base64');
  const key = await keyFor(passphrase, bytes(sealed.salt), sealed.n);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(sealed.iv), { authTagLength: 16 });
    decipher.setAuthTag(bytes(sealed.tag));
    return Buffer.concat([decipher.update(bytes(sealed.ciphertext)), decipher.final()]).toString('utf8');
  } catch {
    throw new DeskError(
      'wrong_passphrase',
      'The passphrase does not open the sealed secrets, or the file was changed.',
      {
        remedy: 'Give the passphrase of the keystore, or bring the secrets again with `makerdesk import`.',
      },
    );
  }
}

function parseSealed(text: string): Sealed {
  try {
    return sealedSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DeskError('bad_seal', 'The file of sealed secrets does not have the right form.', {
      remedy: 'Bring the secrets again with `makerdesk import`.',
      cause,
    });
  }
}

async function keyFor(passphrase: string, salt: Buffer, n: number): Promise<Buffer> {
  const kdfparams = { dklen: 32, n, r: 8, p: 1, salt: salt.toString('hex') } as const;
  const key = await passphraseKey({ kdf: 'scrypt', kdfparams }, passphrase);
  return Buffer.from(key.slice(2), 'hex');
}
