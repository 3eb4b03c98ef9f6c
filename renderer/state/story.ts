import type { LadderCell } from '../../electron/contract/book.ts';
import { countText, shortHex } from '../components/figures/counts.ts';
import { ladderPath, pagePath } from './pages.ts';

/** Of what the journal tells the story: a cell of a ladder, a pair, a token, or whoever or whatever an address or a hash names. */
export type Story =
  | { kind: 'cell'; chainId: number; pair: string; cell: LadderCell }
  | { kind: 'pair'; chainId: number | null; pair: string }
  | { kind: 'token'; chainId: number; tokenId: string }
  | { kind: 'user' | 'taker'; chainId: number | null; address: string }
  /** `since`: nothing is known of it before, Unix milliseconds. */
  | { kind: 'order'; chainId: number; hash: string; since: number };

/** Where the story stands: a cell's beside its ladder, a pair's in the journal also with what was changed of its tokens, its chain and the desk. */
export function storyPath(story: Story): string {
  if (story.kind === 'cell') {
    const { side, level, field } = story.cell;
    return `${ladderPath(story.chainId, story.pair)}?cell=${side}-${level + 1}-${field}`;
  }
  const query = new URLSearchParams();
  if (story.kind === 'pair' || story.kind === 'token') query.set('what', 'changes');
  else query.set('what', 'all');
  if (story.kind === 'pair') query.set('pair', story.pair);
  else if (story.kind === 'token') query.set('words', story.tokenId);
  else query.set('words', story.kind === 'order' ? story.hash : story.address);
  if (story.chainId !== null) query.set('chain', `${story.chainId}`);
  if (story.kind === 'order') {
    query.set('range', 'between');
    query.set('from', `${new Date(story.since).toISOString().slice(0, 19).replace('T', ' ')}Z`);
  }
  return `${pagePath('journal')}?${query}`;
}

/** The cell whose story an address asks for; null where it asks for none. */
export function askedCell(search: string): LadderCell | null {
  const [side, level, field] = new URLSearchParams(search).get('cell')?.split('-') ?? [];
  const at = Number(level) - 1;
  if ((side !== 'bids' && side !== 'asks') || (field !== 'price' && field !== 'amount')) return null;
  return Number.isInteger(at) && at >= 0 && at < 1_000 ? { side, level: at, field } : null;
}

/** A cell's name as a trader says it: `Bid 3 price`. */
export function cellWords({ side, level, field }: LadderCell): string {
  return `${side === 'asks' ? 'Ask' : 'Bid'} ${countText(level + 1)} ${field === 'amount' ? 'size' : 'price'}`;
}

/** What the way to it is called. */
export function storyName(story: Story): string {
  if (story.kind === 'cell') return `Who changed ${cellWords(story.cell)} of ${story.pair}`;
  if (story.kind === 'pair') return `What changed ${story.pair}`;
  if (story.kind === 'token') return `What changed ${story.tokenId}`;
  return `Everything of ${story.kind} ${shortHex(story.kind === 'order' ? story.hash : story.address)}`;
}

/** The attribute by which a row or a cell says what it is about, the nearest first: right click and the key for it lead there. */
export function storiesOf(...stories: readonly (Story | null)[]): { 'data-stories': string | undefined } {
  const known = stories.filter((story) => story !== null);
  return { 'data-stories': known.length === 0 ? undefined : JSON.stringify(known) };
}

/** What the part of the screen around an element is about; nothing where none says so. */
export function storiesAt(element: Element | null): readonly Story[] {
  const said = element?.closest('[data-stories]')?.getAttribute('data-stories');
  return said == null ? [] : JSON.parse(said);
}

/** A quote or a fill in the stories of its row: its pair, its order, who asked, and who took it. */
export function tradeStories(trade: {
  chainId: number;
  pair: string | null;
  orderHash?: string | null;
  userAddress: string | null;
  takerAddress?: string | null;
  /** Unix milliseconds, before which nothing of its order happened. */
  since: number;
}): { 'data-stories': string | undefined } {
  const { chainId, pair, orderHash, userAddress, takerAddress, since } = trade;
  return storiesOf(
    pair === null ? null : { kind: 'pair', chainId, pair },
    orderHash == null ? null : { kind: 'order', chainId, hash: orderHash, since },
    userAddress === null ? null : { kind: 'user', chainId, address: userAddress },
    takerAddress == null ? null : { kind: 'taker', chainId, address: takerAddress },
  );
}

/** No quote lives longer than this before it is filled. Milliseconds. */
const DAY_MS = 86_400_000;

/** A fill in the stories of its row. */
export function fillStories(
  fill: Omit<Parameters<typeof tradeStories>[0], 'since' | 'takerAddress'> & { taker: string; time: number },
): { 'data-stories': string | undefined } {
  return tradeStories({ ...fill, takerAddress: fill.taker, since: fill.time - DAY_MS });
}
