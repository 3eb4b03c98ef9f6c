import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readOptions } from '../../electron/app/options.ts';

const environment = { MAKERDESK_DATA: '/data' };

test('without options the app opens the desk of the default folder, where that says it listens, without a console server', () => {
  expect(readOptions(['/app'], environment)).toEqual({
    folder: '/data',
    surfaceHost: null,
    surfacePort: null,
    consolePort: null,
    practice: null,
  });
});

test('the practice desk has its own folder and the ports of its market', () => {
  expect(readOptions(['/app', '--practice'], environment)).toMatchObject({
    folder: join('/data', 'practice'),
    practice: { takers: true, seed: null, servicePort: 8790, rpcPort: 8545 },
  });
});

test('switches of Electron and Chromium beside ours change nothing', () => {
  const args = [
    '--no-sandbox',
    '--inspect=0',
    '--user-data-dir=/x',
    '/app',
    '--practice',
    '--surface-port',
    '0',
    '--no-takers',
  ];
  expect(readOptions(args, environment)).toMatchObject({ surfacePort: 0, practice: { takers: false } });
});

test.each(['80.5', '-1', '65536', 'http', ''])('a port of "%s" is refused', (port) => {
  expect(() => readOptions([`--surface-port=${port}`], environment)).toThrow('--surface-port');
});
