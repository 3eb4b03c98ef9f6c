import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../desk/desk-process.ts';

// Plain JavaScript, as the check of imports; the type check does not look into it.
const { readPlaywrightReport, readVitestReport } = await import(
  new URL('../../resources/setup/test-reports.mjs', import.meta.url).href
);

/** What a reader makes of a report that says this. */
function readWith(read: (file: string) => unknown, report: unknown): unknown {
  const { folder, remove } = temporaryFolder();
  try {
    const file = join(folder, 'report.json');
    writeFileSync(file, JSON.stringify(report));
    return read(file);
  } finally {
    remove();
  }
}

test('a failed unit test is named with what it said, a file that could not be read counts as one that failed', () => {
  const testResults = [
    {
      name: 'a.test.ts',
      status: 'failed',
      assertionResults: [
        { status: 'passed', fullName: 'adds', failureMessages: [] },
        { status: 'failed', fullName: 'divides', failureMessages: ['\u001b[31mexpected 1\u001b[39m\n\n    at here'] },
        { status: 'pending', fullName: 'waits' },
      ],
    },
    { name: 'b.test.ts', status: 'failed', message: 'it does not parse', assertionResults: [] },
  ];
  expect(readWith(readVitestReport, { testResults })).toEqual({
    counts: { passed: 1, failed: 2, skipped: 1 },
    failures: ['divides\n        expected 1\n            at here', 'b.test.ts\n        it does not parse'],
    skips: ['waits'],
  });
});

test('a failed end-to-end test is named with what it said, a skipped one with its reason', () => {
  const spec = (title: string, status: string, said: { errors?: string[]; skip?: string }) => ({
    title,
    tests: [
      {
        status,
        annotations: said.skip === undefined ? [] : [{ type: 'skip', description: said.skip }],
        results: [{ errors: (said.errors ?? []).map((message) => ({ message })) }],
      },
    ],
  });
  const specs = [
    spec('opens', 'expected', {}),
    spec('closes', 'unexpected', { errors: ['one', 'two'] }),
    spec('tray', 'skipped', { skip: 'no display' }),
  ];
  expect(readWith(readPlaywrightReport, { suites: [{ title: 'desktop.spec.ts', specs }] })).toEqual({
    counts: { passed: 1, failed: 1, skipped: 1 },
    failures: ['desktop.spec.ts › closes\n        one\n        two'],
    skips: ['desktop.spec.ts › tray: no display'],
  });
});
