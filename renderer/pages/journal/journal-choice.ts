import {
  EVENT_GROUPS,
  type EventFilter,
  type EventGroup,
  type EventKindName,
} from '../../../electron/contract/journal.ts';
import { actorSchema } from '../../../electron/contract/names.ts';
import { timesOf } from '../firm-log/filter-choice.ts';

/** What a person chose, as text: an address may ask for it. Empty lets everything through. */
export const NO_EVENT_CHOICE = { words: '', what: '', who: '', chain: '', pair: '', range: '', from: '', to: '' };
export type EventChoice = typeof NO_EVENT_CHOICE;

/** Who did it: everybody who is no part of the program. No name holds a line break. */
export const PEOPLE = '\n';
/** Choices of what is shown that are no kind and no group. */
const ALL = 'all';
const BUT_QUOTES = 'but quotes';
const CHANGES = 'changes';
const CHANGING: readonly EventGroup[] = ['prices', 'settings', 'stops'];
/** A ladder that follows the reference moves every second: what anybody changed would be lost between. */
const MOVES = 'ladders_moved';

/** What can be shown: everything, what was changed, each group, and each kind. */
export function whatOptions(kinds: readonly EventKindName[]): { value: string; text: string }[] {
  const groups = Object.entries(EVENT_GROUPS).map(([value, text]) => ({ value, text }));
  const each = [...kinds].sort((a, b) => (a.name < b.name ? -1 : 1));
  return [
    { value: CHANGES, text: 'changes: settings, stops, and prices without moves' },
    ...groups,
    { value: BUT_QUOTES, text: 'all but quotes' },
    { value: ALL, text: 'all, with every quote' },
    ...each.map(({ kind, name }) => ({ value: `kind ${kind}`, text: `· ${name}` })),
  ];
}

/** What a choice leaves out that nobody asked it to; empty where it does not. */
export function hiddenText({ what }: EventChoice, kinds: readonly EventKindName[]): string {
  if (what === '' && kinds.length > 0) return 'quotes and moved ladders are hidden';
  return what === '' || what === BUT_QUOTES ? 'quotes are hidden' : '';
}

/** The filter of a choice, and why its times mean nothing. Ranges are counted back from `now`, Unix milliseconds. */
export function eventFilterOf(
  choice: EventChoice,
  kinds: readonly EventKindName[],
  now: number,
): { filter: EventFilter; fault: string | null } {
  const { what, who, chain, pair, words } = choice;
  const times = timesOf(choice, now);
  const chainId = Number(chain);
  const chosen = kindsOf(what, kinds);
  const filter: EventFilter = { ...times.filter };
  if (chosen !== null) filter.kinds = chosen;
  if (who === PEOPLE) filter.actor = { people: true };
  else if (actorSchema.safeParse(who).success) filter.actor = { name: who };
  if (Number.isSafeInteger(chainId) && chainId > 0) filter.chainId = chainId;
  if (pair !== '') filter.pair = pair;
  if (words.trim() !== '') filter.words = words.trim().slice(0, 200);
  return { filter, fault: times.fault };
}

function kindsOf(what: string, kinds: readonly EventKindName[]): string[] | null {
  // The desk leaves out what there is very much of. Until it has named its kinds, that is all that can be left out.
  if (what === BUT_QUOTES || kinds.length === 0) return null;
  if (what === '') return kinds.flatMap(({ kind, many }) => (many || kind === MOVES ? [] : [kind]));
  if (what.startsWith('kind ')) return [what.slice(5)];
  const found = kinds.filter(
    ({ kind, group }) =>
      what === ALL || group === what || (what === CHANGES && CHANGING.includes(group) && kind !== MOVES),
  );
  return found.map(({ kind }) => kind);
}
