import { defaultFilter } from 'cmdk';
import type { PairRow } from '../../electron/contract/book.ts';
import { LIMITS } from '../../electron/contract/limits.ts';
import type { Scope } from '../../electron/contract/trading.ts';
import { stillLive } from '../components/still-live.ts';
import { GUIDE } from './guide.ts';
import type { DeskView } from './live-desk.ts';
import { ALL_PRICING_PATH, hedgePath, ladderPath, PAGES, pagePath, STOPS_PATH } from './pages.ts';
import { keysText, pageKeys } from './shortcuts.ts';
import { storyPath } from './story.ts';

/** What a line of the palette does. Starts only open the question for the reason; stops act at once. */
export type PaletteDeed =
  | { kind: 'go'; path: string }
  | { kind: 'halt'; scope: Scope }
  | { kind: 'drain'; scope: Scope }
  | { kind: 'resume'; scope: Scope; what: string }
  | { kind: 'reprice'; text: string }
  | { kind: 'lock' }
  | { kind: 'theme' }
  | { kind: 'window' }
  | { kind: 'keys' };

export interface PaletteCommand {
  id: string;
  group: 'Actions' | 'Go to' | 'Figures';
  text: string;
  /** Where it counts or what it means, at the right. */
  aside: string;
  keys?: string;
  deed: PaletteDeed;
}

/** Every action and every pair, as the desk stands now. */
export function paletteCommands(view: DeskView): PaletteCommand[] {
  return [
    ...deskActions(view),
    ...chainActions(view),
    ...pages(),
    ...view.pairs.flatMap((row) => ofPair(row, view)),
    ...limits(),
    ...figures(view),
    ...guide(),
  ];
}

/** How to do a thing, each page by its title. */
function guide(): PaletteCommand[] {
  return GUIDE.map(({ name, path, title }) => ({
    id: `guide ${name}`,
    group: 'Go to',
    text: name === '' ? 'Guide' : `Guide: ${title}`,
    aside: name === '' ? 'how to do it, one page a task' : '',
    deed: { kind: 'go', path },
  }));
}

/** Each limit leads to where it is set. */
function limits(): PaletteCommand[] {
  return Object.values(LIMITS).map(({ head, per }) => ({
    id: `limit ${head}`,
    group: 'Go to',
    text: `Limit: ${head}`,
    aside: per === 'token' ? 'of a token, in Settings' : 'of a chain, in Settings',
    deed: { kind: 'go', path: `${pagePath('settings')}/limits` },
  }));
}

function deskActions({ status }: DeskView): PaletteCommand[] {
  const actions: PaletteCommand[] = [];
  if (status?.state !== 'HALTED') {
    actions.push(
      action('halt', 'Halt everything', 'every chain and pair, at once', { kind: 'halt', scope: {} }, keysText('halt')),
    );
  }
  if (status?.state === 'LIVE') {
    actions.push(
      action(
        'drain',
        'Drain everything',
        '10 s more quotes, then halted',
        { kind: 'drain', scope: {} },
        keysText('drain'),
      ),
    );
  }
  if (status !== null && status.state !== 'LIVE') {
    actions.push(
      action('resume', 'Resume the desk…', 'asks for a reason', { kind: 'resume', scope: {}, what: 'the whole desk' }),
    );
  }
  actions.push(action('lock', 'Halt and lock the key', 'until its passphrase is given again', { kind: 'lock' }));
  actions.push(
    action('auto hedge', 'Automatic hedging…', 'on, dry run or off, a pair each', {
      kind: 'go',
      path: hedgePath('auto'),
    }),
  );
  actions.push(
    action('pricing', 'What prices each pair', 'sources, formulas, mids', { kind: 'go', path: ALL_PRICING_PATH }),
  );
  actions.push(
    action('reprice', 'Reprice many pairs…', 'or type it here: WETH +5bp, WETH sizes x0.5', {
      kind: 'reprice',
      text: '',
    }),
  );
  actions.push(action('theme', 'Change the theme', 'dark or light', { kind: 'theme' }));
  actions.push(
    action('window', 'This page in a new window', 'a tab in the browser', { kind: 'window' }, keysText('window')),
  );
  actions.push(action('keys', 'Show all keys', '', { kind: 'keys' }, keysText('keys')));
  return actions;
}

function chainActions({ chains, status }: DeskView): PaletteCommand[] {
  return chains.flatMap(({ chainId, name }) => {
    const state = status?.chains.find((chain) => chain.chainId === chainId)?.state;
    const scope = { chainId };
    return [
      ...(state === 'HALTED'
        ? []
        : [action(`halt ${chainId}`, `Halt ${name}`, 'this chain only', { kind: 'halt', scope })]),
      ...(state === 'LIVE'
        ? [action(`drain ${chainId}`, `Drain ${name}`, 'this chain only', { kind: 'drain', scope })]
        : []),
      ...(state !== 'LIVE' && status?.state !== 'HALTED'
        ? [action(`resume ${chainId}`, `Resume ${name}…`, 'asks for a reason', { kind: 'resume', scope, what: name })]
        : []),
    ];
  });
}

