import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

// Real sockets, disks and nodes: a test may take a while, and few run at once on a small machine.
export default defineConfig({
  resolve: { alias: [{ find: /^\.\/worker-file\.ts$/, replacement: path('test/built-worker-file.ts') }] },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/built-desk.ts'],
    exclude: ['test/e2e/**', 'test/bench/**'],
    testTimeout: 60_000,
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
