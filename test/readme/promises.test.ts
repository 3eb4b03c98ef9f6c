import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const PAGE = read('PROMISES.md');
/** Read as text: loaded, the rows would bring browser and desk along. */
const ROWS = globSync('test/bench/rows/*.ts', { cwd: root }).flatMap((file) =>
  [...read(file).matchAll(/^ {2}name: '([\w-]+)',$/gm)].map(([, name]) => name),
);

test('every test and every row of the bench that the promises name is there, and the README leads to them', () => {
  const files = [...PAGE.matchAll(/\btest\/[\w./-]*\w/g)].map(([file]) => file);
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  const rows = [...PAGE.matchAll(/npm run bench -- ([\w-]+)/g)].map(([, name]) => name);
  expect(rows.filter((name) => !ROWS.includes(name))).toEqual([]);
  expect([files.length, rows.length]).not.toContain(0);
  expect(read('README.md')).toContain('](PROMISES.md)');
});

test('each command finds its tests: what takes long runs with MAKERDESK_LONG, and the browser has its own program', () => {
  const commands = [...PAGE.matchAll(/`([^`]*\bnpx [^`]*)`/g)].map(([, command = '']) => command);
  const fits = (command: string) => {
    const [, long, program, files = ''] =
      /^(MAKERDESK_LONG=1 )?npx (vitest run|playwright test) (.+)$/.exec(command) ?? [];
    const ending = program === 'vitest run' ? '.test.ts' : '.spec.ts';
    return files.split(' ').every((file) => {
      const tellsLuck = file.endsWith('.test.ts') && read(file).includes('howOften(');
      const isLong = file.endsWith(`.long${ending}`);
      return file.endsWith(ending) && (long === undefined ? !isLong : isLong || tellsLuck);
    });
  };
  expect(commands.filter((command) => !fits(command))).toEqual([]);
  expect(commands.length).toBeGreaterThan(0);
});
