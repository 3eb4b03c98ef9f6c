import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readJsonFile } from '../../electron/commands/json-file.ts';
import { readJson } from '../../electron/contract/json-text.ts';

const TWICE: [what: string, text: string, paths: string[]][] = [
  [
    'a pair among the prices',
    '{"chains":[{"prices":{"A/B":{"bids":[]},"C/D":{},"A/B":{"bids":[["1","2"]]}}}]}',
    ['chains[0].prices["A/B"]'],
  ],
  [
    'the limits of the second chain',
    '{"chains":[{"limits":{}}, {"limits":{},"name":"x", "limits" : {}}]}',
    ['chains[1].limits'],
  ],
  ['a key written with an escape', '{"name":1,"n\\u0061me":2}', ['name']],
  ['a key three times', '{"a":1,"a":2,"a":3}', ['a']],
  ['keys of objects in lists in lists', '[[],[[1,2],{"a":{"b":[{"c":0,"c":0}]}}]]', ['[1][1].a.b[0].c']],
  ['an odd key', '{"__proto__":1,"__proto__":2}', ['__proto__']],
];
for (const [what, text, paths] of TWICE) {
  test(`a JSON text that has ${what} twice is told where`, () => {
    expect(readJson(text)).toEqual({ value: JSON.parse(text), repeated: paths });
  });
}

const ONCE = [
  '{"a":"a","b":["a","a"],"c":{"a":"\\"a\\":1,{[","b":"}]"}}',
  '[{"a":1},{"a":1}]',
  '{"":{"":{}}}',
  '"a, a"',
  ' 12 ',
];
for (const text of ONCE) {
  test(`nothing is there twice in ${text}`, () => {
    expect(readJson(text)).toEqual({ value: JSON.parse(text), repeated: [] });
  });
}

test('whatever a program writes has nothing twice, and is read as a parser reads it', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(3), (text, space) => {
      const value = JSON.parse(text);
      expect(readJson(JSON.stringify(value, null, space))).toEqual({ value, repeated: [] });
    }),
  );
});

test('a file that is no JSON is refused as before', () => {
  for (const text of ['', '{"a":1,}', '{"a"']) expect(() => readJson(text)).toThrow(SyntaxError);
});

test('a command takes no file in which a key is there twice, and names each', () => {
  const folder = mkdtempSync(join(tmpdir(), 'json-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'desk.json');
  writeFileSync(file, '{"version":1,"chains":[],"chains":[{"off":{},"off":{}}]}');
  const read = () => readJsonFile(file, { name: 'desk file', remedy: 'one that was exported' });
  expect(read).toThrow(
    expect.objectContaining({
      code: 'repeated_keys',
      faults: [
        { path: 'chains', message: 'is there more than once, and only the last would count' },
        { path: 'chains[0].off', message: 'is there more than once, and only the last would count' },
      ],
    }),
  );
});
