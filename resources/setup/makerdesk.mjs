import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureBuilt } from './build.mjs';
import { root } from './project.mjs';

const CLI = join(root, 'out', 'main', 'cli.js');

/** `npm run makerdesk -- …`: the command line, in this process, so that signals and exit codes are its own. */
export async function run(args) {
  // A halt takes the build that is there: it must work while somebody's sources do not.
  if (!(args.includes('halt') && existsSync(CLI))) await ensureBuilt();
  process.argv = [process.execPath, CLI, ...args];
  await import(pathToFileURL(CLI).href);
}
