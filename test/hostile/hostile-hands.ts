import { connect, type Socket } from 'node:net';
import { randomNumbers } from '../journal/random-numbers.ts';

/** A way into a desk, as whoever stands before it sees it. */
export interface Door {
  readonly name: string;
  /** A port of loopback, or the path of a socket. */
  readonly at: { port: number; host: string } | { path: string };
  /** Path and headers of a WebSocket handshake that this door accepts. */
  handshake(): { path: string; headers: Record<string, string> };
}

type Numbers = (below: number) => number;

const PATHS = [
  '//',
  '/',
  '/rpc',
  '/rpc?token=x',
  '//[',
  '/%00',
  '/%E0%A4%A',
  'http://',
  'http://[::1',
  '*',
  '/31337/ws',
  '/31337/firm',
];
const HOSTS = ['127.0.0.1', 'localhost', 'evil.example', '[', '', 'a b', '127.0.0.1:99999999'];

/**
 * One visit: something that no honest caller sends, and an end that may be a reset at any moment. Resolves when the
 * socket is gone.
 */
function visit(door: Door, numbers: Numbers): Promise<void> {
  return new Promise((resolve) => {
    const socket: Socket = connect(door.at);
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.setTimeout(3_000, () => socket.destroy());
    socket.on('connect', () => {
      const kind = numbers(6);
      if (kind === 0) socket.write(noise(numbers, 2_000));
      else if (kind === 1) socket.write(strangeRequest(numbers));
      else if (kind === 2) socket.write(`${handshakeText(door, strangePath(numbers))}`);
      else if (kind === 3) socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
      else {
        speak(socket, door, numbers);
        return;
      }
      leave(socket, numbers);
    });
  });
}

/** Opens a channel as an honest caller does, and then sends frames that nobody may send. */
function speak(socket: Socket, door: Door, numbers: Numbers): void {
  const { path, headers } = door.handshake();
  socket.write(handshakeText(door, path, headers));
  socket.once('data', () => {
    for (let left = 1 + numbers(3); left > 0; left -= 1) socket.write(strangeFrame(numbers));
    leave(socket, numbers);
  });
}

/** At once and without a word, with the first answer, or as it should be done. */
function leave(socket: Socket, numbers: Numbers): void {
  const how = numbers(3);
  const cut = () => (socket.remotePort === undefined ? socket.destroy() : socket.resetAndDestroy()); // TCP alone has resets
  if (how === 0) cut();
  else if (how === 1) socket.once('data', cut);
  else socket.end();
  socket.on('data', () => {});
}

function noise(numbers: Numbers, most: number): Buffer {
  return Buffer.from(Array.from({ length: 1 + numbers(most) }, () => numbers(256)));
}

function strangePath(numbers: Numbers): string {
  return PATHS[numbers(PATHS.length + 4)] ?? `/${noise(numbers, 60).toString('latin1').replace(/[\s]/g, '')}`;
}

function strangeRequest(numbers: Numbers): string {
  const method = ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS'][numbers(5)] ?? 'GET';
  const length = numbers(4) === 0 ? 'Content-Length: 100000\r\n' : 'Content-Length: 2\r\n';
  const expect = numbers(4) === 0 ? 'Expect: 100-continue\r\n' : '';
  const upgrade = numbers(4) === 0 ? 'Connection: Upgrade\r\nUpgrade: h2c\r\n' : '';
  const host = HOSTS[numbers(HOSTS.length)] ?? '';
  return `${method} ${strangePath(numbers)} HTTP/1.1\r\nHost: ${host}\r\n${length}${expect}${upgrade}\r\n{}`;
}

function handshakeText(door: Door, path: string, headers: Record<string, string> = {}): string {
  const host = 'port' in door.at ? `127.0.0.1:${door.at.port}` : 'desk';
  const all = {
    Host: host,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** Frames that RFC 6455 forbids, that are larger than anybody may send, or that say nothing the desk knows. */
function strangeFrame(numbers: Numbers): Buffer {
  switch (numbers(7)) {
    case 0:
      return Buffer.from([0x81, 0x02, 0x7b, 0x7d]); // not masked
    case 1:
      return frame(0x83 + numbers(5), noise(numbers, 20)); // an opcode that is reserved
    case 2:
      return frame(0x81, Buffer.from([0xff, 0xfe, 0xc0])); // text that is not UTF-8
    case 3:
      return Buffer.concat([Buffer.from([0x82, 0xff, 0, 0, 0, numbers(2), 5, 0, 0, 0]), Buffer.alloc(4)]); // 84 MB, or 4 GB
    case 4:
      return frame(0x88, Buffer.from([0x00, 0x01])); // a close with a code that does not exist
    case 5:
      return frame(numbers(2) === 0 ? 0x81 : 0x82, noise(numbers, 200));
    default:
      return frame(0x81, Buffer.from(STRANGE_MESSAGES[numbers(STRANGE_MESSAGES.length)] ?? ''));
  }
}

/** JSON that looks like a call of a console and is none. */
const STRANGE_MESSAGES = [
  '{}',
  'null',
  '[]',
  '{"i":1}',
  '{"i":"1","p":{"u":"//"}}',
  '{"i":"1","p":{"u":"/trading/halt","m":"POST","b":"x","h":{"content-type":7}}}',
  '{"i":"2","t":99,"p":{}}',
  '{"i":"3","t":3,"p":{"e":"message","d":{"json":1}}}',
  '{"i":"4","p":{"u":"/__proto__/constructor","b":{"json":{"__proto__":{"a":1}}}}}',
  '{"i":"5","p":{"u":"/desk/watch","b":{"meta":[[99,"x"]],"json":null}}}',
];

function frame(first: number, payload: Buffer): Buffer {
  const short = payload.length < 126;
  const head = short
    ? Buffer.from([first, 0x80 | payload.length])
    : Buffer.from([first, 0x80 | 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([head, Buffer.alloc(4), payload]); // a mask of zeros leaves the payload as it is
}

/** So many visits to each door, `abreast` at a time; the same ones for the same seed. */
export async function besiege(doors: readonly Door[], visits: number, seed: number, abreast = 16): Promise<void> {
  const numbers = randomNumbers(seed);
  let left = visits * doors.length;
  const walk = async () => {
    while (left > 0) {
      left -= 1;
      const door = doors[left % doors.length];
      if (door !== undefined) await visit(door, numbers);
    }
  };
  await Promise.all(Array.from({ length: abreast }, walk));
}
