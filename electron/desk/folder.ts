import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { homedir, platform, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where the operating system keeps a user's application data. */
function userDataFolder(environment: NodeJS.ProcessEnv): string {
  if (platform() === 'win32') return environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return environment.XDG_DATA_HOME || join(homedir(), '.local', 'share');
}

/**
 * The folder of a desk: the one given, else `$MAKERDESK_DATA`, else the user's data folder. The practice desk lives in
 * `practice/` of the default folder, and in the given folder itself when one is given. The app and the command line use
 * the same one.
 */
export function deskFolder(given: string | undefined, environment: NodeJS.ProcessEnv, practice: boolean): string {
  if (given !== undefined) return resolve(given);
  const base = environment.MAKERDESK_DATA || join(userDataFolder(environment), 'makerdesk');
  return resolve(practice ? join(base, 'practice') : base);
}

/** Makes the folder, readable by its owner only. */
export function makeDeskFolder(folder: string): void {
  mkdirSync(join(folder, 'logs'), { recursive: true, mode: 0o700 });
}

/** Longest path a Unix socket may have, with room for the terminating zero on every system. */
const MAX_SOCKET_PATH = 100;

/**
 * Where the command line reaches the running desk: `desk.sock` in the folder, a named pipe on Windows, or a name in the
 * temporary folder made from the folder's path where that path is too long for a socket.
 */
export function deskSocketPath(folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  if (platform() === 'win32') return `\\\\.\\pipe\\makerdesk-${name}`;
  const path = join(folder, 'desk.sock');
  return path.length <= MAX_SOCKET_PATH ? path : join(tmpdir(), `makerdesk-${name}.sock`);
}
