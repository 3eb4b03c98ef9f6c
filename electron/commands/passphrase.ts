import { readHidden } from './hidden-text.ts';

let passphrase: Promise<string> | undefined;

/** Whether it can be had without asking anybody. */
export function hasPassphrase(): boolean {
  return passphrase !== undefined || (process.env.MAKERDESK_PASSPHRASE ?? '') !== '';
}

/**
 * The passphrase of the keystore: taken from `MAKERDESK_PASSPHRASE`, else asked for; once, however often a command needs it.
 * Throws DeskError `no_passphrase`.
 */
export function readPassphrase(question: string): Promise<string> {
  passphrase ??= takePassphrase(question);
  return passphrase;
}

/** The same, and nothing here remembers it: a desk that runs lets go of it when it is locked. */
export function takePassphrase(question: string): Promise<string> {
  return readHidden({ variable: 'MAKERDESK_PASSPHRASE', question, code: 'no_passphrase' });
}
