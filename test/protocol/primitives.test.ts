import { expect, test } from 'vitest';
import { createEmitter } from '../../electron/contract/emitter.ts';
import { Opened } from '../../electron/protocol/opened.ts';
import { SerialQueue } from '../../electron/protocol/serial-queue.ts';

test('a queue does one thing after another, whatever became of those before', async () => {
  const queue = new SerialQueue();
  const done: string[] = [];
  let letGo = () => {};
  const first = queue.run(async () => {
    await new Promise<void>((go) => {
      letGo = go;
    });
    done.push('first');
    throw new Error('first fails');
  });
  const second = queue.run(() => {
    done.push('second');
    return 2;
  });
  await Promise.resolve();
  expect(done).toEqual([]);
  letGo();
  await expect(first).rejects.toThrow('first fails');
  expect(await second).toBe(2);
  await queue.over();
  expect(done).toEqual(['first', 'second']);
});

test('one listener that throws keeps none of the others from being told', () => {
  const faults: unknown[] = [];
  const told: number[] = [];
  const emitter = createEmitter<number>((error) => faults.push(error));
  emitter.subscribe(() => {
    throw new Error('no');
  });
  const end = emitter.subscribe((value) => told.push(value));
  emitter.emit(1);
  end();
  emitter.emit(2);
  expect([told, faults.length]).toEqual([[1], 2]);
});

test('a listener that ended while others were told is not told any more, and one that came is told next time', () => {
  const told: string[] = [];
  const emitter = createEmitter<string>(() => {});
  const first = () => {
    endSecond();
    emitter.subscribe((value) => told.push(`late ${value}`));
  };
  const endFirst = emitter.subscribe(first);
  const endSecond = emitter.subscribe((value) => told.push(`second ${value}`));
  emitter.emit('a');
  endFirst();
  emitter.emit('b');
  expect(told).toEqual(['late b']);
});

test('what was opened is closed once, the newest first, also where one of it cannot be closed', async () => {
  const closed: string[] = [];
  const opened = new Opened();
  opened.push(() => void closed.push('lock'));
  opened.push(async () => {
    throw new Error('the surface does not close');
  });
  opened.push(() => void closed.push('console'));
  await expect(opened.close()).rejects.toThrow('the surface does not close');
  await opened.close();
  expect(closed).toEqual(['console', 'lock']);
});
