import { platform } from 'node:os';
import { expect, test } from 'vitest';
import { freezeConsoles } from './frozen-consoles.ts';

/** MB. */
const MOST_GROWTH = 150;
/** How often who reads is told something, at least. */
const TOLD = 5;

test.runIf(platform() === 'linux')(
  '100 frozen consoles and 30 unread exports cost the desk little memory, and who reads is told all along',
  async () => {
    const { before, after, told } = await freezeConsoles({ consoles: 100, exports: 30, seconds: 12, told: TOLD });
    expect(after - before).toBeLessThan(MOST_GROWTH);
    expect(told).toBeGreaterThan(TOLD);
  },
);
