import { platform } from 'node:os';
import { expect, test } from 'vitest';
import { freezeConsoles } from './frozen-consoles.ts';

/** MB. */
const MOST_GROWTH = 100;

test.runIf(platform() === 'linux')(
  '20 frozen consoles and 10 unread exports cost the desk little memory, and who reads is told all along',
  async () => {
    const { before, after, told } = await freezeConsoles({ consoles: 20, exports: 10, seconds: 3 });
    expect(after - before).toBeLessThan(MOST_GROWTH);
    expect(told).toBeGreaterThan(5);
  },
  180_000,
);
