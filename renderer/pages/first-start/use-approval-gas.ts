import { useQueries as useEach } from '@tanstack/react-query';
import type { ExposureRow } from '../../../electron/contract/desk-view.ts';
import { gasText } from '../../components/live-dollars.ts';
import { useClient } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';

/** What an approval costs in gas; `wei` is null while that is not known, and `why` says why where the node was asked. */
export interface ApprovalGas {
  wei: bigint | null;
  why: string | null;
}

type Asked = Pick<ExposureRow, 'chainId' | 'tokenId'>;

/** The gas of an approval of each of these tokens, in their order: the node is asked, and nothing is sent. */
export function useApprovalGas(asked: readonly Asked[]): ApprovalGas[] {
  const client = useClient();
  return useEach({
    queries: asked.map(({ chainId, tokenId }) => ({
      queryKey: ['on-chain', 'approve', chainId, tokenId],
      queryFn: () => client.onChain.setAllowance({ chainId, tokenId, amount: '1', dryRun: true }),
      staleTime: 30_000,
    })),
  }).map(({ data, error, isPending }) => {
    const fees = data?.map(({ feeWei }) => feeWei) ?? [];
    const isKnown = fees.length > 0 && fees.every((fee) => fee !== null);
    const wei = isKnown ? fees.reduce((sum, fee) => sum + BigInt(fee ?? 0), 0n) : null;
    const why = error === null ? 'the node does not say it' : refusalOf(error).sentence;
    return { wei, why: isPending ? null : why };
  });
}

/** The gas of all these approvals of one chain together, in its coin and dollars; null where that of one is not known. */
export function gasTogether(
  chainId: number,
  gas: readonly ApprovalGas[],
  exposure: readonly ExposureRow[],
): string | null {
  if (gas.length === 0 || gas.some(({ wei }) => wei === null)) return null;
  return gasText(
    chainId,
    gas.reduce((sum, { wei }) => sum + (wei ?? 0n), 0n),
    exposure,
  );
}
