import { existsSync, readFileSync } from 'node:fs';

/** How many tests passed, failed and were skipped, and the names of the latter two, from vitest's JSON. */
export function readVitestReport(file) {
  if (!existsSync(file)) return {};
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return tally(
    testResults.flatMap((suite) =>
      suite.assertionResults.map(({ status, fullName }) => ({ status, name: fullName, reason: null })),
    ),
  );
}

/** The same from Playwright's JSON, where a skipped test may say why. */
export function readPlaywrightReport(file) {
  if (!existsSync(file)) return {};
  return tally(JSON.parse(readFileSync(file, 'utf8')).suites.flatMap((suite) => testsIn(suite, [])));
}

const PLAYWRIGHT_STATUS = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' };

function testsIn({ title, specs = [], suites = [] }, above) {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, annotations }) => ({
      status: PLAYWRIGHT_STATUS[status],
      name: [...path, spec.title].join(' › '),
      reason: annotations.find(({ type }) => type === 'skip')?.description ?? null,
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
    failures: failed.map(({ name }) => name),
    skips: skipped.map(({ name, reason }) => (reason === null ? name : `${name}: ${reason}`)),
  };
}
