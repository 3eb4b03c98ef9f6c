import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** `npm run test:long` runs the tests that take long, and those that depend on luck with larger numbers; `npm test` all others. */
const long = process.env.MAKERDESK_LONG === '1';
const dependsOnLuck = (file: string) => readFileSync(path(file), 'utf8').includes('howOften(');

// Real sockets, disks and nodes: a test may take a while, and few run at once on a small machine.
export default defineConfig({
  resolve: { alias: [{ find: /^\.\/journal-thread\.ts$/, replacement: path('test/reused-threads.ts') }] },
  test: {
    include: long
      ? ['test/**/*.long.test.ts', ...globSync('test/**/*.test.ts', { cwd: path('.') }).filter(dependsOnLuck)]
      : ['test/**/*.test.ts'],
    globalSetup: ['test/built-desk.ts'],
    exclude: ['test/e2e/**', 'test/bench/**', ...(long ? [] : ['test/**/*.long.test.ts'])],
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
