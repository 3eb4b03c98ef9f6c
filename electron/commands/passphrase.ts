import { readHidden } from './hidden-text.ts';

/** The passphrase of the keystore: from `MAKERDESK_PASSPHRASE`, else asked for. Throws DeskError `no_passphrase`. */
export function readPassphrase(question: string): Promise<string> {
  return readHidden({ variable: 'MAKERDESK_PASSPHRASE', question, code: 'no_passphrase' });
}
