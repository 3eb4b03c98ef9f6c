import type { Attention } from '../contract/desk-view.ts';
import { holdingsAttention } from './attention-holdings.ts';
import { type AttentionParts, outsideAttention } from './attention-outside.ts';
import { switchAttention } from './attention-switches.ts';
import type { ChainChecks } from './chain-checks.ts';
import type { Outside } from './outside.ts';
import { restrictionAttention } from './restriction-attention.ts';
import type { WatchedChains } from './watched-chains.ts';

const URGENCY: Record<Attention['level'], number> = { stop: 0, look: 1, note: 2 };

const SETTINGS = { kind: 'page', page: 'settings' } as const;
const LISTINGS = { kind: 'page', page: 'listings' } as const;

/** What is wrong now, most urgent first: checks, nodes, what was set apart, and what comes from outside. */
export function attentionOf(
  parts: AttentionParts & {
    watched: WatchedChains;
    checks: ChainChecks | null;
    outside: Pick<Outside, 'restrictions'>;
  },
): Attention[] {
  const { watched, checks } = parts;
  const { book } = parts.rooms;
  const found: Attention[] = [];
  const desk = book.desk();
  const exposure = parts.rooms.guard.orders.rows();
  if (!desk.configured) {
    const detail = 'Nothing can be quoted until a desk file is imported: makerdesk import FILE.';
    found.push({
      code: 'not_configured',
      level: 'look',
      title: 'This desk has no configuration',
      detail,
      action: SETTINGS,
    });
  }
  for (const { chainId, check } of checks?.faults() ?? []) {
    const level = check.outcome === 'failed' ? 'stop' : 'look';
    const title =
      check.outcome === 'failed'
        ? `Check ${check.name} of chain ${chainId} failed`
        : `Check ${check.name} of chain ${chainId} waits for the node`;
    found.push({ code: `check ${chainId} ${check.name}`, level, title, detail: check.sentence, action: SETTINGS });
  }
  for (const { kind, id, fault } of desk.setApart) {
    found.push({
      code: `apart ${kind} ${id}`,
      level: 'stop',
      title: `The ${kind} ${id} is not used`,
      detail: `It ${fault}.`,
      action: SETTINGS,
    });
  }
  for (const chain of book.chains()) {
    const { name } = chain.config;
    const fault = watched.view(chain.chainId)?.fault;
    if (fault)
      found.push({
        code: `node ${chain.chainId}`,
        level: 'stop',
        title: `${name} is closed`,
        detail: fault,
        action: SETTINGS,
      });
    found.push(...outsideAttention(parts, chain));
    found.push(...restrictionAttention(parts.outside, chain));
    found.push(...holdingsAttention(parts.rooms, chain, exposure));
    found.push(...switchAttention(parts.rooms, chain));
    for (const { kind, id, fault: why } of chain.setApart) {
      found.push({
        code: `apart ${chain.chainId} ${kind} ${id}`,
        level: 'stop',
        title: `The ${kind} ${id} is not used on ${name}`,
        detail: why,
        action: LISTINGS,
      });
    }
    for (const pair of chain.pairs.values()) {
      if (pair.fault === null) continue;
      found.push({
        code: `pair ${chain.chainId} ${pair.id}`,
        level: 'stop',
        title: `${pair.id} is not served on ${name}`,
        detail: pair.fault,
        action: { kind: 'pair', chainId: chain.chainId, pair: pair.id },
      });
    }
  }
  return found.sort((a, b) => URGENCY[a.level] - URGENCY[b.level]);
}
