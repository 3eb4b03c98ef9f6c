import { Command } from 'commander';
import { expect, test, vi } from 'vitest';
import { addResume } from '../../electron/commands/resume.ts';
import { Attached } from '../../electron/desk/attached.ts';
import type { DeskClient } from '../../electron/desk/desk-line.ts';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { CHAIN, deskFile, folder } from '../book/fixture.ts';
import { openForTwo } from './two-people.ts';

const PAIR = 'WETH/USDC';
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'done',
    (error: unknown) => refusalOf(error).code,
  );

/** A desk that is LIVE. Its chain cannot be asked, so that a resume which counts ends at the self-check. */
async function live() {
  const clock = { now: Date.now() };
  const opened = await openForTwo(folder(), clock);
  const [owner, bob] = [opened.owner(), opened.owner('bob')];
  await owner.desk.import({ desk: deskFile() });
  await opened.rooms.guard.trading.resume({}, { actor: 'mara', reason: 'a test begins' });
  return { ...opened, owner, bob, clock };
}

test('a resume counts for the stop it was decided on: one that came on top of it, by somebody else or with other words, is not resumed with it', async () => {
  const { owner, bob, rooms, clock } = await live();
  const scope = {};
  await owner.trading.halt({ scope, reason: 'maintenance' });
  const seen = await owner.trading.stopsAround({ scope });
  expect(seen).toEqual([{ scope, state: 'HALTED', since: clock.now, actor: 'mara', reason: 'maintenance' }]);
  const resume = (read: typeof seen | undefined) =>
    codeOf(owner.trading.resume({ scope, reason: 'maintenance is done', seen: read }));
  expect(await resume(seen)).toBe('checks_failed');

  await bob.trading.halt({ scope, reason: 'the key leaked' });
  expect(await resume(seen)).toBe('overtaken_by_stop');
  await expect(owner.trading.resume({ scope, reason: 'maintenance is done', seen })).rejects.toThrow(
    /“the key leaked”/,
  );
  const now = await owner.trading.stopsAround({ scope });
  expect(now).toMatchObject([{ actor: 'bob', reason: 'the key leaked' }]);
  expect(await resume(now)).toBe('checks_failed');

  await bob.trading.explain({ scope, reason: 'the key leaked, and is in use' });
  expect(await resume(now)).toBe('overtaken_by_stop');
  expect(await resume(undefined), 'who says nothing of it is asked as before').toBe('checks_failed');
  expect(rooms.guard.status().state).toBe('HALTED');
});

test('a stop around what is resumed counts as well, and one that is over by now is in nobody’s way', async () => {
  const { owner, bob, rooms } = await live();
  const scope = { chainId: CHAIN, pair: PAIR };
  await owner.trading.halt({ scope });
  const seen = await owner.trading.stopsAround({ scope });
  await bob.trading.halt({ scope: {}, reason: 'the key leaked' });
  expect(await codeOf(owner.trading.resume({ scope, reason: 'looked at', seen }))).toBe('overtaken_by_stop');
  const both = await owner.trading.stopsAround({ scope });
  expect(both.map((stop) => stop.scope)).toEqual([{}, scope]);
  await rooms.guard.trading.resume({}, { actor: 'bob', reason: 'a false alarm' });
  expect(await codeOf(owner.trading.resume({ scope, reason: 'looked at', seen: both }))).toBe('checks_failed');
});

test('a resume that was decided on a stop of before does not wait for a second person either', async () => {
  const { owner, bob } = await live();
  await owner.tokens.create({ name: 'ada', rights: 'admin' });
  await owner.approvals.set({ kinds: ['resume'], seen: [] });
  const scope = {};
  await owner.trading.halt({ scope, reason: 'maintenance' });
  const seen = await owner.trading.stopsAround({ scope });
  await bob.trading.halt({ scope, reason: 'the key leaked' });
  const resume = (read: typeof seen) => codeOf(owner.trading.resume({ scope, reason: 'looked at', seen: read }));
  expect(await resume(seen)).toBe('overtaken_by_stop');
  expect((await owner.approvals.list({})).waiting).toEqual([]);
  expect(await resume(await owner.trading.stopsAround({ scope }))).toBe('second_person_asked');
});

/** `makerdesk resume` in a terminal of mara's, against this desk; gives what it prints. */
async function resumeTyped(trading: Partial<DeskClient['trading']>): Promise<unknown> {
  class Here extends Attached {
    override run<T>(act: (desk: DeskClient) => Promise<T>): Promise<T> {
      return act({ trading } as unknown as DeskClient);
    }
  }
  const place = new Here(new URL('http://127.0.0.1:1'), async () => '');
  const program = new Command();
  addResume(program, () => place, 'mara');
  let printed = '';
  const write = (text: string, done: () => void) => {
    printed += text;
    done();
    return true;
  };
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation(write as typeof process.stdout.write);
  try {
    await program.parseAsync(['resume', '--reason', 'maintenance is done'], { from: 'user' });
  } finally {
    stdout.mockRestore();
  }
  return JSON.parse(printed);
}

test('a resume at the command line says which stops it took off, and takes off none that came after it had begun', async () => {
  const { owner, bob, rooms } = await live();
  await owner.trading.halt({ scope: {}, reason: 'maintenance' });
  const trading: Partial<DeskClient['trading']> = {
    status: owner.trading.status,
    resume: owner.trading.resume,
    stopsAround: async (input) => {
      const read = await owner.trading.stopsAround(input);
      await bob.trading.halt({ scope: {}, reason: 'the key leaked' });
      return read;
    },
  };
  await expect(resumeTyped(trading)).rejects.toThrow(/HALTED by bob: “the key leaked”, and that came after/);
  const resume: DeskClient['trading']['resume'] = async ({ scope, reason }) => {
    const { at } = await rooms.guard.trading.resume(scope, { actor: 'mara', reason });
    return { durable: true, at, status: rooms.guard.status() };
  };
  const { status, stopsAround } = owner.trading;
  expect(await resumeTyped({ status, stopsAround, resume })).toMatchObject({
    resumed: true,
    tookOff: [
      { scope: {}, state: 'HALTED', actor: 'bob', reason: 'the key leaked', since: expect.stringMatching(/^20\d\d-/) },
    ],
  });
});
