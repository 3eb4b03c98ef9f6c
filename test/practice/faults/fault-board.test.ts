import { beforeEach, expect, test } from 'vitest';
import { type Fault, type FaultBoard, openFaultBoard } from '../../../electron/practice/faults/fault-board.ts';
import { collectLog } from '../collected-log.ts';

let done: string[];
let fails: boolean;
let log: ReturnType<typeof collectLog>;
let board: FaultBoard;

beforeEach(() => {
  done = [];
  fails = false;
  log = collectLog();
  const lasting: Fault = {
    name: 'lasting',
    says: 'Something lasts.',
    async on() {
      if (fails) throw new Error('it would not');
      done.push('on');
      return 'it is so';
    },
    async off() {
      done.push('off');
      return 'it is over';
    },
  };
  const moment: Fault = {
    name: 'moment',
    says: 'Something happens.',
    on: async ({ depth }) => `depth ${depth}`,
  };
  board = openFaultBoard({ faults: [lasting, moment], ofSurfaces: ['surface-down'], now: () => 7, log });
});

test('a fault is on since its switch and off again, one line each; what is so already stays so without a word', async () => {
  await Promise.all([board.switch('lasting', true), board.switch('lasting', true)]);
  expect(board.states()[0]).toMatchObject({ name: 'lasting', on: true, since: 7 });
  await board.switch('lasting', false);
  await board.switch('lasting', false);
  expect(board.states()[0]).toMatchObject({ on: false, since: null });
  expect(done).toEqual(['on', 'off']);
  expect(log.lines).toEqual(['! fault lasting on: it is so', '! fault lasting off: it is over']);
});

test('what happens once is never found on, and happens each time it is asked for', async () => {
  await board.switch('moment', true, { depth: 3 });
  await board.switch('moment', true, { depth: 4 });
  await board.switch('moment', false);
  expect(board.states()[1]).toMatchObject({ on: false, since: 7, once: true });
  expect(log.lines).toEqual(['! fault moment happened: depth 3', '! fault moment happened: depth 4']);
});

test('a fault that cannot be switched is said and stays as it was; the next switch is not held up', async () => {
  fails = true;
  await expect(board.switch('lasting', true)).rejects.toMatchObject({ code: 'fault_failed' });
  expect(board.states()[0]).toMatchObject({ on: false });
  fails = false;
  await board.switch('lasting', true);
  expect(board.states()[0]).toMatchObject({ on: true });
});

test('a name that there is not is refused with those there are; closing switches everything off', async () => {
  await expect(board.switch('other', true)).rejects.toMatchObject({
    code: 'unknown_fault',
    remedy: expect.stringContaining('lasting, moment'),
  });
  await board.switch('lasting', true);
  await board.close();
  expect(done).toEqual(['on', 'off']);
});

test('a fault of surfaces is refused where the market has none, with how to have them', async () => {
  await expect(board.switch('surface-down', true)).rejects.toMatchObject({
    code: 'unknown_fault',
    message: 'The fault surface-down is one of surfaces, and this practice desk has none.',
    remedy: expect.stringContaining('--surfaces 3'),
  });
});
