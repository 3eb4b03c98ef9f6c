import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run as runProgram } from './processes.mjs';
import { commandOf, root, say, sentence } from './project.mjs';

/** What the build is made from. */
const SOURCES = ['electron', 'renderer', 'resources', 'electron.vite.config.ts', 'package.json', 'package-lock.json'];

const STAMP = join(root, 'out', '.built-from');

/** `npm run build`: builds in any case. */
export async function run() {
  await build();
}

/** Builds when a source changed, came or went since the last build. */
export async function ensureBuilt() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint()) return;
  await build();
}

async function build() {
  say('Building…');
  const from = fingerprint();
  const args = [commandOf('electron-vite', 'electron-vite'), 'build', '--logLevel', 'warn'];
  const end = await runProgram(process.execPath, args, { stdio: ['ignore', 2, 2] });
  if (end.code !== 0) throw sentence('The build failed; what it said stands above.');
  writeFileSync(STAMP, from);
}

/** Path, size and time of change of every source file. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const source of SOURCES) addTo(hash, source);
  return hash.digest('hex');
}

function addTo(hash, path) {
  const facts = statSync(join(root, path));
  if (!facts.isDirectory()) {
    hash.update(`${path}\0${facts.size}\0${facts.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(join(root, path)).sort()) addTo(hash, `${path}/${name}`);
}
