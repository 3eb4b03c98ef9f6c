import { vi } from 'vitest';

/** Milliseconds. */
const PATIENCE = 60_000;

/** What is waited for comes when the machine gets to it, not within the second that `vi.waitFor` waits by itself. */
const { waitFor } = vi;
vi.waitFor = (act, options) => waitFor(act, typeof options === 'number' ? options : { timeout: PATIENCE, ...options });
