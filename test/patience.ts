import { vi } from 'vitest';
import { PATIENCE } from './how-long.ts';

/** What is waited for comes when the machine gets to it, not within the second that Vitest waits by itself. */
const { waitFor, waitUntil } = vi;
vi.waitFor = (act, options) => waitFor(act, typeof options === 'number' ? options : { timeout: PATIENCE, ...options });
vi.waitUntil = (act, options) =>
  waitUntil(act, typeof options === 'number' ? options : { timeout: PATIENCE, ...options });
