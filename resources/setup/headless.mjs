#!/usr/bin/env node
// The `makerdesk` command of the npm package: the built command line, under a Node that is new enough.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installedNode, isNewEnough, NEEDED } from './newer-node.mjs';
import { exitLike, run } from './processes.mjs';
import { root, say } from './project.mjs';

const CLI = join(root, 'out', 'main', 'cli.js');
const args = process.argv.slice(2);
const newer = isNewEnough(process.versions.node) ? null : installedNode();

if (isNewEnough(process.versions.node)) {
  process.argv = [process.execPath, CLI, ...args];
  await import(pathToFileURL(CLI).href);
} else if (newer !== null) {
  exitLike(await run(newer, [CLI, ...args], { cwd: process.cwd() }));
} else {
  say(
    `Makerdesk needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}, and none came with the package for ` +
      `${process.platform}-${process.arch}. Install one from https://nodejs.org.`,
  );
  process.exitCode = 1;
}
