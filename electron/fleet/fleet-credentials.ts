import { readFileSync, statSync } from 'node:fs';
import { type Authenticator, credsAuthenticator, nkeyAuthenticator } from '@nats-io/transport-node';
import { DeskError } from '../protocol/desk-error.ts';

/**
 * How a user shows who it is, by a file with its JWT and its seed, or the seed alone. The file is read anew for every connection: one that
 * was renewed is taken without a start; while it cannot be read, what stood there before is. Throws DeskError `bad_credentials_file`.
 */
export function authenticatorFrom(file: string): Authenticator {
  let known = readFrom(file);
  return (nonce) => {
    try {
      known = readFrom(file);
    } catch {
      // An error in here would end the connection for good.
    }
    return known(nonce);
  };
}

function readFrom(file: string): Authenticator {
  let text: string;
  let mode: number;
  try {
    text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();
    mode = statSync(file).mode;
  } catch (cause) {
    throw new DeskError('bad_credentials_file', `The file of credentials ${file} cannot be read.`, { cause });
  }
  // Windows has rights of another kind.
  if (process.platform !== 'win32' && (mode & 0o007) !== 0) {
    throw new DeskError('bad_credentials_file', `Every user of this machine may read or write ${file}, or run it.`, {
      remedy: `Where others may have read it, make new credentials. Then: chmod 600 ${file}`,
    });
  }
  const bytes = Buffer.from(`${text}\n`);
  const found = /^SU[A-Z2-7]+$/.test(text) ? nkeyAuthenticator(Buffer.from(text)) : credsAuthenticator(bytes);
  try {
    found('a nonce');
    return found;
  } catch (cause) {
    throw new DeskError('bad_credentials_file', `${file} has neither a user’s JWT with its seed nor a seed.`, {
      remedy: 'Give the .creds file of the user, or a file with its NKey seed.',
      cause,
    });
  }
}
