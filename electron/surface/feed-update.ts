import type { ServedGrid } from '../quoting/served-grid.ts';
import { completeMessage, member, pairIdentity, serialised } from './serialised-grid.ts';

/**
 * The message that takes a consumer of the feed from one grid to another (PROTOCOL 6.1 and 6.2), or null when there is
 * nothing to say: created and changed entries only. A price entry replaces the pair's entry as a whole, and one that is
 * no longer served goes out as `{}`. Deletions of tokens and pairs, changes of liquidityUSD alone and addresses taken
 * off the blacklist are not sent.
 */
export function feedUpdate(from: ServedGrid, to: ServedGrid): string | null {
  const before = serialised(from);
  const after = serialised(to);
  const members = [
    changedMember('tokens', changed(before.tokens.entries, after.tokens.entries)),
    changedMember('pairs', changedPairs(from, to, after.pairs.entries)),
    changedMember('prices', changedPrices(from, before.prices.entries, after.prices.entries)),
    addedAddresses(from, to),
  ].filter((text) => text !== '');
  return members.length === 0 ? null : `{${members.join()}}`;
}

type Entries = ReadonlyMap<string, string>;

function changedMember(name: string, entries: [string, string][]): string {
  return entries.length === 0 ? '' : member(name, entries);
}

function changed(before: Entries, after: Entries): [string, string][] {
  return before === after ? [] : [...after].filter(([id, text]) => before.get(id) !== text);
}

function changedPairs(from: ServedGrid, to: ServedGrid, after: Entries): [string, string][] {
  if (from.pairs === to.pairs) return [];
  return [...after].filter(([id]) => {
    const was = Object.hasOwn(from.pairs, id) ? from.pairs[id] : undefined;
    const is = to.pairs[id];
    return was === undefined || is === undefined || pairIdentity(was) !== pairIdentity(is);
  });
}

function changedPrices(from: ServedGrid, before: Entries, after: Entries): [string, string][] {
  const entries = changed(before, after);
  if (before === after) return entries;
  for (const id of before.keys()) {
    const was = from.prices[id];
    const lit = (was?.bids?.length ?? 0) + (was?.asks?.length ?? 0) > 0;
    if (lit && !after.has(id)) entries.push([id, '{}']);
  }
  return entries;
}

function addedAddresses(from: ServedGrid, to: ServedGrid): string {
  if (from.blacklist === to.blacklist) return '';
  const known = new Set(from.blacklist);
  const added = to.blacklist.filter((address) => !known.has(address));
  return added.length === 0 ? '' : `"blacklist":${JSON.stringify(added)}`;
}

/** Gives the messages of one chain's feed; many consumers at the same grid share the work. */
export class FeedMessages {
  #first: { grid: ServedGrid; text: string } | null = null;
  /** To the newest grid alone, by the grid before: one that is kept must not keep those that followed on it, one by one. */
  #updates: { to: ServedGrid; texts: WeakMap<ServedGrid, string | null> } | null = null;

  complete(grid: ServedGrid): string {
    if (this.#first?.grid !== grid) this.#first = { grid, text: completeMessage(grid) };
    return this.#first.text;
  }

  update(from: ServedGrid, to: ServedGrid): string | null {
    if (this.#updates?.to !== to) this.#updates = { to, texts: new WeakMap() };
    const { texts } = this.#updates;
    const known = texts.get(from);
    if (known !== undefined) return known;
    const text = feedUpdate(from, to);
    texts.set(from, text);
    return text;
  }
}
