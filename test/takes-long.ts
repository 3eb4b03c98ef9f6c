/**
 * Test files that take longer than their names say: `npm test` leaves them to `npm run test:long`, so that it is done within
 * minutes. Named, each runs by itself like any other.
 */
export const TAKE_LONG: readonly string[] = [
  'test/app/desks-elsewhere.test.ts',
  'test/book/facts.test.ts',
  'test/chain/lying-node-model.test.ts',
  'test/crash/halt-race.test.ts',
  'test/crash/kill-under-load.test.ts',
  'test/crash/kill-while-archiving.test.ts',
  'test/desk/past-view.test.ts',
  'test/desk/replace-configuration.test.ts',
  'test/desk/terminal-tables.test.ts',
  'test/desk/traces/traces.test.ts',
  'test/hedge/market-hedge.test.ts',
  'test/hedge/still-live.test.ts',
  'test/hostile/break-off.test.ts',
  'test/hostile/one-bad-token.test.ts',
  'test/hostile/tampered-rows.test.ts',
  'test/journal/archive.test.ts',
  'test/journal/facts.test.ts',
  'test/journal/verify-tables.test.ts',
  'test/quoting/followed-depth.test.ts',
  'test/quoting/replay.test.ts',
  'test/e2e/alert-ways.spec.ts',
  'test/e2e/approvals.spec.ts',
  'test/e2e/hedge.spec.ts',
  'test/e2e/lost-answers.spec.ts',
  'test/e2e/past.spec.ts',
  'test/e2e/remote-key.spec.ts',
  'test/e2e/run-pages.spec.ts',
  'test/e2e/sources.spec.ts',
  'test/e2e/url-key.spec.ts',
  'test/e2e/what-if.spec.ts',
];

/** Whether only what is done within minutes is to run, as with `npm test`. */
export const isShort: boolean = process.env.MAKERDESK_SHORT === '1';
