import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** `npm run test:long` runs the tests that take long, and those that depend on luck with larger numbers; `npm test` all others. */
const long = process.env.MAKERDESK_LONG === '1';
const dependsOnLuck = (file: string) => readFileSync(path(file), 'utf8').includes('howOften(');

const wanted = [
  ...globSync(long ? 'test/**/*.long.test.ts' : 'test/**/*.test.ts', { cwd: path('.') }),
  ...(long ? globSync('test/**/*.test.ts', { cwd: path('.') }).filter(dependsOnLuck) : []),
].filter((file) => !/^test\/(e2e|bench)\//.test(file) && (long || !file.endsWith('.long.test.ts')));

/**
 * Whole desks, watchers of chains and hedges run on until their process ends, and a clock or module that a test puts in
 * another's place is so for the whole process, as is what was loaded before: each of these files has a process of its own.
 * All others share two, which import and compile what they test once.
 */
const needsOwnProcess = (file: string) =>
  /^test\/(chain|crash|desk|hedge|hostile)\//.test(file) ||
  /useFakeTimers\(|vi\.mock\(|createRequire\(/.test(readFileSync(path(file), 'utf8'));
const own = wanted.filter(needsOwnProcess);
const shared = wanted.filter((file) => !own.includes(file));

// Real sockets, disks and nodes: a test may take a while, and few run at once on a small machine.
export default defineConfig({
  resolve: { alias: [{ find: /^\.\/journal-thread\.ts$/, replacement: path('test/reused-threads.ts') }] },
  test: {
    projects: [
      { extends: true, test: { name: 'own process', include: own } },
      { extends: true, test: { name: 'shared process', include: shared, isolate: false } },
    ],
    globalSetup: ['test/built-desk.ts'],
    testTimeout: long ? 300_000 : 60_000,
    hookTimeout: 60_000,
    // What is waited for comes when the machine gets to it.
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    maxWorkers: 2,
    // Threads that come and go by the hundred and compile WebAssembly (Node's own, for TypeScript) trip over V8's
    // bookkeeping of protected pages: "Check failed: jit_page.has_value()" (nodejs/node#64500). The built desk has none.
    execArgv: ['--no-memory-protection-keys'],
  },
});
