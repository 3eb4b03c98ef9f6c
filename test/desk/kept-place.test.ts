import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepPlace, placeOf } from '../../electron/desk/kept-place.ts';
import { temporaryFolder } from './desk-process.ts';

let made: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  made = temporaryFolder();
});
afterEach(() => made.remove());

const NOT_TOLD = { surfaceHost: null, surfacePort: null };

test('a surface listens on this machine alone until a person puts it elsewhere, and what the start says goes before that', async () => {
  expect(placeOf(made.folder, NOT_TOLD)).toEqual({ surfaceHost: '127.0.0.1', surfacePort: 8787 });
  await keepPlace(made.folder, { host: '10.0.0.7', port: 9_000 });
  expect(placeOf(made.folder, NOT_TOLD)).toEqual({ surfaceHost: '10.0.0.7', surfacePort: 9_000 });
  expect(placeOf(made.folder, { surfaceHost: '::1', surfacePort: 0 })).toEqual({ surfaceHost: '::1', surfacePort: 0 });
  expect(statSync(join(made.folder, 'surface.json')).mode & 0o777).toBe(0o600);
});

test.each(['', '{', '[]', '{"host":"10.0.0.7"}', '{"host":"a b","port":1}', '{"host":"10.0.0.7","port":70000}'])(
  'a file that says %s counts as none',
  (text) => {
    writeFileSync(join(made.folder, 'surface.json'), text);
    expect(placeOf(made.folder, NOT_TOLD)).toEqual({ surfaceHost: '127.0.0.1', surfacePort: 8787 });
  },
);
