import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { DeskError } from '../../protocol/desk-error.ts';

/** Where no system hands out ports by itself: one that is free here stays so, unless somebody asks for that very one. */
const UNASSIGNED = { first: 20_000, end: 32_000 };
const TRIES = 20;

/**
 * The port itself when it can be listened on at loopback; 0 gives one that was free a moment ago.
 * @throws DeskError `port_taken`, naming the port
 */
export async function claimPort(port: number, purpose: string): Promise<number> {
  for (let tries = 0; port === 0 && tries < TRIES; tries += 1) {
    const found = await probed(randomInt(UNASSIGNED.first, UNASSIGNED.end), purpose).catch(() => null);
    if (found !== null) return found;
  }
  return probed(port, purpose);
}

function probed(port: number, purpose: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (cause) => reject(portTaken(port, purpose, cause)));
    probe.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const address = probe.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      probe.close(() => resolve(found));
    });
  });
}

export function portTaken(port: number, purpose: string, cause?: unknown): DeskError {
  return new DeskError('port_taken', `Port ${port}, wanted for ${purpose}, is taken on 127.0.0.1.`, {
    remedy: 'End what listens there, or choose another port (0 takes a free one).',
    cause,
  });
}
