import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deskSocketPath } from '../../electron/desk/folder.ts';

const LONG = `/srv/${'desks/'.repeat(20)}one`;

function home(): string {
  const made = mkdtempSync(join(tmpdir(), 'home-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

test('a folder whose path is too long for a socket has it where nobody else can listen first', () => {
  const own = home();
  const path = deskSocketPath(LONG, own);
  expect(path).toMatch(new RegExp(`^${own}/\\.makerdesk/[0-9a-f]{24}\\.sock$`));
  expect(statSync(join(own, '.makerdesk')).mode & 0o777).toBe(0o700);
  chmodSync(join(own, '.makerdesk'), 0o777);
  expect(deskSocketPath(LONG, own)).toBe(path);
  expect(statSync(join(own, '.makerdesk')).mode & 0o777).toBe(0o700);
  expect(deskSocketPath(`${LONG}/other`, own)).not.toBe(path);
  expect(deskSocketPath('/srv/desk', own)).toBe('/srv/desk/desk.sock');
});

test('where the user has no such folder the desk says so, and what to do', () => {
  const own = home();
  writeFileSync(join(own, '.makerdesk'), '');
  expect(() => deskSocketPath(LONG, own)).toThrow(expect.objectContaining({ code: 'folder_unusable' }));
  expect(() => deskSocketPath(LONG, join(own, 'x'.repeat(80)))).toThrow(/is too long for a socket/);
});
