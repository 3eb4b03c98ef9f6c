import { runSteps } from './test.mjs';

/**
 * `npm run test:long`: the tests whose name ends in `.long` or stands in test/takes-long.ts, and larger numbers for those that depend on
 * luck, but for what takes longest.
 */
export function run() {
  return runSteps(['build', 'tests', 'e2e'], { MAKERDESK_LONG: '1', MAKERDESK_HALF_HOUR: '1' });
}
