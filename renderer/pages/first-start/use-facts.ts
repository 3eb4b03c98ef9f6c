import type { SetUpChain } from '../../../electron/contract/console/settings.ts';
import { countText } from '../../components/figures/counts.ts';
import { ageText } from '../../components/figures/times.ts';
import { useResumeOutlook } from '../../components/resume-outlook.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useDesk } from '../../state/console.tsx';
import { startsNow } from '../../state/resume-text.ts';
import { type Settings, useSettings } from '../settings/use-settings.ts';
import type { Facts } from './steps.ts';
import { gasTogether, useApprovalGas } from './use-approval-gas.ts';

/** What is set up so far, from everywhere it stands, for each chain and for one that is not there yet; null until the desk has told it. */
export function useFacts(): {
  factsOf: ((chain: SetUpChain | null) => Facts) | null;
  settings: Settings | null;
  error: unknown;
  again: () => void;
} {
  const { data, error, refetch } = useSettings();
  const view = useDesk((now) => now);
  const now = useDeskNow();
  const outlook = useResumeOutlook({}, data?.desk.chains[0] !== undefined).data;
  const pairs = view.pairs.filter(({ retiredUntil }) => retiredUntil === null);
  const priced = pairs.filter(({ bestBid, bestAsk }) => bestBid !== null || bestAsk !== null);
  const isPaid = (chainId: number, tokenId: string) => {
    const ofChain = priced.filter((pair) => pair.chainId === chainId);
    return (
      ofChain.length === 0 ||
      ofChain.some(
        ({ base, quote, bestBid, bestAsk }) =>
          (base === tokenId && bestAsk !== null) || (quote === tokenId && bestBid !== null),
      )
    );
  };
  const lacking = view.exposure.filter(
    ({ chainId, tokenId, allowance }) => allowance === '0' && isPaid(chainId, tokenId),
  );
  const gas = useApprovalGas(lacking);
  const again = () => void refetch();
  if (data === undefined) return { factsOf: null, settings: null, error, again };
  const factsOf = (chain: SetUpChain | null): Facts => {
    const seen = view.chains.find(({ chainId }) => chainId === chain?.chainId);
    const { blockTime = null, nodeMs = null } = seen ?? {};
    const age = blockTime === null ? null : `head ${ageText(now - blockTime)}`;
    const head = [age, nodeMs === null ? null : `${countText(nodeMs)} ms`].filter((part) => part !== null).join(' · ');
    const ownGas = gas.filter((_gas, index) => lacking[index]?.chainId === chain?.chainId);
    return {
      signer: data.signer.address,
      chain:
        chain === null
          ? null
          : { name: chain.name, chainId: chain.chainId, fault: seen?.fault ?? null, head: head === '' ? null : head },
      tokens: (chain?.tokenIds ?? []).map((tokenId) => {
        const row = view.exposure.find((one) => one.chainId === chain?.chainId && one.tokenId === tokenId);
        const allowance = row?.allowance ?? null;
        const paid = isPaid(chain?.chainId ?? 0, tokenId);
        return { tokenId, allowance: allowance === null ? null : BigInt(allowance), isPaid: paid };
      }),
      approvalGas: chain === null ? null : gasTogether(chain.chainId, ownGas, view.exposure),
      pairs: pairs
        .filter(({ chainId }) => chainId === chain?.chainId)
        .map(({ pair, bestBid, bestAsk }) => ({ pair, isPriced: bestBid !== null || bestAsk !== null })),
      counterparties: data.desk.counterparties.map(({ domain }) => ({
        domain,
        hasSecret: data.secrets.some((secret) => secret.domain === domain && secret.fingerprint !== null),
      })),
      takers: chain?.takers.length ?? 0,
      surfaceUrl: view.surfaceUrl,
      outlook:
        outlook === undefined
          ? null
          : {
              failed: outlook.checks
                .filter(({ outcome, name }) => outcome === 'failed' && !name.startsWith('allowance '))
                .map(({ sentence }) => sentence),
              refused: outlook.refused,
              starts: startsNow(outlook) ? outlook.starts.length : 0,
            },
    };
  };
  return { factsOf, settings: data, error, again };
}
