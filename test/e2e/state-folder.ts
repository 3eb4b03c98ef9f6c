import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeMarket } from './practice-desk.ts';

/** What desks keep outside their folders goes to a place of its own, not to the home of whoever runs the tests; and the market that their folders begin with. */
export default async function setup(): Promise<() => void> {
  const state = mkdtempSync(join(tmpdir(), 'makerdesk-state-'));
  process.env.MAKERDESK_STATE = state;
  await makeMarket();
  return () => rmSync(state, { recursive: true, force: true });
}
