import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REFUSALS } from '../../electron/contract/refusal.ts';

const PAGE = new URL('../../resources/handbook/refusals.md', import.meta.url);
const SECTION = /<!-- refusals -->\n[\s\S]*<!-- \/refusals -->/;

/** Rows of the table; `WRITE_README=1 npx vitest run test/readme` writes them. */
function section(): string {
  const rows = Object.entries(REFUSALS).map(
    ([code, { status, sentence }]) => `| \`${code}\` | ${status} | ${sentence} |`,
  );
  return ['<!-- refusals -->', '| code | status | meaning |', '|---|---|---|', ...rows, '<!-- /refusals -->'].join(
    '\n',
  );
}

test('the table of refusals in the handbook is the one in the code', () => {
  const text = readFileSync(PAGE, 'utf8');
  expect(text).toMatch(SECTION);
  const wanted = text.replace(SECTION, () => section());
  if (process.env.WRITE_README) writeFileSync(PAGE, wanted);
  else expect(text).toBe(wanted);
});
