import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to the fleet server that somebody at its other end has to themselves, and that can be cut and slowed down. */
export interface Line {
  /** Where it begins, on loopback. */
  readonly port: number;
  /** While it is cut nothing passes, and whoever begins anew is hung up on. */
  cut(isCut: boolean): void;
  /** How much later than it came everything arrives from now on, each way, milliseconds. */
  delay(ms: number): void;
  close(): Promise<void>;
}

/** Opens a line at a port, 0 for a free one, to another port of loopback. Throws what listening throws. */
export async function openLine(port: number, to: number): Promise<Line> {
  const open = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  const hangUp = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      from.on('error', () => from.destroy());
      from.on('close', () => {
        open.delete(from);
        into.destroy();
      });
      carry(from, into, () => delayMs);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut(wanted) {
      isCut = wanted;
      if (wanted) hangUp();
    },
    delay(ms) {
      delayMs = ms;
    },
    close: () =>
      new Promise((resolve) => {
        hangUp();
        server.close(() => resolve());
      }),
  };
}

/** Hands on what comes in the order in which it came, each piece once it has waited for as long as was asked when it came. */
function carry(from: Socket, into: Socket, delayMs: () => number): void {
  const waiting: { due: number; piece: Buffer }[] = [];
  const pass = () => {
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const left = next.due - performance.now();
      if (left > 0) return void setTimeout(pass, left);
      waiting.shift();
      if (into.writable) into.write(next.piece);
    }
  };
  from.on('data', (piece: Buffer) => {
    const due = Math.max(performance.now() + delayMs(), waiting.at(-1)?.due ?? 0);
    waiting.push({ due, piece });
    if (waiting.length === 1) pass();
  });
}
