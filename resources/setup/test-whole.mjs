import { runSteps } from './test.mjs';

/** `npm run test:whole`: all of the tests that `npm test` leaves, also those that take longest, with the largest numbers. */
export function run() {
  return runSteps(['build', 'tests', 'e2e'], { MAKERDESK_LONG: '1' });
}
