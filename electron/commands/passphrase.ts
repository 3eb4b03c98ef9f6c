import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { DeskError } from '../protocol/desk-error.ts';

/**
 * The passphrase of the keystore: from `MAKERDESK_PASSPHRASE`, else asked for at the terminal without showing it.
 * Never from an argument, which other users of the machine could read.
 */
export async function readPassphrase(question: string): Promise<string> {
  const given = process.env.MAKERDESK_PASSPHRASE;
  if (given !== undefined && given !== '') return given;
  if (!process.stdin.isTTY) {
    throw new DeskError('no_passphrase', 'There is no passphrase and no terminal to ask for it.', {
      remedy: 'Set MAKERDESK_PASSPHRASE.',
    });
  }
  process.stderr.write(`${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await terminal.question('');
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
