import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { printDeskFile, writeNamedFile } from '../../electron/commands/write-file.ts';
import { temporaryFolder } from './desk-process.ts';

const DESK = { counterparties: [{ secretKey: 'for this test only' }] };
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** A folder with a desk file that everybody may read, as an editor has left it. */
function exported() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const file = join(folder, 'desk.json');
  writeFileSync(file, '{}');
  chmodSync(file, 0o644);
  return { folder, file };
}

test('a desk file written over one that everybody may read is its user’s alone', async () => {
  const { folder, file } = exported();
  await printDeskFile(DESK, file);
  expect([JSON.parse(readFileSync(file, 'utf8')), modeOf(file)]).toEqual([DESK, 0o600]);
  expect(readdirSync(folder)).toEqual(['desk.json']);
});

test('written over the name of another file it is that file, and the name stays', async () => {
  const { folder, file } = exported();
  const link = join(folder, 'link.json');
  symlinkSync(file, link);
  await printDeskFile(DESK, link);
  expect([JSON.parse(readFileSync(file, 'utf8')), modeOf(file)]).toEqual([DESK, 0o600]);
  rmSync(file);
  expect(() => statSync(link)).toThrow('ENOENT');
});

test('it takes the place of what was there once it is whole: whoever reads that meanwhile reads no half', async () => {
  const { folder, file } = exported();
  const reader = openSync(file, 'r');
  onTestFinished(() => closeSync(reader));
  await printDeskFile(DESK, file);
  expect(readFileSync(reader, 'utf8')).toBe('{}');
  mkdirSync(join(folder, 'taken.json'));
  await expect(printDeskFile(DESK, join(folder, 'taken.json'))).rejects.toMatchObject({
    code: 'not_written',
    message: expect.stringContaining('it is a folder'),
  });
});

test('a pipe is written to, and stays a pipe', async () => {
  const { folder } = exported();
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const read = readFile(pipe, 'utf8');
  await printDeskFile(DESK, pipe);
  expect([JSON.parse(await read), statSync(pipe).isFIFO()]).toEqual([DESK, true]);
});

test('where the disk has no room for the new one, the file that was there stays whole', async () => {
  const { folder, file } = exported();
  const handle = await open(file);
  const files: { writeFile: unknown } = Object.getPrototypeOf(handle);
  await handle.close();
  const { writeFile } = files;
  files.writeFile = async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  };
  onTestFinished(() => {
    files.writeFile = writeFile;
  });
  await expect(writeNamedFile(file, new Uint8Array(9), 'handover')).rejects.toMatchObject({
    code: 'not_written',
    message: expect.stringContaining('The handover could not be written'),
  });
  expect(readFileSync(file, 'utf8')).toBe('{}');
  expect(readdirSync(folder)).toEqual(['desk.json']);
});
