import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt } from '../resources/setup/build.mjs';

/**
 * Before any test: desks, commands and the journal's threads run as they are shipped, so what is built must be fresh. What
 * desks keep outside their folders goes to a place of its own, not to the home of whoever runs the tests.
 */
export async function setup(): Promise<() => void> {
  const state = mkdtempSync(join(tmpdir(), 'makerdesk-state-'));
  process.env.MAKERDESK_STATE = state;
  await ensureBuilt();
  return () => rmSync(state, { recursive: true, force: true });
}
