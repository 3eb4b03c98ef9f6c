import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, root } from './project.mjs';

const STAMP = join(root, 'node_modules', '.makerdesk-installed');

/**
 * Whether node_modules holds what package-lock.json says: every package this machine wants, in its version. An optional
 * one may be missing where it does not name this kind of machine (it then belongs to one that is for another), or where
 * `npm ci` was run for this lock file already (then the registry does not have it).
 */
export function isInstalled() {
  if (!existsSync(join(root, 'node_modules', '.package-lock.json'))) return false;
  const there = readJson('node_modules/.package-lock.json').packages;
  const tried = existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockFingerprint();
  return Object.entries(readJson('package-lock.json').packages).every(([path, wanted]) => {
    if (path === '' || !isForThisMachine(wanted)) return true;
    const found = there[path] !== undefined && existsSync(join(root, path, 'package.json'));
    if (!found) return wanted.optional === true && (tried || !namesMachine(wanted));
    return there[path].version === wanted.version && there[path].integrity === wanted.integrity;
  });
}

/** Remembers that `npm ci` was run for the lock file as it is now. */
export function rememberInstalled() {
  writeFileSync(STAMP, lockFingerprint());
}

function lockFingerprint() {
  const hash = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return `${hash} ${process.platform} ${process.arch}\n`;
}

function isForThisMachine({ os, cpu, libc }) {
  return allows(os, process.platform) && allows(cpu, process.arch) && (libc === undefined || allows(libc, thisLibc()));
}

function namesMachine({ os, cpu }) {
  return os !== undefined || cpu !== undefined;
}

/** npm's rule: a list of names, or of names with `!`, which are not allowed. */
function allows(list, name) {
  if (list === undefined) return true;
  const names = [list].flat();
  if (names.includes(`!${name}`)) return false;
  const wanted = names.filter((entry) => !entry.startsWith('!'));
  return wanted.length === 0 || wanted.includes(name);
}

let libcName;

function thisLibc() {
  if (process.platform !== 'linux') return null;
  libcName ??= process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
  return libcName;
}
