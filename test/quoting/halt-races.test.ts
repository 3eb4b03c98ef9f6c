import { describe, expect, it } from 'vitest';
import { howOften } from '../how-often.ts';
import { type Answered, firm, type OpenDesk, openDesk, person, quotes, request } from './open-desk.ts';

const plenty = { prices: { 'WETH/USDC': { asks: [['3413', '1000000']] } } };
const RACES = howOften(6, 60);
const small = request({ makerAmount: '1000000000000' });

/** Keeps asking until the desk has stopped it; every answer with the moment it came, on the latch's clock. */
function askOften(desk: OpenDesk, often: number): Promise<{ answer: Answered; at: number }>[] {
  return Array.from({ length: often }, async (_, index) => {
    // Spread over some turns of the event loop, so that a stop falls anywhere between decision and commit.
    for (let turn = 0; turn < index % 12; turn += 1) await new Promise(setImmediate);
    const answer = await firm(desk, small);
    return { answer, at: performance.now() };
  });
}

describe('500 firm requests raced against a halt', () => {
  it(`hand over no order after the stamp of the stop, ${RACES} times`, async () => {
    const desk = await openDesk({ chain: plenty });
    for (let race = 0; race < RACES; race += 1) {
      desk.released.length = 0;
      const asked = askOften(desk, 500);
      for (let turn = 0; turn < race % 10; turn += 1) await new Promise(setImmediate);
      const { stamp, durable } = await desk.guard.trading.halt({}, person);
      expect(durable).toBe(true);
      const answers = await Promise.all(asked);
      expect(desk.released.filter((released) => released > stamp)).toEqual([]);
      expect(answers.filter(({ answer }) => answer.order !== undefined)).toHaveLength(desk.released.length);
      await desk.guard.trading.resume({}, person);
    }
  });

  it('and against halt, resume, halt: what is handed over was accepted between the stops that surround it', async () => {
    const desk = await openDesk({ chain: plenty });
    for (let race = 0; race < 20; race += 1) {
      desk.released.length = 0;
      const asked = askOften(desk, 500);
      for (let turn = 0; turn < race % 7; turn += 1) await new Promise(setImmediate);
      const first = await desk.guard.trading.halt({}, person);
      const resumedFrom = performance.now();
      await desk.guard.trading.resume({}, person);
      const more = askOften(desk, 100);
      await new Promise(setImmediate);
      const second = await desk.guard.trading.halt({}, person);
      await Promise.all([...asked, ...more]);
      const between = (stamp: number) => stamp > first.stamp && stamp < resumedFrom;
      expect(desk.released.filter((stamp) => between(stamp) || stamp > second.stamp)).toEqual([]);
      await desk.guard.trading.resume({}, person);
    }
    expect((await quotes(desk)).length).toBeGreaterThan(0);
  });

  it('and a resume that is overtaken by a halt does not count', async () => {
    const desk = await openDesk({ live: false });
    const resumed = desk.guard.trading.resume({}, person).catch((error: { code: string }) => error.code);
    const halted = desk.guard.trading.halt({}, person);
    expect(await resumed).toBe('overtaken_by_stop');
    await halted;
    expect(desk.guard.status().state).toBe('HALTED');
    await desk.close();
    expect((await openDesk({ folder: desk.folder })).guard.status().state).toBe('HALTED');
  });
});
