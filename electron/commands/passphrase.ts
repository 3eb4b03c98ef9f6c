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
  passphrase ??= readHidden({ variable: 'MAKERDESK_PASSPHRASE', question, code: 'no_passphrase' });
  return passphrase;
}
