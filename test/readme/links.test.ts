import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const withoutBlocks = (page: string) => read(page).replace(/^```[\s\S]*?^```/gm, '');
const HANDBOOK = 'resources/handbook';
const PAGES = [...globSync('*.md', { cwd: ROOT }), ...globSync('resources/**/*.md', { cwd: ROOT })];

interface LinkTo {
  /** As it is written. */
  to: string;
  /** The file it leads to, from the root, and the title in it. */
  path: string;
  anchor: string | undefined;
}

/** What a page leads to and shows that is a file here, code left out. */
function linksOf(page: string): LinkTo[] {
  const prose = withoutBlocks(page).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)]+)\)/g)]
    .map(([, to = '']) => to)
    .filter((to) => !/^https?:/.test(to))
    .map((to) => {
      const [path = '', anchor] = to.split('#');
      return { to, path: path === '' ? page : join(dirname(page), path), anchor };
    });
}

/** The anchors that a reader of Markdown makes of a page's titles. */
function anchorsOf(page: string): string[] {
  return [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\d -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link and picture of README, handbook, guide and the pages beside them leads somewhere, to the title it names', () => {
  expect(PAGES).toEqual(expect.arrayContaining(['README.md', 'PROMISES.md', 'CONTRIBUTING.md', `${HANDBOOK}/keys.md`]));
  const isThere = ({ path, anchor }: LinkTo) =>
    existsSync(join(ROOT, path)) && (anchor === undefined || anchorsOf(path).includes(anchor));
  expect(
    PAGES.flatMap((page) =>
      linksOf(page)
        .filter((link) => !isThere(link))
        .map(({ to }) => `${page}: ${to}`),
    ),
  ).toEqual([]);
});

test('every page of the handbook is reached from the README, by its own title', () => {
  const rows = [...read('README.md').matchAll(/^\| \[([^\]]+)\]\(resources\/handbook\/([\w-]+\.md)\) \|/gm)];
  const listed = Object.fromEntries(rows.map(([, title, file]) => [file, title]));
  const titles = readdirSync(join(ROOT, HANDBOOK)).map((file) => [
    file,
    /^# (.+)\n/.exec(read(`${HANDBOOK}/${file}`))?.[1],
  ]);
  expect(listed).toEqual(Object.fromEntries(titles));
});

test('whatever the README leads to, from page to page, is in the npm package', () => {
  const { files }: { files: string[] } = JSON.parse(read('package.json'));
  const isPacked = (path: string) =>
    /^(README\.md|LICENSE)$/.test(path) || files.some((entry) => path === entry || path.startsWith(`${entry}/`));
  const reached = new Set(['README.md']);
  for (const page of reached) {
    if (page.endsWith('.md')) for (const { path } of linksOf(page)) reached.add(path);
  }
  expect(reached.size).toBeGreaterThan(PAGES.length);
  expect([...reached].filter((path) => !isPacked(path))).toEqual([]);
});
