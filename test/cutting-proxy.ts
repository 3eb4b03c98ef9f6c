import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line between a console and its desk that can be cut at any byte. */
export interface CuttingProxy {
  port: number;
  /** Where it leads from the next connection on. */
  leadTo(port: number): void;
  /** Cuts every line that is open once so many more bytes have passed, either way; those that follow stand. */
  cutAfter(bytes: number): void;
  close(): Promise<void>;
}

export async function cuttingProxy(target: number): Promise<CuttingProxy> {
  let to = target;
  let left = Number.POSITIVE_INFINITY;
  const open = new Set<Socket>();
  const cutAll = () => {
    left = Number.POSITIVE_INFINITY;
    for (const socket of open) socket.destroy();
  };
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.on('error', () => from.destroy());
      from.on('close', () => {
        open.delete(from);
        into.destroy();
      });
      from.on('data', (chunk: Buffer) => {
        into.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left <= 0) cutAll();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (port) => {
      to = port;
    },
    cutAfter: (bytes) => {
      left = bytes;
      if (left <= 0) cutAll();
    },
    close: () =>
      new Promise((resolve) => {
        cutAll();
        server.close(() => resolve());
      }),
  };
}
