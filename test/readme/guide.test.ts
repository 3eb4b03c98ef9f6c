import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { GUIDE, type GuidePage, guidePage, guidePages, literal } from './guide-page.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const { textsOf } = await import(new URL('resources/setup/texts.mjs', root).href);
const PAGES = guidePages();
const faults = (of: (page: GuidePage) => string[]) =>
  PAGES.flatMap((page) => of(page).map((fault) => `${page.file}: ${fault}`));

/** What stands in a text of the screen where a value or another element does. */
const PLACE = /\{…\}|‹›/;
/** A text is told by its own words: of what it is compared with, so much has to be letters that it has itself. */
const OWN = 0.4;
const letters = (text: string) => text.replace(/[^\p{L}]/gu, '').length;

/** The texts of the screen, whole and sentence by sentence, those with places in them as patterns. */
function screen(): (words: string) => boolean {
  const rows: { file: string; text: string }[] = textsOf(new URL('.', root).pathname);
  const texts = new Set<string>();
  for (const { file, text } of rows) {
    if (/^electron\/commands\//.test(file)) continue;
    for (const part of [text, ...text.split(/(?<=[.:;?])\s+/)]) texts.add(part).add(trimmed(part));
  }
  const patterns = [...texts]
    .filter((text) => PLACE.test(text))
    .map((text) => ({
      own: letters(text),
      pattern: new RegExp(`^${text.split(PLACE).map(literal).join('.*')}$`),
    }));
  return (words) =>
    texts.has(words) || patterns.some(({ own, pattern }) => own >= OWN * letters(words) && pattern.test(words));
}

/** Without the places at its ends, which are a mark, a key or a figure beside the words. */
function trimmed(text: string): string {
  return text.replace(/^(\{…\}|‹›|\s)+|(\s?‹›|\s\{…\}|\s)+$/g, '').trim();
}

test('every word that the guide sets in bold stands on the screen so', () => {
  const stands = screen();
  expect(stands('Publish WETH/USDC')).toBe(true);
  expect(stands('Publish everything there is')).toBe(false);
  expect(faults(({ words }) => words.filter((word) => !stands(word)))).toEqual([]);
});

test('no picture lies in the guide that no page shows', () => {
  const shown = PAGES.flatMap(({ pictures }) => pictures);
  expect(readdirSync(`${GUIDE}pictures`).filter((name) => !shown.includes(`pictures/${name}`))).toEqual([]);
});

test('every page is reached from the first one, which the README leads to', () => {
  const index = guidePage('README.md');
  expect(PAGES.map(({ file }) => file).filter((file) => file !== 'README.md' && !index.links.includes(file))).toEqual(
    [],
  );
  expect(read('README.md')).toContain('](resources/guide/README.md)');
});

/** A page a task is a page: what is longer is two tasks. */
test('no page of the guide is longer than a page, and its pictures together are small', () => {
  expect(faults(({ text }) => (text.split('\n').length > 80 ? ['is too long'] : []))).toEqual([]);
  const bytes = readdirSync(`${GUIDE}pictures`).map((name) => statSync(`${GUIDE}pictures/${name}`).size);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(2_500_000);
});

/** The command line as the door puts it together, without a desk behind it. */
async function commandLine(): Promise<Command> {
  const program = new Command('makerdesk').option('--data <folder>').option('--practice').option('--attach <url>');
  const door = read('electron/cli.ts');
  for (const [, name = ''] of door.matchAll(/^(add\w+)\(program/gm)) {
    const file = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '\\./(.+)';`).exec(door)?.[1];
    const { [name]: add } = await import(new URL(`electron/${file}`, root).href);
    add(program, () => expect.fail('nothing is run here'), 'nobody');
  }
  return program;
}

/** The words of a line at a terminal, without the variables before them; quotes hold words together. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replace(/["']/g, ''));
  const from = words.findIndex((word) => !/^[A-Z_]+=/.test(word));
  return words.slice(from);
}

/** What is wrong with a line that is to run `makerdesk`: null where the command takes it. */
function refused(program: Command, args: string[]): string | null {
  let command = program;
  try {
    let rest = program.parseOptions(args);
    for (;;) {
      const [name = ''] = rest.operands;
      const sub = command.commands.find((candidate) => candidate.name() === name);
      if (sub === undefined) break;
      command = sub;
      rest = sub.parseOptions([...rest.operands.slice(1), ...rest.unknown]);
    }
    if (command === program) return 'there is no such command';
    if (rest.unknown.length > 0) return `it has no option ${rest.unknown.join(' ')}`;
    const takes = command.registeredArguments;
    const needs = takes.filter(({ required }) => required).length;
    if (rest.operands.length < needs || rest.operands.length > takes.length) return 'it takes other arguments';
    const missing = command.options.find(
      (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
    );
    return missing === undefined ? null : `it needs ${missing.long}`;
  } catch (error) {
    return String(error);
  }
}

const HANDBOOK = new URL('resources/handbook/', root).pathname;
/** What has commands typed besides the guide. */
const OTHERS = [
  guidePage('README.md', root.pathname),
  ...readdirSync(HANDBOOK).map((file) => guidePage(file, HANDBOOK)),
];

test('every command of guide, handbook and README is one that there is, with options that it has', async () => {
  const program = await commandLine();
  program.exitOverride().configureOutput({ writeErr: () => {} });
  expect(refused(program, ['halt', '--because', 'x'])).toContain('--because');
  expect(refused(program, ['token', 'new', 'tara'])).toContain('--rights');
  expect(refused(program, ['acknowledge'])).toContain('arguments');
  const isScript = (name: string) => name in JSON.parse(read('package.json')).scripts;
  const isWrong = (line: string): string | null => {
    const [first, ...args] = wordsOf(line);
    if (first === 'makerdesk') return refused(program, args);
    if (first !== 'npm')
      return /^(cp|systemctl|export|install|crontab|npx|python3|jq)?$/.test(first ?? '')
        ? null
        : 'is no command of ours';
    const [script = '', ...rest] = args[0] === 'run' ? args.slice(1) : args;
    if (args[0] === 'run' && script === 'makerdesk') return refused(program, rest.slice(1));
    return isScript(script) || /^(pack|install)$/.test(script) ? null : `npm has no ${script} here`;
  };
  expect(isWrong('npm run makerdesk -- practise')).toContain('no such command');
  expect(
    [...PAGES, ...OTHERS].flatMap(({ file, commands }) =>
      commands.flatMap((line) => {
        const wrong = isWrong(line);
        return wrong === null ? [] : [`${file}: ${line}: ${wrong}`];
      }),
    ),
  ).toEqual([]);
});

/** Each command that does something, by its words, with its options. */
function leaves(command: Command, words: string[] = []): { words: string[]; options: string[] }[] {
  const own = { words, options: command.options.map(({ long }) => long ?? '') };
  const below = command.commands.flatMap((sub) => leaves(sub, [...words, sub.name()]));
  return words.length === 0 || (below.length > 0 && own.options.length === 0) ? below : [own, ...below];
}

test('the command line of the handbook has every command, and every option somewhere', async () => {
  const page = read('resources/handbook/command-line.md').replaceAll('\\|', '|');
  const typed = [...page.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
  const has = (words: string[]) =>
    typed.some((text) => {
      const said = text.replaceAll(/[[\]]/g, '').split(/\s+/);
      return words.every((word, at) => said[at]?.split('|').includes(word));
    });
  const all = leaves(await commandLine());
  expect(all.length).toBeGreaterThan(60);
  expect(all.filter(({ words }) => !has(words)).map(({ words }) => words.join(' '))).toEqual([]);
  expect([...new Set(all.flatMap(({ options }) => options))].filter((option) => !page.includes(option))).toEqual([]);
});
