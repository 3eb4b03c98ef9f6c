import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What desks keep outside their folders goes to a place of its own, not to the home of whoever runs the tests. */
export default function setup(): () => void {
  const state = mkdtempSync(join(tmpdir(), 'makerdesk-state-'));
  process.env.MAKERDESK_STATE = state;
  return () => rmSync(state, { recursive: true, force: true });
}
