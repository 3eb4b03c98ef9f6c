import { inTime } from '../time/in-time.ts';
import { readHead } from './chain-head.ts';
import { openNode } from './node-client.ts';

interface Nodes {
  rpcUrl: string;
  spareRpcUrls?: readonly string[] | undefined;
}

/** An emergency waits no longer for what nodes say of themselves, milliseconds. */
const WAITED_MS = 2_000;

/**
 * The nodes of a chain in the order in which they are to be asked: as they are named while the first has a block of now, that is
 * one at most so many seconds from our clock; else the one whose newest block is nearest to it first. One alone is not asked.
 */
export async function youngestFirst(
  nodes: Nodes,
  { chainId, mostSeconds }: { chainId: number; mostSeconds: number },
): Promise<Nodes> {
  const { rpcUrl: first, spareRpcUrls: spares = [] } = nodes;
  if (spares.length === 0) return nodes;
  const urls = [first, ...spares];
  const apart = new Map<string, number>();
  const looks = urls.map((url) =>
    secondsApart(url, chainId).then((seconds) => {
      apart.set(url, seconds);
      return seconds;
    }),
  );
  const isYoung = (seconds: number) => seconds <= mostSeconds;
  const all = Promise.allSettled(looks);
  const young = looks[0]?.then((seconds) => (isYoung(seconds) ? undefined : all)).catch(() => all);
  await inTime(Promise.resolve(young), WAITED_MS, () => {});
  if (isYoung(apart.get(first) ?? Number.POSITIVE_INFINITY)) return { rpcUrl: first, spareRpcUrls: spares };
  const far = (url: string) => apart.get(url) ?? Number.MAX_SAFE_INTEGER;
  const [youngest = first, ...others] = urls.toSorted((a, b) => far(a) - far(b));
  return { rpcUrl: youngest, spareRpcUrls: others };
}

/** How far the time of its newest block is from our clock. */
async function secondsApart(rpcUrl: string, chainId: number): Promise<number> {
  const node = openNode({ rpcUrl, timeoutMs: WAITED_MS });
  try {
    const { latest } = await readHead(node, chainId, undefined);
    return Math.abs(Date.now() / 1_000 - latest.timestamp);
  } finally {
    node.close();
  }
}
