import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';

// Plain JavaScript, as the check of imports; the type check does not look into it.
const { faultsOfLiterals } = await import(new URL('../../resources/setup/literals.mjs', import.meta.url).href);

const KNOWN = `
interface Wish { chainId: number; receiver?: string; near?: { seq: number } }
declare const isKnown: boolean;
declare const wish: Wish;
declare function ask(wish: Wish | null): void;
`;

const SPREAD: [string, string][] = [
  ['in a literal', "ask({ chainId: 1, ...{ receiver: 'them' } });"],
  ['in brackets', "ask({ ...({ chainId: 1, receiver: 'them' }) });"],
  ['in the literal that is spread', "ask({ ...(isKnown && { ...{ receiver: 'them' } }), chainId: 1 });"],
];

const UNEXPECTED: [string, string][] = [
  ['given to a function', "ask({ chainId: 1, ...(isKnown && { recever: 'them' }) });"],
  ['the other choice of two', "ask({ chainId: 1, ...(isKnown ? {} : { recever: 'them' }) });"],
  ['what stands in for nothing', "ask({ chainId: 1, ...(wish ?? { recever: 'them' }) });"],
  ['kept under a type', "export const kept: Wish = { chainId: 1, ...(isKnown && { recever: 'them' }) };"],
  ['answered', "export const answer = (): Wish[] => [{ chainId: 1, ...(isKnown && { recever: 'them' }) }];"],
];

const FINE: [string, string][] = [
  [
    'fields that are expected',
    "ask({ chainId: 1, ...(isKnown && { receiver: 'them' }), ...(isKnown ? { near: { seq: 1 } } : {}) });",
  ],
  ['what has a name of its own', 'ask({ ...wish, chainId: 2 });'],
  ['fields of which nothing is expected', "export const made = { chainId: 1, ...(isKnown && { anything: 'them' }) };"],
  [
    'names that are given',
    "export const texts: Record<string, string> = { ...(isKnown && { ['a' + 1]: 'a', any: 'b' }) };",
  ],
  ['lists', 'export const list = [...(isKnown ? [1] : [])];'],
];

/** Each stands in a file of its own, of a project that the check reads once. */
const LINES = [...SPREAD, ...UNEXPECTED, ...FINE].map(([, line]) => line);
let faults: string[] = [];
beforeAll(() => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'makerdesk-literals-')));
  try {
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
    for (const [index, line] of LINES.entries())
      writeFileSync(join(root, `wish-${index}.ts`), `${KNOWN}${line}\nexport {};\n`);
    faults = faultsOfLiterals(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

/** What the check says about the file in which a line stands. */
function faultsIn(line: string): string[] {
  const file = `wish-${LINES.indexOf(line)}.ts:`;
  return faults.flatMap((fault) => (fault.startsWith(file) ? [fault.slice(file.length)] : []));
}

test.each(SPREAD)('a literal that is spread %s is a fault', (_where, line) => {
  expect(faultsIn(line)).toEqual(['6: the fields of a literal are written where it would be spread']);
});

test.each(UNEXPECTED)('a field that nobody expects is found where it is left out at times: %s', (_where, line) => {
  expect(faultsIn(line)).toEqual(['6: recever is no field of what is expected here']);
});

test.each(FINE)('no fault: %s', (_what, line) => {
  expect(faultsIn(line)).toEqual([]);
});
