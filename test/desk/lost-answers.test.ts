import { userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type ConsoleClient, openConnection } from '../../renderer/state/connection.ts';
import { openDeskStore } from '../../renderer/state/desk-store.ts';
import { refusalOf } from '../../renderer/state/refusal-of.ts';
import { socketTransport } from '../../renderer/state/transport.ts';
import { type CuttingProxy, cuttingProxy } from '../cutting-proxy.ts';
import { howOften } from '../how-often.ts';
import { connectionTo } from './connection.ts';
import { type RunningDesk, startDesk, temporaryFolder } from './desk-process.ts';
import { keyIn } from './key-in.ts';

/** A browser's socket says nothing of what went wrong; this one would throw it. */
class BrowserSocket extends WebSocket {
  constructor(url: string, protocols: string[]) {
    super(url, protocols, { perMessageDeflate: false });
    this.on('error', () => {});
  }
}

const { folder, remove } = temporaryFolder();
let desk: RunningDesk;
let line: CuttingProxy;
let client: ConsoleClient;
let connected: () => boolean;

const portOf = () => Number(new URL(desk.ready.console).port);

beforeAll(async () => {
  await keyIn(folder);
  desk = await startDesk(folder, 'serve');
  line = await cuttingProxy(portOf());
  const owner = await connectionTo(folder, userInfo().username);
  const { token } = await owner.desk.tokens.create({ name: 'mara', rights: 'admin' });
  await owner.close();
  vi.stubGlobal('WebSocket', BrowserSocket);
  const connection = openConnection(socketTransport(`ws://127.0.0.1:${line.port}/rpc`, token));
  openDeskStore(connection);
  ({ client } = connection);
  connected = () => connection.line().state === 'connected';
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await line?.close();
  await desk?.stop();
  remove();
});

/** How often the desk has written down that somebody is here, which each such command adds to. */
async function signs(): Promise<number> {
  const owner = await connectionTo(folder);
  let found = 0;
  for (let before: number | undefined; ; ) {
    let end = true;
    for await (const { rows, done, more, progress } of await owner.desk.journal.find({
      filter: { kinds: ['person_here'] },
      limit: 500,
      before,
    })) {
      found += rows.length;
      if (!done) continue;
      end = !more;
      before = progress.at;
    }
    if (end) break;
  }
  await owner.close();
  return found;
}

/**
 * What a command comes to whose line is cut after so many bytes. A slow machine may have no line in good time: nothing is sent then,
 * `nothingDone` sees to that, and it is given again.
 */
async function givenOnACutLine<T>(
  bytes: number,
  command: () => Promise<T>,
  nothingDone: () => Promise<void>,
): Promise<T> {
  for (;;) {
    await vi.waitFor(() => expect(connected()).toBe(true));
    line.cutAfter(bytes);
    try {
      return await command();
    } catch (error) {
      if (!['not_connected', 'command_late'].includes(refusalOf(error).code)) throw error;
      await nothingDone();
    }
  }
}

test('wherever the line is cut, a command is carried out once, and its answer is found again', async () => {
  const before = await signs();
  const times = howOften(30, 150);
  for (let i = 0; i < times; i += 1) {
    const bytes = Math.floor((i * 1_200) / times);
    const nothingDone = async () => expect((await signs()) - before).toBe(i);
    expect(await givenOnACutLine(bytes, () => client.trading.here(), nothingDone)).toBeNull();
  }
  expect((await signs()) - before).toBe(times);
});

async function tokenNames(): Promise<string[]> {
  const owner = await connectionTo(folder);
  const tokens = await owner.desk.tokens.list();
  await owner.close();
  return tokens.map(({ name }) => name);
}

test('what is told once, such as a token, is told again to whoever lost it', async () => {
  for (const bytes of [0, 150, 300, 450, 600]) {
    const name = `after-${bytes}`;
    const make = () => client.tokens.create({ name, rights: 'look' });
    const { token } = await givenOnACutLine(bytes, make, async () => expect(await tokenNames()).not.toContain(name));
    expect(await tokenNames()).toContain(name);
    expect(token).toMatch(/^[\w-]{20,}$/);
  }
});

test('a desk that is killed under a command and started again carries it out at most once, and says what it knows', async () => {
  for (let i = 0; i < howOften(1, 10); i += 1) {
    await vi.waitFor(() => expect(connected()).toBe(true));
    const before = await signs();
    const said = client.trading.here().then(
      () => 'answered',
      (error: unknown) => refusalOf(error).code,
    );
    await new Promise((resolve) => setTimeout(resolve, (i + 2) % 4));
    await desk.kill();
    desk = await startDesk(folder, 'serve');
    line.leadTo(portOf());
    const answer = await said;
    const now = (await signs()) - before;
    // The line to the desk that was killed before may break only now: then nothing is sent where none comes in good time.
    expect(['answered', 'command_done', 'command_lost', 'command_late', 'not_connected']).toContain(answer);
    if (answer === 'answered' || answer === 'command_done') expect(now, answer).toBe(1);
    else expect(now, answer).toBeLessThanOrEqual(answer === 'command_lost' ? 1 : 0);
  }
});
