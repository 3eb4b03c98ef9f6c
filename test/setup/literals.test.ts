import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// Plain JavaScript, as the check of imports; the type check does not look into it.
const { faultsOfLiterals } = await import(new URL('../../resources/setup/literals.mjs', import.meta.url).href);

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'makerdesk-literals-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const KNOWN = `
interface Wish { chainId: number; receiver?: string; near?: { seq: number } }
declare const isKnown: boolean;
declare const wish: Wish;
declare function ask(wish: Wish | null): void;
`;

/** What the check says about a project of one file, in which these lines stand. */
function faultsIn(lines: string): string[] {
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: { strict: true, types: [] } }));
  writeFileSync(join(root, 'wish.ts'), `${KNOWN}${lines}\nexport {};\n`);
  return faultsOfLiterals(root);
}

test.each([
  ['in a literal', "ask({ chainId: 1, ...{ receiver: 'them' } });"],
  ['in brackets', "ask({ ...({ chainId: 1, receiver: 'them' }) });"],
  ['in the literal that is spread', "ask({ ...(isKnown && { ...{ receiver: 'them' } }), chainId: 1 });"],
])('a literal that is spread %s is a fault', (_where, line) => {
  expect(faultsIn(line)).toEqual(['wish.ts:6: the fields of a literal are written where it would be spread']);
});

test.each([
  ['given to a function', "ask({ chainId: 1, ...(isKnown && { recever: 'them' }) });"],
  ['the other choice of two', "ask({ chainId: 1, ...(isKnown ? {} : { recever: 'them' }) });"],
  ['what stands in for nothing', "ask({ chainId: 1, ...(wish ?? { recever: 'them' }) });"],
  ['kept under a type', "export const kept: Wish = { chainId: 1, ...(isKnown && { recever: 'them' }) };"],
  ['answered', "export const answer = (): Wish[] => [{ chainId: 1, ...(isKnown && { recever: 'them' }) }];"],
])('a field that nobody expects is found where it is left out at times: %s', (_where, line) => {
  expect(faultsIn(line)).toEqual(['wish.ts:6: recever is no field of what is expected here']);
});

test.each([
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
])('no fault: %s', (_what, line) => {
  expect(faultsIn(line)).toEqual([]);
});
