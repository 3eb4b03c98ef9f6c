import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isInstalled, rememberInstalled } from './installed.mjs';
import { installedNode, isNewEnough, NEEDED } from './newer-node.mjs';
import { endWithNpm, exitLike, run } from './processes.mjs';
import { root, say, sentence } from './project.mjs';

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
  const newer = installedNode();
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
