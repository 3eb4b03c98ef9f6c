import type { ResumeOutlook } from '../../electron/contract/service-view.ts';
import type { StaysClosed } from '../../electron/contract/trading.ts';
import { plural } from '../components/figures/counts.ts';

/** Of many pairs so many are named. */
const MOST_NAMED = 6;

/** Pairs (or the whole of a chain) that stay closed for the same reason. */
export interface ClosedGroup {
  chainId: number;
  pairs: readonly string[];
  because: StaysClosed['because'];
  sentence: string;
}

/** What stays closed, once for each reason. */
export function closedGroups(staysClosed: readonly StaysClosed[]): ClosedGroup[] {
  const groups = new Map<string, ClosedGroup>();
  for (const { chainId, pair, sentence, because } of staysClosed) {
    const key = `${chainId} ${pair === null} ${sentence}`;
    const pairs = [...(groups.get(key)?.pairs ?? []), ...(pair === null ? [] : [pair])];
    groups.set(key, { chainId, pairs, because, sentence });
  }
  return [...groups.values()];
}

/** What a failed check keeps closed: pairs by name, or null for its whole chain. */
export function closedBy(check: ResumeOutlook['checks'][number], staysClosed: readonly StaysClosed[]): string[] | null {
  const closed = staysClosed.filter(
    ({ chainId, sentence }) => chainId === check.chainId && sentence.includes(check.sentence),
  );
  return closed.some(({ pair }) => pair === null) ? null : closed.flatMap(({ pair }) => pair ?? []);
}

/** `WETH/USDC, DAI/USDC and 3 more`. */
export function namesText(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return rest <= 0 ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${rest} more`;
}

/** `2 checks failed · 1 check waits · 3 pairs closed`; what there is none of is left out, and of nothing it is null. */
export function outlookText({ checks, staysClosed }: ResumeOutlook): string | null {
  const count = (outcome: 'failed' | 'waiting' | 'warning') =>
    checks.filter((check) => check.outcome === outcome).length;
  const pairs = staysClosed.filter(({ pair }) => pair !== null).length;
  const chains = staysClosed.length - pairs;
  const parts = [
    count('failed') > 0 && `${plural(count('failed'), 'check')} failed`,
    count('waiting') > 0 && `${plural(count('waiting'), 'check waits', 'checks wait')}`,
    count('warning') > 0 && `${count('warning')} to look at`,
    chains > 0 && `${plural(chains, 'chain')} closed`,
    pairs > 0 && `${plural(pairs, 'pair')} closed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(' · ');
}

/** What a start left closed, for the news of it; null where that is nothing. */
export function stayedClosedText(staysClosed: readonly StaysClosed[]): { title: string; detail: string } | null {
  const [first, ...others] = closedGroups(staysClosed);
  if (first === undefined) return null;
  const what = (group: ClosedGroup) => (group.pairs.length === 0 ? `Chain ${group.chainId}` : namesText(group.pairs));
  const title = `Live, but ${[first, ...others].map(what).join('; ')} ${staysClosed.length === 1 ? 'stays' : 'stay'} closed`;
  return { title, detail: [first, ...others].map(({ sentence }) => sentence).join(' ') };
}

/** Whether a resume would start something, with every check answered. */
export function startsNow({ starts, checks }: ResumeOutlook): boolean {
  return starts.length > 0 && checks.every(({ outcome }) => outcome !== 'waiting');
}
