import { existsSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/** How many tests passed, failed and were skipped, and the names of the latter two with their reasons, from vitest's JSON. */
export function readVitestReport(file) {
  if (!existsSync(file)) return {};
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return tally(
    testResults.flatMap((suite) => [
      // A file that could not be read as a test has no test in it, and one message.
      ...(suite.assertionResults.length === 0 && suite.status === 'failed'
        ? [{ status: 'failed', name: suite.name, reason: suite.message }]
        : []),
      ...suite.assertionResults.map(({ status, fullName, failureMessages = [] }) => ({
        status,
        name: fullName,
        reason: failureMessages.join('\n') || null,
      })),
    ]),
  );
}

/** The same from Playwright's JSON, where a skipped test may say why, too. */
export function readPlaywrightReport(file) {
  if (!existsSync(file)) return {};
  return tally(JSON.parse(readFileSync(file, 'utf8')).suites.flatMap((suite) => testsIn(suite, [])));
}

const PLAYWRIGHT_STATUS = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' };

function testsIn({ title, specs = [], suites = [] }, above) {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, annotations, results }) => ({
      status: PLAYWRIGHT_STATUS[status],
      name: [...path, spec.title].join(' › '),
      reason:
        annotations.find(({ type }) => type === 'skip')?.description ??
        (results.flatMap(({ errors }) => errors.map(({ message }) => message)).join('\n') || null),
    })),
  );
  return [...own, ...suites.flatMap((suite) => testsIn(suite, path))];
}

function tally(tests) {
  const having = (...statuses) => tests.filter(({ status }) => statuses.includes(status));
  const failed = having('failed');
  const skipped = having('skipped', 'pending', 'todo');
  return {
    counts: { passed: having('passed').length, failed: failed.length, skipped: skipped.length },
    failures: failed.map(({ name, reason }) => [name, ...reasonLines(reason)].join('\n        ')),
    skips: skipped.map(({ name, reason }) => (reason === null ? name : `${name}: ${reason}`)),
  };
}

/** What is said of a failure in the summary: the whole stands where the test ran, which may be far above or not kept. */
const REASON_LINES = 24;

function reasonLines(reason) {
  const lines = stripVTControlCharacters(reason ?? '').split('\n');
  return lines.filter((line) => line.trim() !== '').slice(0, REASON_LINES);
}
