import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// Plain JavaScript, which runs before anything is installed; the type check does not look into it.
const { faultsOfImports } = await import(new URL('../../resources/setup/imports.mjs', import.meta.url).href);

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'makerdesk-imports-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What the check says about a project that consists of these files. */
function faultsIn(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return faultsOfImports(root);
}

const leaf = 'export const made = 1;';

test('imports may run downwards, over any number of rows', () => {
  const files = {
    'electron/cli.ts': "import '../resources/a.json' with { type: 'json' }; import './commands/serve.ts';",
    'electron/commands/serve.ts': "import '../desk/desk.ts';",
    'electron/desk/desk.ts': "import '../surface/a.ts'; import '../protocol/a.ts'; export const made = 1;",
    'electron/surface/a.ts': leaf,
    'electron/protocol/a.ts': leaf,
    'resources/a.json': '{}',
  };
  expect(faultsIn(files)).toEqual([]);
});

test.each([
  ['upwards', 'electron/quoting/a.ts', 'electron/surface/a.ts'],
  ['sideways', 'electron/book/a.ts', 'electron/chain/a.ts'],
  ['from the desk into the practice market', 'electron/desk/a.ts', 'electron/practice/a.ts'],
  ['from a command into the practice market', 'electron/commands/a.ts', 'electron/practice/a.ts'],
  ['from the practice market into a room of the desk', 'electron/practice/a.ts', 'electron/contract/a.ts'],
  ['from the preload past the contract', 'electron/preload.ts', 'electron/protocol/a.ts'],
  ['from the renderer past the contract', 'renderer/a.ts', 'electron/desk/a.ts'],
  ['from the main side into the renderer', 'electron/main.ts', 'renderer/a.ts'],
  ['into tests', 'electron/desk/a.ts', 'test/a.ts'],
  ['from the wire into what waits', 'electron/protocol/a.ts', 'electron/time/a.ts'],
  ['from a room nobody drew', 'electron/misc/a.ts', 'electron/protocol/a.ts'],
])('an import %s is refused', (_name, from, to) => {
  const way = `${'../'.repeat(from.split('/').length - 1)}${to}`;
  expect(faultsIn({ [from]: `import { made } from '${way}'; made;`, [to]: leaf })).toHaveLength(1);
});

test.each([
  ['a domain into the engine', 'electron/journal/group-commit.ts', 'electron/journal/fills/slice.ts'],
  ['a domain into a door', 'electron/journal/journal.ts', 'electron/journal/desk/slice.ts'],
  ['a domain into one below it', 'electron/journal/quotes/slice.ts', 'electron/journal/fills/slice.ts'],
  ['a slice into its own events', 'electron/journal/fills/events.ts', 'electron/journal/fills/slice.ts'],
  ['the list of domains into the engine', 'electron/journal/rebuild.ts', 'electron/journal/slices.ts'],
])('inside the journal an import of %s is refused', (_name, from, to) => {
  const way = `${'../'.repeat(from.split('/').length - 1)}${to}`;
  expect(
    faultsIn({ [from]: `import type { made } from '${way}'; export type Made = typeof made;`, [to]: leaf }),
  ).toEqual([expect.stringMatching(/journal/)]);
});

test.each([
  ['by an expression', "await import('../surface/a.ts');"],
  ['of a type', "import type { made } from '../surface/a.ts';"],
  ['in a type', "export type Made = typeof import('../surface/a.ts');"],
  ['by handing it on', "export const own = 1; export { made } from '../surface/a.ts';"],
])('an import %s counts like any other', (_name, text) => {
  expect(faultsIn({ 'electron/quoting/a.ts': text, 'electron/surface/a.ts': leaf })).toHaveLength(1);
});

test('the renderer may name types of the wire, and nothing of it that runs', () => {
  const files = {
    'electron/protocol/a.ts': leaf,
    'renderer/types.ts': "import type { made } from '../electron/protocol/a.ts'; export type Made = typeof made;",
    'renderer/value.ts': "import { made } from '../electron/protocol/a.ts'; made;",
  };
  expect(faultsIn(files)).toEqual([expect.stringMatching(/^renderer\/value\.ts/)]);
});

test('only the app speaks to Electron', () => {
  const text = "import { app } from 'electron'; app;";
  expect(faultsIn({ 'electron/app/window.ts': text, 'electron/desk/a.ts': text })).toEqual([
    expect.stringMatching(/^electron\/desk\/a\.ts → electron/),
  ]);
});

test('the wire is pure: it reads no file, no clock and no socket', () => {
  const files = { 'electron/protocol/a.ts': "import 'node:fs';", 'electron/protocol/b.ts': "import 'node:crypto';" };
  expect(faultsIn(files)).toEqual([expect.stringMatching(/^electron\/protocol\/a\.ts → node:fs/)]);
});

test('a circle is one within a room and of types alone as well', () => {
  const files = {
    'electron/hedge/venues/a.ts': "import type { B } from '../b.ts'; export type A = B;",
    'electron/hedge/b.ts': "import { c } from './c.ts'; export type B = typeof c;",
    'electron/hedge/c.ts': "export const c = 1; export type C = import('./venues/a.ts').A;",
    'renderer/state/a.ts': "import { useB } from './b.tsx'; export const useA = useB;",
    'renderer/state/b.tsx': "import type { useA } from './a.ts'; export const useB = 1; export type A = typeof useA;",
  };
  expect(faultsIn(files).map((fault) => fault.replace(/^.*: /, ''))).toEqual([
    'a circle of imports',
    'a circle of imports',
  ]);
});

test('circles, barrels and imports that lead nowhere are named', () => {
  const files = {
    'electron/book/a.ts': "import './b.ts'; export const a = 1;",
    'electron/book/b.ts': "import './a.ts';",
    'electron/book/index.ts': "export * from './a.ts';",
    'electron/book/c.ts': "import './gone.ts';",
  };
  expect(faultsIn(files)).toEqual([
    expect.stringMatching(/^electron\/book\/c\.ts → electron\/book\/gone\.ts/),
    expect.stringMatching(/^electron\/book\/index\.ts: it only hands on/),
    'electron/book/a.ts → electron/book/b.ts → electron/book/a.ts: a circle of imports',
  ]);
});
