import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

export function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

/** An error whose text is all a person needs to see. */
export function sentence(text) {
  return Object.assign(new Error(text), { sentence: text });
}

/** What set-up has to say goes to stderr: stdout belongs to the command that follows. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** The JavaScript file behind a command of an installed package, to be run with this Node. */
export function commandOf(packageName, command) {
  const { bin } = readJson(`node_modules/${packageName}/package.json`);
  return join(root, 'node_modules', packageName, typeof bin === 'string' ? bin : bin[command]);
}
