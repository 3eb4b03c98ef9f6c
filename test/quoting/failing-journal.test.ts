import { describe, expect, it } from 'vitest';
import type { Journal } from '../../electron/journal/journal.ts';
import { DeskError } from '../../electron/protocol/desk-error.ts';
import { CHAIN } from '../book/fixture.ts';
import { firm, openDesk, person, quotes } from './open-desk.ts';

/** The n-th write and all after it fail, as on a disk that fills up; `reached` tells whether there was an n-th. */
function failingFrom(n: number) {
  const broken = new DeskError('journal_failed', 'The disk is full.');
  const listeners: ((error: DeskError) => void)[] = [];
  const state = { armed: false, writes: 0 };
  const around = (journal: Journal): Journal => ({
    ...journal,
    onFailure: (listener) => listeners.push(listener),
    append: async (event) => {
      if (!state.armed) return journal.append(event);
      state.writes += 1;
      if (state.writes < n) return journal.append(event);
      if (state.writes === n) for (const listener of listeners) listener(broken);
      throw broken;
    },
  });
  return {
    around,
    arm: () => {
      state.armed = true;
    },
    reached: () => state.writes >= n,
  };
}

describe('when the n-th write of the journal fails', () => {
  it('no order leaves without its row, the desk answers 503 and halts, and comes back halted, for every n', async () => {
    let n = 0;
    for (let reached = true; reached; ) {
      n += 1;
      const failing = failingFrom(n);
      const desk = await openDesk({ journal: failing.around });
      failing.arm();
      const answers = await Promise.all([firm(desk), firm(desk), firm(desk, {})]);
      await desk.guard.trading.halt({ chainId: CHAIN, pair: 'DAI/USDC' }, person);
      answers.push(await firm(desk));
      await desk.guard.trading.resume({ chainId: CHAIN, pair: 'DAI/USDC' }, person).catch(() => {});
      answers.push(await firm(desk));
      reached = failing.reached();
      if (reached) {
        expect(desk.guard.status().state).toBe('HALTED');
        expect(await firm(desk)).toMatchObject({ status: 503, code: 'halted' });
      }
      const written = await Promise.all((await quotes(desk)).map(({ seq }) => desk.journal.read.quote(seq)));
      const signatures = new Set(written.map((row) => row?.signature));
      for (const { order } of answers) if (order !== undefined) expect(signatures.has(order.signature)).toBe(true);
      await desk.guard.trading.halt({}, person);
      await desk.close();
      const again = await openDesk({ folder: desk.folder });
      expect(again.guard.status().state).toBe('HALTED');
      await again.close();
    }
    // Two quotes, an off, a quote, an on, a quote: the last round met no failure.
    expect(n).toBe(7);
  });
});
