import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { commandOf, readJson, root, say } from './project.mjs';

/** A download without any progress for this long is given up. */
const PATIENCE_MS = 20_000;

/** The path of the Electron binary, fetched when it is missing, or null and a sentence that says why not. */
export async function ensureElectron() {
  const there = electronPath();
  if (there !== null) return { path: there };
  say(`Fetching Electron ${readJson('node_modules/electron/package.json').version}…`);
  const reason = await fetchElectron();
  const path = electronPath();
  if (path !== null) return { path };
  return { path: null, reason: `Electron cannot be had here: ${reason}.` };
}

/** Where the `electron` package would find its binary, or null when none is there. */
function electronPath() {
  const folder = join(root, 'node_modules', 'electron');
  const listed = existsSync(join(folder, 'path.txt')) ? readFileSync(join(folder, 'path.txt'), 'utf8') : null;
  const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  const path = given ? join(given, listed ?? 'electron') : listed === null ? null : join(folder, 'dist', listed);
  return path !== null && existsSync(path) ? path : null;
}

/** Runs the package's own installer; answers why it did not succeed, where it did not. */
async function fetchElectron() {
  const temporary = mkdtempSync(join(tmpdir(), 'makerdesk-electron-'));
  const lines = [];
  let stalled = false;
  let watch;
  try {
    const end = await run(process.execPath, [commandOf('electron', 'install-electron')], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
      started: (child) => {
        child.stderr.on('data', (data) => lines.push(String(data)));
        watch = onStall([temporary, join(root, 'node_modules', 'electron', 'dist')], () => {
          stalled = true;
          child.kill('SIGKILL');
        });
      },
    });
    if (end.code === 0) return 'its installer ended without an error, but the binary is not there';
  } finally {
    clearInterval(watch);
    rmSync(temporary, { recursive: true, force: true });
  }
  if (stalled) return `the download made no progress for ${PATIENCE_MS / 1000} s`;
  return `the download failed (${lines.join('').split('\n')[0]})`;
}

/** Calls `stop` once the files in `folders` have not grown for as long as the patience lasts. */
function onStall(folders, stop) {
  let size = -1;
  let since = Date.now();
  return setInterval(() => {
    const now = folders.reduce((sum, folder) => sum + sizeOf(folder), 0);
    if (now !== size) {
      size = now;
      since = Date.now();
    } else if (Date.now() - since >= PATIENCE_MS) stop();
  }, 500);
}

function sizeOf(path) {
  try {
    const facts = statSync(path);
    if (!facts.isDirectory()) return facts.size;
    return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
  } catch {
    return 0; // came or went while we looked
  }
}
