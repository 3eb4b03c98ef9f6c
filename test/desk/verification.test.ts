import type { EventEmitter } from 'node:events';
import { call } from '@orpc/server';
import { beforeEach, expect, test, vi } from 'vitest';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { logHandlers } from '../../electron/desk/handlers/log.ts';
import { RowFeed } from '../../electron/desk/row-feed.ts';
import { verifyJournal } from '../../electron/journal/verify.ts';
import { PATIENCE } from '../how-long.ts';
import { firm, type OpenDesk, openDesk } from '../quoting/open-desk.ts';
import { startThreadsBy } from '../reused-threads.ts';

/** Threads that verify: how many there are, how many there were at once, and what they said. They are heard once `heard` is there. */
const threads = { running: 0, most: 0, said: [] as string[], heard: Promise.resolve() };

startThreadsBy((usual) => (...asked) => {
  const thread = usual(...asked);
  const [, { task }] = asked as [string, { task?: string }];
  if (task !== 'verify' && task !== 'tables') return thread;
  threads.running += 1;
  threads.most = Math.max(threads.most, threads.running);
  const emitter = thread as unknown as EventEmitter;
  const emit = emitter.emit.bind(emitter);
  emitter.emit = (...event) => {
    void threads.heard.then(() => emit(...event));
    return true;
  };
  thread.on('message', ({ type }) => threads.said.push(type));
  thread.once('exit', () => {
    threads.running -= 1;
  });
  return thread;
});

beforeEach(() => {
  threads.most = 0;
  threads.said.length = 0;
});

const MANY = 40;

/** Nothing of threads is heard until it is called. */
function held(): () => void {
  let hear = () => {};
  threads.heard = new Promise((resolve) => {
    hear = resolve;
  });
  return () => hear();
}

const none = () => threads.running === 0;

function verifying(desk: OpenDesk) {
  const log = { info() {}, warn() {}, error() {} };
  const { verify } = logHandlers(desk, new RowFeed(desk.journal, log));
  return (signal?: AbortSignal) => call(verify, undefined, { context: asOwner('mara'), signal });
}

async function found(steps: ReturnType<ReturnType<typeof verifying>>) {
  let last = null;
  for await (const step of await steps) last = step;
  return last;
}

test('however many ask for a verification at once, there is one, and all of them have what it found', async () => {
  const desk = await openDesk();
  for (const _ of [1, 2, 3]) expect((await firm(desk)).status).toBe(200);
  const verify = verifying(desk);
  const alone = await found(verify());
  expect(alone).toMatchObject({ done: true, firstBad: null, detail: null });
  await vi.waitFor(() => expect(none()).toBe(true), PATIENCE);
  const ofOne = threads.most;
  threads.most = 0;
  const all = await Promise.all(Array.from({ length: MANY }, () => found(verify())));
  expect(all).toEqual(all.map(() => alone));
  expect(threads.most).toBe(ofOne);
  expect(await found(verify()), 'and one after it is another').toEqual(alone);
});

test('a verification that nobody waits for any more is broken off, and the next one begins when its threads have ended', async () => {
  const desk = await openDesk();
  for (const _ of [1, 2, 3]) expect((await firm(desk)).status).toBe(200);
  const verify = verifying(desk);
  const alone = await found(verify());
  await vi.waitFor(() => expect(none()).toBe(true), PATIENCE);
  const ofOne = threads.most;
  threads.most = 0;
  threads.said.length = 0;

  let hear = held();
  const asked = Array.from({ length: MANY }, () => new AbortController());
  const ends = asked.map(({ signal }) => found(verify(signal)).catch(() => null));
  await vi.waitFor(() => expect(threads.running).toBeGreaterThan(0), PATIENCE);
  for (const one of asked) one.abort();
  await Promise.all(ends);
  hear();
  await vi.waitFor(() => expect(none()).toBe(true), PATIENCE);
  expect(threads.said).not.toContain('progress');
  expect(threads.said).not.toContain('proven');

  hear = held();
  const gone = new AbortController();
  const first = found(verify(gone.signal)).catch(() => null);
  await vi.waitFor(() => expect(threads.running).toBeGreaterThan(0), PATIENCE);
  gone.abort();
  await first;
  const next = found(verify());
  hear();
  expect(await next).toEqual(alone);
  expect(threads.most).toBeLessThanOrEqual(ofOne);
});

test('threads of a verification that is broken off read no further, and it returns once they have ended', async () => {
  const desk = await openDesk();
  for (const _ of [1, 2, 3]) expect((await firm(desk)).status).toBe(200);
  await verifyJournal(desk.folder, undefined, AbortSignal.abort());
  expect(threads.running).toBe(0);
  expect(threads.said).not.toContain('progress');
  expect(threads.said).not.toContain('proven');
  expect(await verifyJournal(desk.folder)).toMatchObject({ ok: true });
});
