import { createPublicClient, custom, defineChain, type PublicClient } from 'viem';
import type { NodeClient } from './node-client.ts';
import { Reverted, revertReason } from './revert.ts';

/**
 * A viem client that talks through `node`, for the parts of viem that do more than one request. A call that a contract ends
 * is a Reverted among the causes of what viem throws: its bytes do not reach viem, which would ask where a contract sends it.
 */
export function viemClient(node: NodeClient, chainId: number): PublicClient {
  const transport = custom(
    {
      async request({ method, params }: { method: string; params?: readonly unknown[] }) {
        const [answer] = await node.ask([{ method, params: params ?? [] }]);
        if (answer?.ok) return answer.result;
        const reason = revertReason(answer);
        if (reason !== null) throw new Reverted(reason);
        throw Object.assign(new Error(answer?.error.message ?? 'no answer'), { code: answer?.error.code });
      },
    },
    { retryCount: 0 },
  );
  const chain = defineChain({
    id: chainId,
    name: `Chain ${chainId}`,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  return createPublicClient({ chain, transport, pollingInterval: 250, cacheTime: 0 });
}
