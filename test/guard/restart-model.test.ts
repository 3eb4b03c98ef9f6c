import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { howOften } from '../how-often.ts';
import { openDesk, person } from '../quoting/open-desk.ts';

type Act = 'halt' | 'drain' | 'resume' | 'wait';

describe('a desk that is stopped and started all at once, and then restarted', () => {
  it('comes back LIVE only if it was LIVE and armed at the end, over any order of both', async () => {
    const acts = fc.array(fc.constantFrom<Act>('halt', 'drain', 'resume', 'resume', 'wait'), {
      minLength: 1,
      maxLength: 8,
      size: 'max',
    });
    const property = fc.asyncProperty(acts, async (sequence) => {
      const desk = await openDesk();
      const { trading } = desk.guard;
      const under: Promise<unknown>[] = [];
      let lastStop = -1;
      let lastCounted = -1;
      for (const [index, act] of sequence.entries()) {
        if (act === 'wait') await new Promise((resolve) => setTimeout(resolve, 3));
        if (act === 'halt') under.push(trading.halt({}, person));
        if (act === 'drain') under.push(trading.drain({}, 600, person));
        if (act === 'halt' || act === 'drain') lastStop = index;
        if (act === 'resume') {
          const counted = trading.resume({}, person).then(() => {
            lastCounted = Math.max(lastCounted, index);
          });
          under.push(counted.catch(() => {}));
        }
      }
      await Promise.all(under);
      const state = trading.stateOf({});
      expect(state === 'LIVE').toBe(lastStop === -1 || lastCounted > lastStop);
      expect(existsSync(join(desk.folder, 'armed'))).toBe(state === 'LIVE');
      await desk.close();
      const again = await openDesk({ folder: desk.folder });
      expect(again.guard.trading.stateOf({})).toBe(state === 'LIVE' ? 'LIVE' : 'HALTED');
      await again.close();
    });
    await fc.assert(property, { numRuns: howOften(4, 50) });
  });
});
