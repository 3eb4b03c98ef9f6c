import { z } from 'zod';

/** Longer than anybody types, and than what a password manager makes. */
export const passphraseSchema = z.string().min(1, 'must not be empty').max(1_000, 'must be 1,000 characters at most');

/** Shorter ones are tried through on one machine in days: the keystore's derivation allows it about a try a second. */
export const LEAST_PASSPHRASE = 12;

/** One that a person sets in the window. */
export const newPassphraseSchema = passphraseSchema.min(
  LEAST_PASSPHRASE,
  `must be ${LEAST_PASSPHRASE} characters or more`,
);
