import { useResumeOutlook } from '../../components/resume-outlook.tsx';
import { useDesk } from '../../state/console.tsx';
import { startsNow } from '../../state/resume-text.ts';
import { type Settings, useSettings } from '../settings/use-settings.ts';
import type { Facts } from './steps.ts';

/** What is set up so far, from everywhere it stands; null until the desk has told it. */
export function useFacts(): { facts: Facts | null; settings: Settings | null; error: unknown; again: () => void } {
  const { data, error, refetch } = useSettings();
  const view = useDesk((now) => now);
  const chain = data?.desk.chains[0] ?? null;
  const outlook = useResumeOutlook({}, chain !== null).data;
  const again = () => void refetch();
  if (data === undefined) return { facts: null, settings: null, error, again };
  const pairs = view.pairs.filter(({ retiredUntil }) => retiredUntil === null);
  const priced = pairs.filter(({ bestBid, bestAsk }) => bestBid !== null || bestAsk !== null);
  const isPaid = (tokenId: string) =>
    priced.length === 0 ||
    priced.some(
      ({ base, quote, bestBid, bestAsk }) =>
        (base === tokenId && bestAsk !== null) || (quote === tokenId && bestBid !== null),
    );
  const facts: Facts = {
    signer: data.signer.address,
    chain:
      chain === null
        ? null
        : {
            name: chain.name,
            chainId: chain.chainId,
            fault: view.chains.find(({ chainId }) => chainId === chain.chainId)?.fault ?? null,
          },
    tokens: (chain?.tokenIds ?? []).map((tokenId) => {
      const row = view.exposure.find((one) => one.chainId === chain?.chainId && one.tokenId === tokenId);
      const allowance = row?.allowance ?? null;
      return { tokenId, allowance: allowance === null ? null : BigInt(allowance), isPaid: isPaid(tokenId) };
    }),
    pairs: pairs.map(({ pair, bestBid, bestAsk }) => ({ pair, isPriced: bestBid !== null || bestAsk !== null })),
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
  return { facts, settings: data, error, again };
}
