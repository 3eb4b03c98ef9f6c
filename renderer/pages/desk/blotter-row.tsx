import { memo, useState } from 'react';
import { Link } from 'wouter';
import type { LadderCell, PairRow } from '../../../electron/contract/book.ts';
import type { Closure, Scope, ShownState } from '../../../electron/contract/trading.ts';
import { Cells } from '../../components/data-table.tsx';
import { Age } from '../../components/figures/age.tsx';
import { countText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { decimalText, exactText, narrowPricePlaces, spreadText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import { ResumeDialog } from '../../components/resume-dialog.tsx';
import { Switch } from '../../components/switch.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { useConsole } from '../../state/console.tsx';
import { ladderPath } from '../../state/pages.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { type Story, storiesOf } from '../../state/story.ts';
import styles from './blotter-row.module.css';
import { inDollars, quoteVolumeText, volumeText, volumeTitle } from './day-volume.ts';
import { fillRatioText } from './fill-ratio.ts';
import { midToReference, referenceTitle, referenceTone } from './mid-to-reference.ts';
import pairsBlotterStyles from './pairs-blotter.module.css';
import { isQuoted, quotingOf } from './quoting-of.ts';
import type { MidPoints } from './use-mids.ts';

interface RowProps {
  row: PairRow;
  state: ShownState;
  closed: Closure | null;
  points: MidPoints | undefined;
  columns: readonly BlotterColumn[];
}

/** What a cell needs to know beside its pair. */
interface PairFacts extends Omit<RowProps, 'columns' | 'state'> {
  quoting: ReturnType<typeof quotingOf>;
  /** Decimals that both of its best prices are drawn with. */
  places: number;
  /** Whether a side is quoted now. */
  bids: boolean;
  asks: boolean;
}

type BlotterColumn = TableColumn<PairRow, PairFacts>;

/** One pair of the blotter; drawn anew only when its own row changed. */
export const BlotterRow = memo(function BlotterRow({ row, state, closed, points, columns }: RowProps) {
  const facts = {
    row,
    closed,
    points,
    quoting: quotingOf(row, state, closed),
    places: narrowPricePlaces([row.bestBid, row.bestAsk]),
    bids: isQuoted(row, state, closed, 'bids'),
    asks: isQuoted(row, state, closed, 'asks'),
  };
  return (
    <tr {...storiesOf(pairStory(row), ...BEST_PRICES.map((cell) => cellStory(row, cell)))}>
      <Cells columns={columns} facts={facts} />
    </tr>
  );
});

const BEST_PRICES: readonly LadderCell[] = [
  { side: 'bids', level: 0, field: 'price' },
  { side: 'asks', level: 0, field: 'price' },
];

function pairStory({ chainId, pair }: PairRow): Story {
  return { kind: 'pair', chainId, pair };
}

function cellStory({ chainId, pair }: PairRow, cell: LadderCell): Story {
  return { kind: 'cell', chainId, pair, cell };
}

/** A cell of the best level tells who changed it before what changed its pair. */
function bestStories(side: LadderCell['side'], field: LadderCell['field']) {
  return ({ row }: PairFacts) => [cellStory(row, { side, level: 0, field }), pairStory(row)];
}

/** What the columns of one kind have in common; those of the same number of figures stand under each other. */
const figure = { grows: 0.5, align: 'right' } as const;

function sizeColumn(side: 'bids' | 'asks'): BlotterColumn {
  return {
    ...figure,
    id: `${side}Size`,
    name: side === 'bids' ? 'Size of the best bid, base' : 'Size of the best ask, base',
    head: ['Size', 'base'],
    width: 40,
    rank: 7,
    className: side === 'bids' ? 'muted edge live-figure' : 'muted live-figure',
    tip: ({ row }) => worthTitle(row, side),
    stories: bestStories(side, 'amount'),
    cell: ({ row, [side]: isQuoted }) => {
      const amount = side === 'bids' ? row.bestBidAmount : row.bestAskAmount;
      return !isQuoted || amount === null ? '—' : exactText(amount);
    },
  };
}

function priceColumn(side: 'bids' | 'asks'): BlotterColumn {
  const name = side === 'bids' ? 'We buy at' : 'We sell at';
  const of = (row: PairRow) => (side === 'bids' ? row.bestBid : row.bestAsk);
  return {
    ...figure,
    id: side === 'bids' ? 'bid' : 'ask',
    name,
    head: [name, 'quote'],
    width: 88,
    rank: 0,
    className: `${pairsBlotterStyles.price} ${side === 'bids' ? 'bid' : 'ask'} live-figure`,
    tip: ({ row }) => of(row),
    stories: bestStories(side, 'price'),
    cell: ({ row, places, [side]: isQuoted }) => {
      const price = of(row);
      return !isQuoted || price === null ? '—' : decimalText(price, places, side === 'bids' ? 'down' : 'up');
    },
  };
}

function worthColumn(side: 'bids' | 'asks'): BlotterColumn {
  const name = side === 'bids' ? 'Bids worth' : 'Asks worth';
  return {
    ...figure,
    id: `${side}Worth`,
    name: `${name}, k$`,
    head: [name, 'k$'],
    width: 58,
    rank: 9,
    className: side === 'bids' ? 'edge live-figure' : 'live-figure',
    tip: ({ row }) => worthTitle(row, side),
    cell: ({ row, [side]: isQuoted }) => (isQuoted ? volumeText(row.worth?.[side], row) : '—'),
  };
}

/** How many quotes of today, and what they came to in the quote token and in dollars. */
function todayColumns(of: 'signed' | 'filled'): readonly BlotterColumn[] {
  const name = of === 'signed' ? 'Signed' : 'Filled';
  const volume = of === 'signed' ? 'signedVolume' : 'filledVolume';
  return [
    {
      ...figure,
      id: of,
      name: `${name} today`,
      head: [name, 'today'],
      width: 42,
      rank: 2,
      className: 'edge live-figure',
      sortedBy: ({ today }) => today[of],
      cell: ({ row }) => countText(row.today[of]),
    },
    {
      ...figure,
      id: `${of}InQuote`,
      name: `${name} today, volume in quote`,
      head: ['Volume', 'quote'],
      width: 106,
      rank: 11,
      className: 'muted live-figure',
      cell: ({ row }) => quoteVolumeText(row.today[volume], row),
    },
    {
      ...figure,
      id: volume,
      name: `${name} today, volume in k$`,
      head: ['Volume', 'k$'],
      width: 50,
      rank: 4,
      className: 'live-figure',
      sortedBy: (row) => inDollars(row.today[volume] ?? '0', row),
      tip: ({ row }) => volumeTitle(name, row.today[volume], row),
      cell: ({ row }) => volumeText(row.today[volume], row),
    },
  ];
}

/** Off at a click; on asks for a reason. Dashed where the guard closed it: then a person cannot simply flip it. */
function switchColumn(part: Part, head: string): BlotterColumn {
  return {
    id: `${part}Switch`,
    name: `Switch of ${head.toLowerCase()}`,
    head: [head],
    width: 26,
    isShort: true,
    grows: 0,
    rank: 0,
    align: 'center',
    className: part === 'bids' ? 'edge' : undefined,
    cell: ({ row, closed }) => (
      <PairSwitch
        chainId={row.chainId}
        pair={row.pair}
        part={part}
        on={row.switches[part]}
        isGuarded={closed !== null || row.fault !== null}
        why={hindrance(row, part)}
        isRetired={row.retiredUntil !== null}
      />
    ),
  };
}

export const BLOTTER_COLUMNS: readonly BlotterColumn[] = [
  {
    id: 'pair',
    name: 'Pair',
    head: ['Pair'],
    width: 118,
    grows: 1,
    rank: 0,
    className: 'with-mark',
    sortedBy: ({ pair }) => pair,
    cell: ({ row, quoting }) => (
      <>
        <Mark shape={quoting.shape} tone={quoting.tone} />
        <PairLink chainId={row.chainId} pair={row.pair} />
      </>
    ),
  },
  {
    id: 'quoting',
    isShort: true,
    name: 'Quoting',
    head: ['Quoting'],
    width: 54,
    grows: 0.5,
    rank: 3,
    className: 'live-figure',
    tip: ({ quoting }) => quoting.why,
    cell: ({ quoting: { tone, word } }) => <span className={tone === 'ok' ? 'muted' : tone}>{word}</span>,
  },
  sizeColumn('bids'),
  priceColumn('bids'),
  priceColumn('asks'),
  sizeColumn('asks'),
  {
    ...figure,
    id: 'spread',
    name: 'Spread, bps',
    head: ['Spread', 'bps'],
    width: 40,
    rank: 1,
    className: 'live-figure',
    sortedBy: ({ spreadTenthBps }) => spreadTenthBps,
    cell: ({ row, bids, asks }) =>
      !bids || !asks || row.spreadTenthBps === null ? '—' : spreadText(row.spreadTenthBps),
  },
  {
    ...figure,
    id: 'midToReference',
    name: 'Mid to reference, bps',
    head: ['Mid–ref', 'bps'],
    width: 42,
    rank: 6,
    className: 'live-figure',
    tip: ({ row }) => referenceTitle(row),
    cell: ({ row, bids, asks }) => (
      <span className={referenceTone(row)}>{(bids && asks) || row.offReference ? midToReference(row) : '—'}</span>
    ),
  },
  {
    ...figure,
    id: 'age',
    name: 'Age of the ladder',
    head: ['Age', 'ladder'],
    width: 38,
    rank: 1,
    className: 'muted',
    // The oldest is what published longest ago.
    sortedBy: ({ revision, publishedAt }) => (revision === 0 ? null : -publishedAt),
    cell: ({ row }) => (row.revision === 0 ? '—' : <Age since={row.publishedAt} />),
  },
  {
    id: 'mid',
    isShort: true,
    name: 'Mid, last 2 h',
    head: ['Mid', 'last 2 h'],
    width: 52,
    grows: 0.5,
    rank: 5,
    align: 'center',
    className: 'edge',
    cell: ({ points, bids, asks }) => points !== undefined && <Sparkline points={points} stopped={!bids && !asks} />,
  },
  {
    id: 'revision',
    name: 'Revision and by whom',
    head: ['Revision', 'by'],
    width: 138,
    grows: 0.5,
    rank: 10,
    className: 'quiet',
    sortedBy: ({ revision }) => revision,
    tip: ({ row }) => `Published by ${row.publishedBy}`,
    cell: ({ row }) => (row.revision === 0 ? '—' : `${countText(row.revision)} · ${row.publishedBy}`),
  },
  worthColumn('bids'),
  worthColumn('asks'),
  ...todayColumns('signed'),
  ...todayColumns('filled'),
  {
    ...figure,
    id: 'ratio',
    name: 'Filled of signed, %',
    head: ['Ratio', '%'],
    title: 'Of the orders we signed today, how many were filled at least in part',
    width: 38,
    rank: 8,
    className: 'muted live-figure',
    sortedBy: ({ today: { filledOrders, signed } }) =>
      signed === 0 || filledOrders === undefined ? null : filledOrders / signed,
    cell: ({ row }) => fillRatioText([row]),
  },
  {
    ...figure,
    id: 'refused',
    name: 'Refused today',
    head: ['Refused', 'today'],
    width: 42,
    rank: 2,
    className: 'live-figure',
    sortedBy: ({ today }) => today.refused,
    cell: ({ row: { today } }) => (
      <span className={today.refused > 0 ? undefined : 'quiet'}>{countText(today.refused)}</span>
    ),
  },
  switchColumn('bids', 'Bids'),
  switchColumn('asks', 'Asks'),
  switchColumn('pair', 'Pair'),
];

/** How much a side's whole ladder comes to. */
function worthTitle(row: PairRow, side: 'bids' | 'asks'): string {
  return volumeTitle(side === 'bids' ? 'All bids: we buy for' : 'All asks: we sell for', row.worth?.[side], row);
}

type Part = 'bids' | 'asks' | 'pair';

/** What it shows is all it is given: the figures of its pair change many times a second. */
const PairSwitch = memo(function PairSwitch(props: {
  chainId: number;
  pair: string;
  part: Part;
  on: boolean;
  isGuarded: boolean;
  /** Why what is switched on is not quoted all the same, or null. */
  why: string | null;
  isRetired: boolean;
}) {
  const { chainId, pair, part, on, isGuarded, why, isRetired } = props;
  const { halt, toasts } = useConsole();
  const [starting, setStarting] = useState(false);
  const scope: Scope = { chainId, pair, ...(part === 'pair' ? {} : { side: part }) };
  const flip = () => {
    if (!on) return setStarting(true);
    halt.scope(scope).catch((error: unknown) => {
      const { sentence, remedy } = refusalOf(error);
      toasts.show({ level: 'stop', title: `${pair} is not switched off: ${sentence}`, detail: remedy });
    });
  };
  return (
    <>
      <Switch
        guarded={isGuarded || why !== null}
        on={on}
        aria-label={`${pair} ${part}`}
        title={titleOf(part, on, isGuarded, why)}
        disabled={isRetired}
        onClick={flip}
      />
      {starting && (
        <ResumeDialog
          scope={scope}
          what={part === 'pair' ? pair : `${pair} ${part}`}
          onClose={() => setStarting(false)}
        />
      )}
    </>
  );
});

/** Why what is switched on is not quoted all the same: a switch alone looks as if it were. */
function hindrance({ switches, unquoted }: PairRow, part: Part): string | null {
  if (!switches.pair || !switches[part] || unquoted === undefined) return null;
  if (part !== 'pair') return unquoted[part];
  return unquoted.bids !== null && unquoted.asks !== null ? unquoted.bids : null;
}

function titleOf(part: Part, on: boolean, guarded: boolean, why: string | null): string {
  const what = part === 'pair' ? 'The pair is' : `The ${part} are`;
  const how = on ? 'on; a click switches off at once' : 'off; a click asks why it is safe to switch on';
  const closed = guarded ? '. Closed by the guard; it opens by itself once the cause is gone' : '';
  return `${what} ${how}${closed}.${why === null ? '' : ` Not quoted now: ${why}`}`;
}

const PairLink = memo(function PairLink({ chainId, pair }: { chainId: number; pair: string }) {
  return (
    <Link href={ladderPath(chainId, pair)} className={styles.plain} title="Open its ladder">
      <PairName pair={pair} />
    </Link>
  );
});

const [WIDTH, HEIGHT] = [70, 16];

/** The mid of the last two hours as a line, its newest point marked; two bars where it is not quoted now. */
const Sparkline = memo(function Sparkline({ points, stopped }: { points: MidPoints; stopped: boolean }) {
  const last = points.at(-1);
  // One point is no line: nothing is known yet of how it went.
  if (points.filter((point) => point !== null).length < 2) return null;
  const step = (WIDTH - 8) / Math.max(1, points.length - 1);
  const place = (point: number) => (HEIGHT - 2 - (point / 1_000) * (HEIGHT - 4)).toFixed(1);
  let path = '';
  let drawing = false;
  for (const [index, point] of points.entries()) {
    if (point !== null) path += `${drawing ? 'L' : 'M'}${(index * step).toFixed(1)} ${place(point)}`;
    drawing = point !== null;
  }
  const x = (points.length - 1) * step;
  return (
    <svg className={styles.spark} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true" focusable="false">
      <path d={path} />
      {stopped ? (
        <path className={styles.bars} d={`M${x + 3} 4v8M${x + 6} 4v8`} />
      ) : (
        last !== undefined && last !== null && <circle cx={x} cy={place(last)} r="1.8" />
      )}
    </svg>
  );
});
