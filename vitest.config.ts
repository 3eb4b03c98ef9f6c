import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PATIENCE } from './test/how-long.ts';
import { LongestFirst } from './test/longest-first.ts';
import { isHalfHour, isShort, TAKE_LONG, TAKE_LONGEST } from './test/takes-long.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** `npm run test:long` and `test:whole` run the tests that take long, and those that depend on luck with larger numbers; `npm test` all others. */
const long = process.env.MAKERDESK_LONG === '1';
const textOf = (file: string) => readFileSync(path(file), 'utf8');
const dependsOnLuck = (file: string) => textOf(file).includes('howOften(');

const isLeft = (file: string) => isHalfHour && TAKE_LONGEST.includes(file);
const takesLong = (file: string) => file.endsWith('.long.test.ts') || TAKE_LONG.includes(file);

const wanted = globSync('test/**/*.test.ts', { cwd: path('.') })
  .filter((file) => !/^test\/(e2e|bench)\//.test(file))
  .filter((file) =>
    long
      ? (takesLong(file) || dependsOnLuck(file)) && !isLeft(file)
      : !(isShort ? takesLong(file) : file.endsWith('.long.test.ts')),
  );

/**
 * Files share a process, two or three at a time, which imports and compiles what they test once. What kills is to be alone, and so
 * is what looks at all that a process has loaded. The short hostile tests share with one another, for beside them a second desk runs;
 * and those that put a clock in the place of the process's own, which is seen by whatever another file has left running there.
 */
const hostile = wanted.filter((file) => file.startsWith('test/hostile/'));
const others = wanted.filter((file) => !hostile.includes(file));
const own = others.filter((file) => /^test\/crash\//.test(file) || /vi\.mock\(|createRequire\(/.test(textOf(file)));
const clocks = others.filter((file) => !own.includes(file) && textOf(file).includes('useFakeTimers('));
const shared = others.filter((file) => !own.includes(file) && !clocks.includes(file));

/** Before the tests, of a project that has more to begin with too: the first makes what all of them need. */
const BUILT = 'test/built-desk.ts';

// Real sockets, disks and nodes: a test may take a while, and few run at once on a small machine.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^\.\/journal-thread\.ts$/, replacement: path('test/reused-threads.ts') },
      { find: /^\.\/key-derivation\.ts$/, replacement: path('test/reused-key-thread.ts') },
    ],
  },
  test: {
    projects: [
      { extends: true, test: { name: 'own process', include: own } },
      { extends: true, test: { name: 'own clock', include: clocks, isolate: false } },
      { extends: true, test: { name: 'shared process', include: shared, isolate: false } },
      {
        extends: true,
        test: {
          name: 'hostile',
          include: hostile,
          isolate: long,
          globalSetup: [BUILT, 'test/hostile/second-desk.ts'],
        },
      },
    ],
    globalSetup: [BUILT],
    testTimeout: long ? 1_800_000 : 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    // What is waited for comes when the machine gets to it; for `vi.waitFor` the setup file says so.
    expect: { poll: { timeout: PATIENCE } },
    setupFiles: ['test/patience.ts'],
    pool: 'forks',
    // They wait for blocks and clocks half of their time.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Threads that come and go by the hundred and compile WebAssembly (Node's own, for TypeScript) trip over V8's
    // bookkeeping of protected pages: "Check failed: jit_page.has_value()" (nodejs/node#64500). The built desk has none.
    execArgv: ['--no-memory-protection-keys'],
  },
});
