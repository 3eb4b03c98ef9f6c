import { createServer } from 'node:http';
import { z } from 'zod';
import type { Address } from '../protocol/address.ts';
import { PRACTICE_CHAIN_ID } from './anvil.ts';
import { claimPort } from './free-port.ts';

export interface PracticeService {
  url: string;
  close(): Promise<void>;
}

/**
 * The service's own address: says which execution contracts may appear as `takerAddress` (spec 4.3,
 * `GET /adapters/contract-takers?network={chainId}`).
 * @throws DeskError `port_taken`
 */
export async function openService(options: { port: number; takers: readonly Address[] }): Promise<PracticeService> {
  const port = await claimPort(options.port, 'the practice service');
  const server = createServer((request, response) => {
    const { status, body } = answer(request.method ?? '', request.url ?? '', options.takers);
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port }, resolve);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const networkSchema = z.coerce.number().int();

function answer(method: string, target: string, takers: readonly Address[]): { status: number; body: unknown } {
  const [path, query] = target.split('?', 2);
  if (path !== '/adapters/contract-takers') return failure(404, 'NotFound', 'There is nothing at this path.');
  if (method !== 'GET') return failure(405, 'InvalidInput', 'Only GET is answered here.');
  const network = networkSchema.safeParse(new URLSearchParams(query).get('network'));
  if (network.data !== PRACTICE_CHAIN_ID) {
    return failure(400, 'UnsupportedChain', `Only network=${PRACTICE_CHAIN_ID} is served here.`);
  }
  return { status: 200, body: takers };
}

function failure(status: number, errorType: string, details: string) {
  return { status, body: { errorType, details } };
}
