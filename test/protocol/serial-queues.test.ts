import { expect, test } from 'vitest';
import { SerialQueues } from '../../electron/protocol/serial-queue.ts';

/** A deed that is over when it is told so. */
function deed(done: string[], name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = async () => {
    done.push(`${name} begins`);
    await ended;
    done.push(`${name} ends`);
  };
  return { run, end: () => end() };
}

test('what is of one key waits for its turn, also behind the last of several, and other keys do not', async () => {
  const queues = new SerialQueues();
  const done: string[] = [];
  const [first, second, third, other] = ['first', 'second', 'third', 'other'].map((name) => deed(done, name));
  const one = queues.run('a', first?.run ?? (() => {}));
  const two = queues.run('a', second?.run ?? (() => {}));
  other?.end();
  await queues.run('b', other?.run ?? (() => {}));
  expect(done).toEqual(['first begins', 'other begins', 'other ends']);
  first?.end();
  await one;
  const three = queues.run('a', third?.run ?? (() => {}));
  third?.end();
  await queues.run('b', () => {});
  expect(done).not.toContain('third begins');
  second?.end();
  await Promise.all([two, three]);
  expect(done.slice(3)).toEqual(['first ends', 'second begins', 'second ends', 'third begins', 'third ends']);
});

test('a key is taken until nobody is in its queue, whatever became of the last', async () => {
  const queues = new SerialQueues();
  expect(queues.isTaken('a')).toBe(false);
  const failing = queues.run('a', () => Promise.reject(new Error('it would not')));
  expect(queues.isTaken('a')).toBe(true);
  await expect(failing).rejects.toThrow('it would not');
  expect(queues.isTaken('a')).toBe(false);
  expect(await queues.run('a', () => 7)).toBe(7);
});
