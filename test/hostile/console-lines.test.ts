import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { tellWhatIsRead } from '../../electron/contract/console-port.ts';
import type { PortReader } from '../../electron/contract/process-messages.ts';
import { ConsoleLines, type Speaking } from '../../electron/desk/console-lines.ts';
import { asOwner } from '../../electron/desk/handlers/base.ts';
import { LiveView, type WholeView } from '../../electron/desk/live-view.ts';

const MB = 1024 * 1024;
/** Long enough that nobody is asked whether they are there. */
const NEVER_MS = 3_600_000;

/** Lines of real sockets: each call opens one and gives both its ends. */
async function lines(pingMs = NEVER_MS) {
  const warned: unknown[] = [];
  const log = { info: () => {}, warn: (_line: string, facts: unknown) => warned.push(facts), error: () => {} };
  const all = new ConsoleLines(log, pingMs);
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  onTestFinished(() => {
    all.close();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  const open = async (as: 'console' | 'command' = 'console') => {
    const connected = new Promise<WebSocket>((resolve) => sockets.once('connection', resolve));
    const reader = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
    const socket = await connected;
    await vi.waitFor(() => expect(reader.readyState).toBe(WebSocket.OPEN));
    return { reader, socket, line: all[as](socket) };
  };
  return { open, warned };
}

/** Sends without end, each message when the one before it has left; counts them. */
function stream(socket: WebSocket, line: Speaking | null, message: Buffer): { sent: number } {
  const count = { sent: 0 };
  const go = async () => {
    while (line !== null && socket.readyState === WebSocket.OPEN) {
      await line.send(message);
      count.sent += 1;
    }
  };
  void go();
  return count;
}

test('for a console that does not read no second message is made, however small; when it reads again it goes on', async () => {
  const { open } = await lines();
  const { reader, socket, line } = await open();
  reader.pause();
  const count = stream(socket, line, randomBytes(10));
  for (let turn = 0; turn < 1_000; turn += 1) await new Promise(setImmediate);
  expect(count.sent).toBe(0);
  reader.resume();
  await vi.waitFor(() => expect(count.sent).toBeGreaterThan(50));
  socket.terminate();
});

test('a console that does not answer is let go, and one that reads stays', async () => {
  const { open, warned } = await lines(500);
  const [frozen, well] = [await open(), await open()];
  frozen.reader.pause();
  await vi.waitFor(() => expect(frozen.socket.readyState).toBe(WebSocket.CLOSED));
  expect(well.socket.readyState).toBe(WebSocket.OPEN);
  expect(warned).toEqual([{ why: 'it does not answer' }]);
});

test('a command that stands still, such as one whose output is read page by page, is not let go for it', async () => {
  const { open } = await lines(20);
  const [command, frozen] = [await open('command'), await open()];
  command.reader.pause();
  frozen.reader.pause();
  await vi.waitFor(() => expect(frozen.socket.readyState).toBe(WebSocket.CLOSED));
  expect(command.socket.readyState).toBe(WebSocket.OPEN);
});

test('a console that asks for more and more and reads none of it is let go at a bound', async () => {
  const { open, warned } = await lines();
  const { reader, socket, line } = await open();
  reader.pause();
  const lengths: number[] = [];
  const answers = Array.from({ length: 64 }, () => {
    const answer = line?.send(randomBytes(MB));
    lengths.push(socket.bufferedAmount);
    return answer;
  });
  await Promise.all(answers);
  expect(Math.max(...lengths)).toBeLessThan(20 * MB);
  expect(socket.readyState).toBeGreaterThanOrEqual(WebSocket.CLOSING);
  expect(warned).toEqual([{ why: 'it asks for more than it reads' }]);
});

test('where all together leave too much unread, the one that has read nothing for longest makes room, not the one that reads', async () => {
  const { open, warned } = await lines();
  const frozen = [];
  for (let made = 0; made < 12; made += 1) frozen.push(await open());
  const well = await open();
  for (const { reader, line } of frozen) {
    reader.pause();
    for (let message = 0; message < 12; message += 1) void line?.send(randomBytes(MB));
  }
  await well.line?.send(randomBytes(12 * MB));
  const unread = frozen.reduce((sum, { socket }) => sum + socket.bufferedAmount, 0);
  expect(unread).toBeLessThanOrEqual(64 * MB);
  expect(well.socket.readyState).toBe(WebSocket.OPEN);
  expect(frozen[0]?.socket.readyState).toBeGreaterThanOrEqual(WebSocket.CLOSING);
  expect(frozen.at(-1)?.socket.readyState).toBe(WebSocket.OPEN);
  expect(warned.length).toBeGreaterThan(0);
});

test('a console that asks a thousand things at once is answered a thousand times', async () => {
  const { open } = await lines();
  const { reader, line } = await open();
  let heard = 0;
  reader.on('message', () => {
    heard += 1;
  });
  await Promise.all(Array.from({ length: 1_000 }, () => line?.send(Buffer.from('an answer'))));
  await vi.waitFor(() => expect(heard).toBe(1_000));
  expect(reader.readyState).toBe(WebSocket.OPEN);
});

/** A port of the desktop app: its line at the desk, and the other end, which reads nothing until it is started. */
function portLine(reader: PortReader = 'window', pingMs = NEVER_MS) {
  const warned: unknown[] = [];
  const log = { info: () => {}, warn: (_line: string, facts: unknown) => warned.push(facts), error: () => {} };
  const all = new ConsoleLines(log, pingMs);
  const { port1, port2 } = new MessageChannel();
  const line = all.port(port1, reader);
  const ended = { desk: false, reader: false };
  line.addEventListener('close', () => {
    ended.desk = true;
  });
  port2.once('close', () => {
    ended.reader = true;
  });
  const heard: unknown[] = [];
  const read = () => {
    tellWhatIsRead((tell) => port2.on('message', tell), port2);
    port2.on('message', (message) => heard.push(message));
  };
  onTestFinished(() => {
    all.close();
    port1.close();
  });
  return { line, read, port: port2, heard, warned, ended };
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
};

test('for a window that hangs no second message is made; when it reads again it goes on with what is so then', async () => {
  const { line, read, heard } = portLine();
  let now = 0;
  let made = 0;
  const go = async () => {
    for (; made < 200; made += 1) await line.send(`${now}`);
  };
  const all = go();
  for (now = 1; now < 1_000; now += 1) await turns(1);
  expect(made).toBe(0);
  now = 1_000;
  read();
  await all;
  await vi.waitFor(() => expect(heard).toHaveLength(200));
  expect(heard.slice(0, 2)).toEqual(['0', '1000']);
});

test('a window that hung is told the whole view as it is when it reads again, and nothing was kept for it meanwhile', async () => {
  const { line, read, heard, port } = portLine();
  let surface = 0;
  const status = { state: 'LIVE' } as WholeView['status'];
  const view = new LiveView({
    read: () => {
      const surfaceUrl = `http://desk/${surface}`;
      return { status, chains: [], pairs: [], exposure: [], attention: [], alerts: [], surfaceUrl } as never;
    },
    now: () => surface,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  onTestFinished(() => view.close());
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  let made = 0;
  const follow = async () => {
    for await (const update of view.watch(asOwner('mara'), ending.signal)) {
      made += 1;
      await line.send(JSON.stringify(update));
    }
  };
  void follow();
  // Another console sees how much changes meanwhile.
  let seen = 0;
  for await (const _ of view.watch(asOwner('ben'), ending.signal)) {
    surface += 1;
    seen += 1;
    if (seen > 30) break;
  }
  expect(made).toBe(1);
  read();
  // What it was told, the one change that was on its way, and everything as it is now.
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(2));
  const [first, second, third] = heard.map((text) => JSON.parse(String(text)));
  expect(first).toMatchObject({ whole: true, surfaceUrl: 'http://desk/0' });
  expect(second.whole).toBeUndefined();
  expect(third.whole).toBe(true);
  expect(Number(new URL(third.surfaceUrl).pathname.slice(1))).toBeGreaterThan(25);
  port.close();
});

test('what a window says is heard while it owes an answer to what it was told', async () => {
  const { line, port } = portLine();
  const said: unknown[] = [];
  line.addEventListener('message', ({ data }) => said.push(data));
  void line.send('an update');
  port.postMessage('halt');
  await vi.waitFor(() => expect(said).toEqual(['halt']));
});

test('a window that stands still is not let go for it, one that leaves too much unread is, and both of its ends are told', async () => {
  const { line, read, warned, ended } = portLine('window', 5);
  let answered = false;
  const first = line.send(randomBytes(20 * MB)).then(() => {
    answered = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect({ answered, warned, ended }).toEqual({ answered: false, warned: [], ended: { desk: false, reader: false } });
  await Promise.all([first, line.send('one more')]);
  expect(warned).toEqual([{ why: 'it asks for more than it reads' }]);
  read();
  await vi.waitFor(() => expect(ended).toEqual({ desk: true, reader: true }));
});

test('the line on which the app halts is never let go, whatever it leaves unread', async () => {
  const { line, read, heard, warned } = portLine('app');
  const all = Promise.all(Array.from({ length: 60 }, () => line.send(randomBytes(MB))));
  await turns(10);
  expect(warned).toEqual([]);
  read();
  await all;
  expect(heard).toHaveLength(60);
});
