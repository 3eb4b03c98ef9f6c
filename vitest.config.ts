import { defineConfig } from 'vitest/config';

// Real sockets, disks and nodes: a test may take a while, and few run at once on a small machine.
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/e2e/**', 'test/bench/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
