import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { homedir, platform, userInfo } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { DeskError } from '../protocol/desk-error.ts';
import { systemFault } from '../protocol/system-fault.ts';

/** Where the operating system keeps a user's application data. */
function userDataFolder(environment: NodeJS.ProcessEnv): string {
  if (platform() === 'win32') return environment.APPDATA ?? join(homedir(), 'AppData', 'Roaming');
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support');
  return environment.XDG_DATA_HOME || join(homedir(), '.local', 'share');
}

/** How the folder of a desk is called where nobody named another. */
const DEFAULT_NAME = 'makerdesk';

/**
 * The folder of a desk: the one given, else `$MAKERDESK_DATA`, else the user's data folder. The practice desk lives in
 * `practice/` of the default folder, and in the given folder itself when one is given. The app and the command line use
 * the same one.
 */
export function deskFolder(given: string | undefined, environment: NodeJS.ProcessEnv, practice: boolean): string {
  if (given !== undefined) return resolve(given);
  const base = environment.MAKERDESK_DATA || join(userDataFolder(environment), DEFAULT_NAME);
  return resolve(practice ? join(base, 'practice') : base);
}

/** Throws DeskError `folder_unusable` where a file was named as the folder of a desk, such as a backup. */
export function expectNoFile(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile() !== true) return;
  throw new DeskError('folder_unusable', `${folder} is a file, and a desk has a folder.`, {
    remedy:
      'Name the folder that it is in. A backup is checked in a folder of its own: copy it there as journal.db, and the folder archive beside it, then "makerdesk verify --data" with that folder. What it lacks is journal.head alone, which is in no backup.',
  });
}

/**
 * Where the witnesses of a user's desks lie, outside their folders: `$MAKERDESK_STATE`, else the place where the operating
 * system keeps a program's state.
 */
export function witnessFolder(environment: NodeJS.ProcessEnv): string {
  if (environment.MAKERDESK_STATE) return resolve(environment.MAKERDESK_STATE);
  if (platform() === 'win32') {
    return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'makerdesk-state');
  }
  if (platform() === 'darwin') return join(homedir(), 'Library', 'Application Support', 'makerdesk-state');
  return join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'makerdesk');
}

/** What a desk writes into its folder, with what SQLite keeps beside a database and what a write that broke off has left. */
const OF_A_DESK =
  /^(journal\.(db.*|head)|lock\.db.*|(keystore|secrets|fleet|surface)\.json|armed|draining|broke-off|desk\.(pid|sock)|logs|archive|market|practice|\..*\.(tmp|part))$/;

/**
 * Makes the folder where it is not there, and sees to it that only its owner reads and writes it and what a desk has in it: who
 * can read it has the signatures, and who can open a database of it can stop the desk. Windows keeps a user's folders so.
 * A folder that others may read and that has no desk in it, but other things, stays as it is: its owner did not mean it. Throws DeskError
 * `folder_unusable` then, `folder_open_to_others` where rights cannot be changed.
 */
export function makeDeskFolder(folder: string): void {
  const logs = join(folder, 'logs');
  try {
    makeWritable(folder);
    expectNotForeign(folder);
    makeWritable(logs);
    if (platform() === 'win32') return;
    for (const path of [folder, logs]) {
      closeToOthers(path, folder);
      for (const name of readdirSync(path)) {
        const isOfDesk = path === logs ? name.endsWith('.log') : OF_A_DESK.test(name);
        if (isOfDesk) closeToOthers(join(path, name), folder);
        else expectOwn(join(path, name), folder);
      }
    }
  } catch (cause) {
    if (cause instanceof DeskError) throw cause;
    const why = systemFault(cause);
    throw new DeskError(
      'folder_unusable',
      `The folder ${folder} cannot be used for a desk${why === null ? '' : `: ${why}`}.`,
      {
        remedy: `See that ${userInfo().username} owns it and may write it and its disk, or choose another one with --data.`,
        cause,
      },
    );
  }
}

function makeWritable(path: string): void {
  makeFolders(path);
  accessSync(path, constants.W_OK);
}

/** One after the other: where the system makes no folder, as under /proc, Node tries a recursive `mkdir` for ever. */
function makeFolders(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolders(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // another process made it meanwhile
  }
}

/** Throws DeskError `folder_unusable` where the folder is open to others and has something in it, and no desk. */
function expectNotForeign(folder: string): void {
  if (platform() === 'win32' || (statSync(folder).mode & OTHERS) === 0) return;
  if (basename(folder) === DEFAULT_NAME) return; // a Mac gives it to what the app's windows keep as well
  const names = readdirSync(folder);
  if (names.includes('journal.db') || names.includes('keystore.json')) return;
  if (names.every((name) => OF_A_DESK.test(name))) return;
  throw new DeskError(
    'folder_unusable',
    `The folder ${folder} is no desk’s: it has other things in it, and other users of this machine may read it.`,
    {
      remedy: `Name the desk’s folder with --data, or an empty one. Only where it is to have a desk: chmod go= '${folder}'.`,
    },
  );
}

const OTHERS = 0o077;

/** Takes everybody else's rights to a file or folder. Links are left: they have none of their own. */
function closeToOthers(path: string, folder: string): void {
  const before = expectOwn(path, folder);
  if (before === null || (before.mode & OTHERS) === 0) return;
  try {
    chmodSync(path, before.mode & 0o700);
  } catch (cause) {
    throw openToOthers(path, folder, cause);
  }
  // Some disks take the command and keep no rights.
  if ((lstatSync(path).mode & OTHERS) !== 0) throw openToOthers(path, folder);
}

/** A file or folder as it is, null where there is none or a link. Throws DeskError `folder_open_to_others` where somebody else owns it. */
function expectOwn(path: string, folder: string): Stats | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return null;
  const uid = process.geteuid?.();
  if (uid !== 0 && found.uid !== uid) throw openToOthers(path, folder);
  return found;
}

function openToOthers(path: string, folder: string, cause?: unknown): DeskError {
  const { username } = userInfo();
  return new DeskError('folder_open_to_others', `Other users of this machine can get at ${path}.`, {
    remedy: `Make it ${username}'s alone: sudo chown -R ${username} '${folder}' && sudo chmod -R go= '${folder}'. Where its disk keeps no rights, choose a folder on another one with --data.`,
    cause,
  });
}

/** Longest path a Unix socket may have, with room for the terminating zero on every system. */
const MAX_SOCKET_PATH = 100;

/**
 * Where the command line reaches the running desk: `desk.sock` in the folder, a named pipe on Windows. Where that path is too
 * long for a socket it is a name in a folder of the user's own, which no variable of the environment moves and where nobody
 * else can listen first. Throws DeskError `folder_unusable` or `folder_open_to_others` where there can be none.
 */
export function deskSocketPath(folder: string, home = userInfo().homedir): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 24);
  if (platform() === 'win32') return `\\\\.\\pipe\\makerdesk-${name}`;
  const path = join(folder, 'desk.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH) return path;
  const own = join(home, '.makerdesk');
  const short = join(own, `${name}.sock`);
  try {
    if (Buffer.byteLength(short) > MAX_SOCKET_PATH) throw new Error('its path is too long as well');
    mkdirSync(own, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new DeskError(
      'folder_unusable',
      `The path of ${folder} is too long for a socket, and ${own} cannot have it.`,
      {
        remedy: 'Choose a folder with a path of at most 90 characters with --data.',
        cause,
      },
    );
  }
  closeToOthers(own, own);
  return short;
}
