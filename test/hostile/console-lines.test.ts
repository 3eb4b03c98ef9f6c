import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ConsoleLines, type Speaking } from '../../electron/desk/console-lines.ts';

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
  const { open, warned } = await lines(50);
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