function ofPair(row: PairRow, { chains }: DeskView): PaletteCommand[] {
  const { chainId, pair, switches } = row;
  const chain = chains.find((candidate) => candidate.chainId === chainId)?.name ?? `chain ${chainId}`;
  const id = `${chainId} ${pair}`;
  const flips = (['bids', 'asks'] as const).map((side) => {
    const scope = { chainId, pair, side };
    const other = side === 'bids' ? 'asks' : 'bids';
    return switches[side]
      ? action(`off ${id} ${side}`, `Switch ${pair} ${side} off`, `${chain} · keeps ${other}`, { kind: 'halt', scope })
      : action(`on ${id} ${side}`, `Switch ${pair} ${side} on…`, `${chain} · asks for a reason`, {
          kind: 'resume',
          scope,
          what: `${pair} ${side}`,
        });
  });
  const whole = switches.pair
    ? action(`off ${id}`, `Switch ${pair} off`, `${chain} · this pair only`, { kind: 'halt', scope: { chainId, pair } })
    : action(`on ${id}`, `Switch ${pair} on…`, `${chain} · asks for a reason`, {
        kind: 'resume',
        scope: { chainId, pair },
        what: pair,
      });
  return [
    {
      id: `ladder ${id}`,
      group: 'Go to',
      text: `${pair} ladder`,
      aside: chain,
      deed: { kind: 'go', path: ladderPath(chainId, pair) },
    },
    {
      id: `hedge ${id}`,
      group: 'Go to',
      text: `Hedge ${pair}`,
      aside: chain,
      deed: { kind: 'go', path: hedgePath({ chainId, pair }) },
    },
    {
      id: `changed ${id}`,
      group: 'Go to',
      text: `What changed ${pair}`,
      aside: chain,
      deed: { kind: 'go', path: storyPath({ kind: 'pair', chainId, pair }) },
    },
    ...flips,
    whole,
  ];
}

function pages(): PaletteCommand[] {
  const stops: PaletteCommand = {
    id: 'stops',
    group: 'Go to',
    text: 'Stops',
    aside: 'when, by whom, why, and who resumed',
    deed: { kind: 'go', path: STOPS_PATH },
  };
  const listed = PAGES.map(
    ({ id, name, path }): PaletteCommand => ({
      id: `page ${id}`,
      group: 'Go to',
      text: name,
      aside: '',
      keys: pageKeys(id),
      deed: { kind: 'go', path },
    }),
  );
  return [...listed, stops];
}

/** What is live of each token leads to the page that explains it. */
function figures({ exposure, chains }: DeskView): PaletteCommand[] {
  const { rows } = stillLive(exposure);
  return rows.map(({ chainId, tokenId, quotes }) => ({
    id: `figure ${chainId} ${tokenId}`,
    group: 'Figures',
    text: `${tokenId} on ${chains.find((chain) => chain.chainId === chainId)?.name ?? chainId}`,
    aside: `${quotes} signed and live`,
    deed: { kind: 'go', path: '/firm-log' },
  }));
}

function action(id: string, text: string, aside: string, deed: PaletteDeed, keys?: string): PaletteCommand {
  return { id, group: 'Actions', text, aside, deed, keys };
}

/** How many lines are drawn: more is not read, and each costs. */
const AT_MOST = 12;
const GROUPS: readonly PaletteCommand['group'][] = ['Actions', 'Go to', 'Figures'];

/** What every word of the search is found in, best first in its group; with nothing typed what is used most. */
export function searchCommands(
  commands: readonly PaletteCommand[],
  search: string,
): readonly { group: PaletteCommand['group']; commands: readonly PaletteCommand[] }[] {
  const words = search.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const best = commands
    .map((command) => ({ command, score: scoreOf(command, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, AT_MOST);
  const top = new Map(best.map(({ command, score }) => [command, score]));
  return GROUPS.map((group) => ({
    group,
    commands: [...top.keys()].filter((command) => command.group === group),
  }))
    .filter(({ commands: found }) => found.length > 0)
    .sort((a, b) => bestOf(b.commands, top) - bestOf(a.commands, top));
}

/** Each word has to be found; one that begins a word or is whole counts more than letters here and there. */
function scoreOf({ text, aside }: PaletteCommand, words: readonly string[]): number {
  if (words.length === 0) return 1;
  const [line, rest] = [text.toLowerCase(), aside.toLowerCase()];
  let score = 1;
  for (const word of words) {
    const found = Math.max(defaultFilter(line, word), 0.3 * defaultFilter(rest, word));
    if (found < 0.02) return 0;
    score *= line.includes(word) ? 1 + found : found;
  }
  return score / (1 + text.length / 200);
}

function bestOf(commands: readonly PaletteCommand[], scores: ReadonlyMap<PaletteCommand, number>): number {
  return Math.max(...commands.map((command) => scores.get(command) ?? 0));
}

/** The parts of a line, marked where a word of the search stands. */
export function markedParts(text: string, search: string): readonly { part: string; marked: boolean; at: number }[] {
  const words = search
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return [{ part: text, marked: false, at: 0 }];
  const pattern = new RegExp(`(${words.join('|')})`, 'ig');
  let at = 0;
  return text.split(pattern).map((part, index) => {
    const piece = { part, marked: index % 2 === 1, at };
    at += part.length;
    return piece;
  });
}
