import type { Attention } from '../contract/desk-view.ts';
import type { ChainChecks } from './chain-checks.ts';
import type { Rooms } from './rooms.ts';
import type { WatchedChains } from './watched-chains.ts';

const URGENCY: Record<Attention['level'], number> = { stop: 0, look: 1, note: 2 };

/** What is wrong now, most urgent first: checks, nodes, and what was set apart. */
export function attentionOf(rooms: Rooms, watched: WatchedChains, checks: ChainChecks | null): Attention[] {
  const { book } = rooms;
  const found: Attention[] = [];
  const desk = book.desk();
  if (!desk.configured) {
    const detail = 'Nothing can be quoted until a desk file is imported: makerdesk import FILE.';
    found.push({ code: 'not_configured', level: 'look', title: 'This desk has no configuration', detail });
  }
  for (const { chainId, check } of checks?.faults() ?? []) {
    const level = check.outcome === 'failed' ? 'stop' : 'look';
    const title =
      check.outcome === 'failed'
        ? `Check ${check.name} of chain ${chainId} failed`
        : `Check ${check.name} of chain ${chainId} waits for the node`;
    found.push({ code: `check ${chainId} ${check.name}`, level, title, detail: check.sentence });
  }
  for (const { kind, id, fault } of desk.setApart) {
    found.push({
      code: `apart ${kind} ${id}`,
      level: 'stop',
      title: `The ${kind} ${id} is not used`,
      detail: `It ${fault}.`,
    });
  }
  for (const chain of book.chains()) {
    const { name } = chain.config;
    const fault = watched.view(chain.chainId)?.fault;
    if (fault) found.push({ code: `node ${chain.chainId}`, level: 'stop', title: `${name} is closed`, detail: fault });
    for (const { kind, id, fault: why } of chain.setApart) {
      found.push({
        code: `apart ${chain.chainId} ${kind} ${id}`,
        level: 'stop',
        title: `The ${kind} ${id} is not used on ${name}`,
        detail: why,
      });
    }
    for (const pair of chain.pairs.values()) {
      if (pair.fault === null) continue;
      found.push({
        code: `pair ${chain.chainId} ${pair.id}`,
        level: 'stop',
        title: `${pair.id} is not served on ${name}`,
        detail: pair.fault,
      });
    }
  }
  return found.sort((a, b) => URGENCY[a.level] - URGENCY[b.level]);
}
