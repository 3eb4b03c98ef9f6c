import type { PairRow } from '../../electron/contract/book.ts';
import type { Scope } from '../../electron/contract/trading.ts';
import { stillLive } from '../components/still-live.ts';
import type { DeskView } from './live-desk.ts';
import { hedgePath, ladderPath, PAGES, STOPS_PATH } from './pages.ts';
import { keysText, pageKeys } from './shortcuts.ts';

/** What a line of the palette does. Starts only open the question for the reason; stops act at once. */
export type PaletteDeed =
  | { kind: 'go'; path: string }
  | { kind: 'halt'; scope: Scope }
  | { kind: 'drain'; scope: Scope }
  | { kind: 'resume'; scope: Scope; what: string }
  | { kind: 'theme' }
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
    ...figures(view),
  ];
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
  actions.push(
    action('auto hedge', 'Automatic hedging…', 'on, dry run or off, a pair each', {
      kind: 'go',
      path: hedgePath('auto'),
    }),
  );
  actions.push(action('theme', 'Change the theme', 'dark or light', { kind: 'theme' }));
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
