import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// Plain JavaScript, as the check of imports; the type check does not look into it.
const { faultsOfWords, textsOf } = await import(new URL('../../resources/setup/texts.mjs', import.meta.url).href);

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'makerdesk-texts-')));
  mkdirSync(join(root, 'renderer'));
  mkdirSync(join(root, 'electron'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (lines: string) => writeFileSync(join(root, 'renderer', 'page.tsx'), lines);

test('what a person may read is found: in JSX, attributes and sentences, with a place where a value stands', () => {
  write(`
    import { useDesk } from './use desk.ts';
    const sentence = (pair: string) => \`The pair \${pair} is closed.\`;
    export const Page = ({ count }: { count: number }) => (
      <section className="two words" title="Open quotes">
        {count} quotes <b>can be filled</b>
      </section>
    );
  `);
  expect(textsOf(root).map(({ line, text }: { line: number; text: string }) => [line, text])).toEqual([
    [3, 'The pair {…} is closed.'],
    [5, '{…} quotes ‹›'],
    [5, 'Open quotes'],
    [6, 'can be filled'],
  ]);
});

test.each([
  ['This desk has barred them.', 'blacklist'],
  ['The service keeps away from the pair.', 'skip'],
  ['He published it.', 'they'],
])('a word that the glossary has another one for is a fault: %s', (text, better) => {
  write(`export const said = '${text}';`);
  expect(faultsOfWords(root)).toEqual([expect.stringMatching(new RegExp(`^renderer/page.tsx:1: .*"${better}"$`))]);
});

test('a bar of a chart and a word that contains another one are none', () => {
  write(`export const said = 'The bar shows what this pair has';`);
  expect(faultsOfWords(root)).toEqual([]);
});
