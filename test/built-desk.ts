import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../resources/setup/build.mjs';

const STATE = join(tmpdir(), 'makerdesk-state-');

/**
 * Before any test: desks, commands and the journal's threads run as they are shipped, so what is built must be fresh. What
 * desks keep outside their folders goes to one place of its own, not to the home of whoever runs the tests: whichever project of
 * `vitest.config.ts` comes here first makes it for all, and ends last.
 */
export async function setup(): Promise<() => void> {
  if (process.env.MAKERDESK_STATE?.startsWith(STATE)) return () => {};
  const state = mkdtempSync(STATE);
  process.env.MAKERDESK_STATE = state;
  await ensureBuilt();
  return () => rmSync(state, { recursive: true, force: true });
}
