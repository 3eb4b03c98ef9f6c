import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { PATIENCE } from './test/how-long.ts';
import { LongestFirst } from './test/longest-first.ts';
import { isShort, TAKE_LONG } from './test/takes-long.ts';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** `npm run test:long` runs the tests that take long, and those that depend on luck with larger numbers; `npm test` all others. */
const long = process.env.MAKERDESK_LONG === '1';
const dependsOnLuck = (file: string) => readFileSync(path(file), 'utf8').includes('howOften(');

const takesLong = (file: string) => file.endsWith('.long.test.ts') || TAKE_LONG.includes(file);

const wanted = globSync('test/**/*.test.ts', { cwd: path('.') })
  .filter((file) => !/^test\/(e2e|bench)\//.test(file))
  .filter((file) =>
    long ? takesLong(file) || dependsOnLuck(file) : !(isShort ? takesLong(file) : file.endsWith('.long.test.ts')),
  );

/**
 * A clock or module that a test puts in another's place is so for the whole process, as is what was loaded before, and what
 * kills is to be alone: each of these files has a process of its own. So does each of the hostile tests, beside which a second
 * desk runs. All others share two or three, which import and compile what they test once.
 */
const needsOwnProcess = (file: string) =>
  /^test\/crash\//.test(file) || /useFakeTimers\(|vi\.mock\(|createRequire\(/.test(readFileSync(path(file), 'utf8'));
const hostile = wanted.filter((file) => file.startsWith('test/hostile/'));
const own = wanted.filter((file) => !hostile.includes(file) && needsOwnProcess(file));
const shared = wanted.filter((file) => !hostile.includes(file) && !own.includes(file));

/** Before the tests, of a project that has more to begin with too: the first makes what all of them need. */
const BUILT = 'test/built-desk.ts';

// Real sockets, disks and nodes: a test may take a while, and few run at once on a small machine.
export default defineConfig({
  resolve: { alias: [{ find: /^\.\/journal-thread\.ts$/, replacement: path('test/reused-threads.ts') }] },
  test: {
    projects: [
      { extends: true, test: { name: 'own process', include: own } },
      { extends: true, test: { name: 'shared process', include: shared, isolate: false } },
      {
        extends: true,
        test: { name: 'hostile', include: hostile, globalSetup: [BUILT, 'test/hostile/second-desk.ts'] },
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
