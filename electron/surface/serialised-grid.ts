import type { Pair } from '../protocol/wire.ts';
import type { ServedGrid } from '../quoting/served-grid.ts';
import { type Answer, jsonAnswer } from './answer.ts';

/** One of `tokens`, `pairs` and `prices` as text: the JSON of every entry, and the GET's whole answer. */
type Section = {
  readonly entries: ReadonlyMap<string, string>;
  /** `"prices":{…}`, as it stands in a GET's body and in the feed's first message. */
  readonly member: string;
  readonly answer: Answer;
};

export type SerialisedGrid = {
  readonly tokens: Section;
  readonly pairs: Section;
  readonly prices: Section;
  readonly blacklist: Omit<Section, 'entries'>;
};

// Keyed by the objects themselves, which never change: what two grids share is serialised once.
const grids = new WeakMap<ServedGrid, SerialisedGrid>();
const sections = new WeakMap<object, Section>();
const entryTexts = new WeakMap<object, string>();

/** A grid as text, made at its first use and kept as long as the grid lives. */
export function serialised(grid: ServedGrid): SerialisedGrid {
  const known = grids.get(grid);
  if (known !== undefined) return known;
  const blacklist = `"blacklist":${JSON.stringify(grid.blacklist)}`;
  const made = {
    tokens: sectionOf('tokens', grid.tokens),
    pairs: sectionOf('pairs', grid.pairs),
    prices: sectionOf('prices', grid.prices),
    blacklist: { member: blacklist, answer: jsonAnswer(200, `{${blacklist}}`) },
  };
  grids.set(grid, made);
  return made;
}

/** The first message of the feed: the complete bodies of the four GETs in one object (PROTOCOL 6.2). */
export function completeMessage(grid: ServedGrid): string {
  const { tokens, pairs, prices, blacklist } = serialised(grid);
  return `{${tokens.member},${pairs.member},${prices.member},${blacklist.member}}`;
}

/** A JSON object's member from the texts of its entries. */
export function member(name: string, entries: Iterable<readonly [string, string]>): string {
  const texts: string[] = [];
  for (const [id, text] of entries) texts.push(`${JSON.stringify(id)}:${text}`);
  return `"${name}":{${texts.join()}}`;
}

/** What tells whether a pair changed: changes of liquidityUSD do not travel over the feed (PROTOCOL 6). */
export function pairIdentity(pair: Pair): string {
  return JSON.stringify([pair.base, pair.quote]);
}

function sectionOf(name: 'tokens' | 'pairs' | 'prices', record: Readonly<Record<string, object>>): Section {
  const known = sections.get(record);
  if (known !== undefined) return known;
  const entries = new Map<string, string>();
  for (const [id, entry] of Object.entries(record)) entries.set(id, entryText(entry));
  const text = member(name, entries);
  const made = { entries, member: text, answer: jsonAnswer(200, `{${text}}`) };
  sections.set(record, made);
  return made;
}

function entryText(entry: object): string {
  const known = entryTexts.get(entry);
  if (known !== undefined) return known;
  const text = JSON.stringify(entry);
  entryTexts.set(entry, text);
  return text;
}
