import { createCipheriv, createDecipheriv, createHash, randomBytes as systemRandomBytes } from 'node:crypto';
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

/** Whether a text has the form of a sealed one; whether it opens is another matter. */
export function isSealedText(text: string): boolean {
  try {
    return sealedSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}

export interface SealOptions {
  randomBytes?: (size: number) => Buffer;
  /** The scrypt cost N; a power of two. */
  scryptCost?: number;
  /** The sealed text that this takes the place of: where its key is known, none is derived anew. */
  before?: string | null;
}

/** Keys that opened or sealed something, newest last: who seals anew every few seconds need not pay for the passphrase each time. */
const known = new Map<string, Buffer>();
const MOST_KNOWN = 4;

/** Seals a text with a passphrase: scrypt, then AES-256-GCM, so that a change of any byte is noticed. */
export async function sealText(text: string, passphrase: string, options: SealOptions = {}): Promise<string> {
  const { randomBytes: random = systemRandomBytes, scryptCost: n = DEFAULT_COST, before } = options;
  const salt = saltOf(before, passphrase, n) ?? random(32);
  const iv = random(12);
  const key = await keyFor(passphrase, salt, n);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  keep(passphrase, salt, n, key);
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
  const salt = bytes(sealed.salt);
  const key = await keyFor(passphrase, salt, sealed.n);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes(sealed.iv), { authTagLength: 16 });
    decipher.setAuthTag(bytes(sealed.tag));
    const text = Buffer.concat([decipher.update(bytes(sealed.ciphertext)), decipher.final()]).toString('utf8');
    keep(passphrase, salt, sealed.n, key);
    return text;
  } catch {
    throw new DeskError(
      'wrong_passphrase',
      'The passphrase does not open the sealed secrets, or the file was changed.',
      {
        remedy:
          'Give the passphrase that they were sealed with. Where it does not open them any more, move secrets.json out of the folder, and bring the secrets again with "makerdesk import".',
      },
    );
  }
}

function parseSealed(text: string): Sealed {
  try {
    return sealedSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw badSeal(cause);
  }
}

/** Says that what is sealed, or what was in it, are no secrets of a desk. */
export function badSeal(cause: unknown): DeskError {
  return new DeskError('bad_seal', 'The file of sealed secrets does not have the right form.', {
    remedy: 'Move secrets.json out of the folder, and bring the secrets again with "makerdesk import".',
    cause,
  });
}

/** The salt of what was sealed before, where its key is known and costs as much. */
function saltOf(before: string | null | undefined, passphrase: string, n: number): Buffer | null {
  if (before == null) return null;
  try {
    const sealed = parseSealed(before);
    const salt = Buffer.from(sealed.salt, 'base64');
    return sealed.n === n && known.has(nameOf(passphrase, salt, n)) ? salt : null;
  } catch {
    return null;
  }
}

function keep(passphrase: string, salt: Buffer, n: number, key: Buffer): void {
  const name = nameOf(passphrase, salt, n);
  known.delete(name);
  known.set(name, key);
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
}

function nameOf(passphrase: string, salt: Buffer, n: number): string {
  return createHash('sha256').update(`${n}\0`).update(salt).update(passphrase).digest('hex');
}

async function keyFor(passphrase: string, salt: Buffer, n: number): Promise<Buffer> {
  const found = known.get(nameOf(passphrase, salt, n));
  if (found !== undefined) return found;
  const kdfparams = { dklen: 32, n, r: 8, p: 1, salt: salt.toString('hex') } as const;
  const key = await passphraseKey({ kdf: 'scrypt', kdfparams }, passphrase);
  return Buffer.from(key.slice(2), 'hex');
}
