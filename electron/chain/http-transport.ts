import { getHttpRpcClient } from 'viem/utils';
import { nodeUnreachable } from './node-fault.ts';
import type { NodeTransport } from './node-transport.ts';

/** JSON-RPC over HTTP. Never retries: whoever asks decides about that. */
export function httpTransport(rpcUrl: string, timeoutMs: number): NodeTransport {
  const client = getHttpRpcClient(rpcUrl, { timeout: timeoutMs });
  return {
    async send(requests) {
      const [only] = requests;
      try {
        const body = requests.length === 1 && only !== undefined ? only : requests.map((request) => ({ ...request }));
        return await client.request({ body });
      } catch (error) {
        throw nodeUnreachable(rpcUrl, error);
      }
    },
    close() {},
  };
}
