import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const OUT = fileURLToPath(new URL('../../out/main/', import.meta.url));
/** What only the client of the fleet server has in it. */
const OF_THE_SERVER = '$JS.API';

/** Texts of all files that a program of ours loads before anything is asked of it, from its door on. */
function loadedFrom(door: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(door)) return seen;
  const text = readFileSync(`${OUT}${door}`, 'utf8');
  seen.set(door, text);
  const imports = [
    ...text.matchAll(
      /(?:^|[;\n}])\s*(?:import|export)\b[^;'"()]*from\s*["']\.\/([^"']+)["']|import\s*["']\.\/([^"']+)["']/g,
    ),
  ];
  for (const [, named, bare] of imports) loadedFrom(named ?? bare ?? '', seen);
  return seen;
}

test.each(['cli.js', 'desk-process.js', 'main.js'])(
  '%s loads nothing of the fleet server of a fleet unless it is asked to',
  (door) => {
    const loaded = loadedFrom(door);
    expect(loaded.size).toBeGreaterThan(5);
    expect([...loaded].filter(([, text]) => text.includes(OF_THE_SERVER)).map(([name]) => name)).toEqual([]);
  },
);

test('the command that follows a fleet has it in what it loads later', () => {
  const texts = [...loadedFrom('cli.js').values()].join('\n');
  const later = [...texts.matchAll(/import\(["'`]\.\/(chunk-[^"'`]+)["'`]\)/g)].map(([, name = '']) => name);
  const all = later.flatMap((name) => [...loadedFrom(name).values()]);
  expect(all.some((text) => text.includes(OF_THE_SERVER))).toBe(true);
});
