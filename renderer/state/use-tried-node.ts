import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { SelfCheck } from '../../electron/contract/service-view.ts';
import { useQueries } from './console.tsx';
import { refusalOf } from './refusal-of.ts';

/** Nobody has typed for so long. */
const SETTLED_MS = 600;

/** The nodes of a chain as they are typed; the second may be empty. */
export interface TypedNodes {
  chainId: number;
  rpcUrl: string;
  spareRpcUrls?: readonly string[];
  secondRpcUrl: string;
  rfqContract: string;
}

/** What the nodes say of themselves, of the chain and of the contract; anew once nobody has typed for a moment. `isFine`: all of it holds. */
export function useTriedNode(
  typed: TypedNodes,
  isAsked = true,
): {
  checks: readonly SelfCheck[];
  isFine: boolean;
} {
  const rfqContract = typed.rfqContract.trim().toLowerCase();
  const [rpcUrl, second] = [typed.rpcUrl.trim(), typed.secondRpcUrl.trim()];
  const { chainId, spareRpcUrls = [] } = typed;
  const nodes = { chainId, rpcUrl, spareRpcUrls, rfqContract };
  const asked = second === '' ? nodes : { ...nodes, secondRpcUrl: second };
  const text = JSON.stringify(asked);
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const lacks = lackOf(rpcUrl, spareRpcUrls, second, rfqContract);
  const tried = useQuery(
    useQueries().settings.tryChain.queryOptions({
      input: { ...JSON.parse(settled), tokens: {} },
      enabled: isAsked && lacks === null && settled === text,
      staleTime: 10_000,
      refetchInterval: ({ state }) => (state.data?.every(({ outcome }) => outcome === 'passed') ? false : 3_000),
    }),
  );
  const said = (outcome: SelfCheck['outcome'], sentence: string) => ({
    checks: [{ name: 'node', outcome, sentence }],
    isFine: false,
  });
  if (lacks !== null) return said('waiting', lacks);
  if (settled !== text) return said('waiting', 'Asking the node…');
  if (tried.data !== undefined) {
    return { checks: tried.data, isFine: tried.data.every(({ outcome }) => outcome === 'passed') };
  }
  return tried.error === null ? said('waiting', 'Asking the node…') : said('failed', refusalOf(tried.error).sentence);
}

const NODE = /^(https?|wss?):\/\/\S+$/;

function lackOf(rpcUrl: string, spares: readonly string[], second: string, rfqContract: string): string | null {
  if (!NODE.test(rpcUrl)) return 'The address of a node: http, https, ws or wss.';
  if (!spares.every((url) => NODE.test(url))) {
    return 'The addresses of spare nodes: http, https, ws or wss, with commas between them, or nothing.';
  }
  if (second !== '' && !NODE.test(second)) return 'The address of the second node: http, https, ws or wss, or nothing.';
  if (second === rpcUrl) return 'The second node is the first: another one has to confirm what it says.';
  return /^0x[0-9a-f]{40}$/.test(rfqContract) ? null : 'The address of the RFQ contract has 40 digits after 0x.';
}
