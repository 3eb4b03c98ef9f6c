import { Link } from 'wouter';
import {
  isSame,
  refusedThenOf,
  type WhatIfBand,
  type WhatIfGroup,
  type WhatIfPair,
  type WhatIfSums,
  whatIfCsv,
} from '../../../electron/contract/what-if.ts';
import { Button, PlainButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { countText, plural, signedBpsText } from '../../components/figures/counts.ts';
import { readDecimal } from '../../components/figures/decimal-text.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useConsole } from '../../state/console.tsx';
import { pairKey } from '../../state/live-desk.ts';
import { fillsPath } from '../../state/pages.ts';
import { saveText } from '../../state/save-text.ts';
import { useChainOf } from '../fills/use-fills.ts';
import { readDollars, signedDollars } from '../results/dollars.ts';
import { isKnown } from './curves-panel.tsx';
import styles from './pairs-panel.module.css';
import type { Figure, WhatIfResult } from './use-what-if.ts';

interface PairFacts {
  sums: WhatIfSums;
  /** Null where the cell is of all pairs. */
  pair: WhatIfPair | null;
  fills: string;
  onOpen: (figure: Figure) => void;
}

type PairColumn = TableColumn<WhatIfPair, PairFacts>;

/** What became of the requests of each pair; each figure opens what is behind it. */
export function PairsPanel({ result, onOpen }: { result: WhatIfResult; onOpen: (figure: Figure) => void }) {
  const { desk } = useConsole();
  const { asked, pairs, end } = result;
  const view = useTableView({ name: 'what-if', columns: COLUMNS, rows: pairs, isTight: true });
  const span = { since: asked.since, until: end.until + 1 };
  const save = () => {
    const stamp = new Date(desk.now()).toISOString().slice(0, 19).replace(/[:T]/g, '-');
    return saveText(`what-if-${stamp}.csv`, 'text/csv', whatIfCsv(pairs, end.total));
  };
  return (
    <Panel
      name="By pair"
      aside={`better or worse for the taker, of ${plural(end.requests, 'request')}`}
      actions={
        <>
          <Button title="As comma-separated values" onClick={() => void save()}>
            Export CSV
          </Button>
          <ColumnsMenu view={view} of="By pair" />
        </>
      }
      footer={<Notes result={result} shown={view.shown} />}
    >
      <DataTable
        name="By pair"
        view={view}
        rows={view.rows}
        row={(sums, columns) => (
          <tr key={pairKey(sums)} data-pair={pairKey(sums)}>
            <Cells
              columns={columns}
              facts={{
                sums,
                pair: sums,
                fills: fillsPath({ ...span, chainId: sums.chainId, pair: sums.pair }),
                onOpen,
              }}
            />
          </tr>
        )}
        foot={(columns) => (
          <tr>
            <Cells columns={columns} facts={{ sums: end.total, pair: null, fills: fillsPath(span), onOpen }} />
          </tr>
        )}
      >
        <Empty title="No request named a pair">What could not be read is counted below.</Empty>
      </DataTable>
    </Panel>
  );
}

/** What the figures do not say by themselves: also the counts that have no column here, so that they add up to the requests. */
function Notes({ result: { end }, shown }: { result: WhatIfResult; shown: readonly { id: string }[] }) {
  const { total, asTheyWere, requests } = end;
  const unnamed = requests - COUNTS.reduce((sum, { figure }) => sum + figure(total), 0);
  const said = [
    ...COUNTS.filter(({ id, figure }) => figure(total) > 0 && shown.every((column) => column.id !== id)).map(
      ({ figure, words }) => `${countText(figure(total))} ${words}`,
    ),
    ...(unnamed > 0 ? [`${countText(unnamed)} of no known pair: in no line`] : []),
    ...(total.unpriced > 0 ? [`${countText(total.unpriced)} without a reference or a dollar price: in no sum`] : []),
    ...Object.entries(asTheyWere).map(([why, count]) => `${countText(count)} as they were: ${why}`),
    'dollars as of each fill, rounded down to the cent',
  ].join(' · ');
  return (
    <span className={`quiet ${styles.note}`} title={said}>
      {said}
    </span>
  );
}

interface Count {
  id: string;
  head: readonly [string, string];
  group: WhatIfGroup;
  rank: number;
  title: string;
  /** So many of what, where it has no column. */
  words: string;
  figure: (sums: WhatIfSums) => number;
}

/** What each request of a pair is counted as, one of them. */
const COUNTS: readonly Count[] = [
  {
    id: 'better',
    head: ['Better', 'quotes'],
    group: 'better',
    rank: 0,
    title: 'A better price for the taker',
    words: 'at a better price',
    figure: ({ better }) => better,
  },
  {
    id: 'same',
    head: ['Same', 'quotes'],
    group: 'same',
    rank: 1,
    title: 'The same price',
    words: 'at the same price',
    figure: ({ same }) => same,
  },
  {
    id: 'worse',
    head: ['Worse', 'quotes'],
    group: 'worse',
    rank: 0,
    title: 'A worse price for the taker',
    words: 'at a worse price',
    figure: ({ worse }) => worse,
  },
  {
    id: 'refused-then',
    head: ['Not', 'signed'],
    group: 'refusedThen',
    rank: 0,
    title: 'Signed then, and would have been refused',
    words: 'not signed',
    figure: refusedThenOf,
  },
  {
    id: 'signed-then',
    head: ['Newly', 'signed'],
    group: 'signedThen',
    rank: 2,
    title: 'Refused then, and would have been signed',
    words: 'newly signed',
    figure: ({ signedThen }) => signedThen,
  },
  {
    id: 'refused',
    head: ['Refused', 'both'],
    group: 'refused',
    rank: 5,
    title: 'Refused then, and would have been refused',
    words: 'refused both times',
    figure: ({ refused }) => refused,
  },
];

const count = (of: Count): PairColumn => ({
  id: of.id,
  name: of.head.join(' '),
  head: of.head,
  title: of.title,
  width: 44,
  grows: 0.4,
  rank: of.rank,
  align: 'right',
  sortedBy: of.figure,
  tip: ({ sums }) => (of.figure(sums) === 0 ? null : 'Opens the requests'),
  cell: ({ sums, pair, onOpen }) =>
    of.figure(sums) === 0 ? (
      <span className="quiet">0</span>
    ) : (
      <PlainButton onClick={() => onOpen({ group: of.group, pair })}>{countText(of.figure(sums))}</PlainButton>
    ),
});

const dollars = (measure: 'edge' | 'markout', what: string, head: readonly [string, string]): readonly PairColumn[] => [
  {
    id: `${measure}-was`,
    name: `${what} as it was, $`,
    head,
    title: `${what} as it was`,
    width: 62,
    grows: 0.5,
    rank: measure === 'edge' ? 0 : 1,
    align: 'right',
    sortedBy: ({ [measure]: band }) => readDecimal(band.was),
    tip: () => 'Opens the fills',
    cell: ({ sums: { [measure]: band }, fills }) =>
      isKnown(band) ? (
        <Link href={fills} className={`${styles.was} ${band.was.startsWith('-') ? 'ask strong' : ''}`}>
          {signedDollars(readDollars(band.was))}
        </Link>
      ) : (
        <span className="quiet">—</span>
      ),
  },
  {
    id: `${measure}-would`,
    name: `${what} as it would have been, $`,
    head: ['would have been', 'low … high, $'],
    width: 126,
    grows: 1,
    rank: measure === 'edge' ? 0 : 1,
    align: 'right',
    sortedBy: ({ [measure]: band }) => readDecimal(band.low),
    tip: () => 'Opens the requests that count in it',
    cell: ({ sums: { [measure]: band }, pair, onOpen }) =>
      !isKnown(band) ? (
        <span className="quiet">—</span>
      ) : isSame(band) ? (
        <span className="quiet">the same</span>
      ) : (
        <PlainButton onClick={() => onOpen({ group: 'dollars', pair })}>
          <span className={styles.would}>{bandText(band)}</span>
        </PlainButton>
      ),
  },
  {
    id: `${measure}-bps`,
    name: `${what}, bps`,
    head: ['was', 'bps'],
    width: 40,
    grows: 0.3,
    rank: 4,
    align: 'right',
    cell: ({ sums: { [measure]: band } }) => (band.bps.was === null ? '—' : signedBpsText(band.bps.was)),
  },
  {
    id: `${measure}-would-bps`,
    name: `${what} as it would have been, bps`,
    head: ['would', 'bps'],
    width: 84,
    grows: 0.5,
    rank: 4,
    align: 'right',
    cell: ({ sums: { [measure]: band } }) =>
      isKnown(band) && isSame(band) ? (
        <span className="quiet">the same</span>
      ) : (
        <span className={band.bps.low === null || band.bps.high === null ? 'quiet' : styles.would}>
          {bpsBand(band)}
        </span>
      ),
  },
];

const COLUMNS: readonly PairColumn[] = [
  {
    id: 'pair',
    name: 'Pair',
    head: ['Pair'],
    width: 104,
    grows: 1,
    rank: 0,
    sortedBy: ({ pair }) => pair,
    cell: ({ pair }) => (pair === null ? 'All pairs' : <PairCell pair={pair} />),
  },
  ...COUNTS.map(count),
  {
    id: 'fills',
    name: 'Fills, and how many would surely have been',
    head: ['Fills', 'of, sure'],
    title: 'How many fills there were, and how many would have been at a price that was no worse',
    width: 56,
    grows: 0.4,
    rank: 3,
    align: 'right',
    sortedBy: ({ fills }) => fills.was,
    tip: () => 'Opens the fills',
    cell: ({ sums, fills }) => (
      <Link href={fills} className={styles.was}>
        {countText(sums.fills.sure)} of {countText(sums.fills.was)}
      </Link>
    ),
  },
  ...dollars('edge', 'Edge', ['Edge', 'was, $']),
  ...dollars('markout', 'Markout after 5 min', ['Markout', '5 min, $']),
];

function PairCell({ pair }: { pair: WhatIfPair }) {
  const chain = useChainOf(pair);
  return (
    <>
      <PairName pair={pair.pair} /> {chain !== null && <span className="unit">{chain}</span>}
    </>
  );
}

function bandText(band: WhatIfBand): string {
  const [low, high] = [signedDollars(readDollars(band.low)), signedDollars(readDollars(band.high))];
  return low === high ? low : `${low} … ${high}`;
}

function bpsBand({ bps: { low, high } }: WhatIfBand): string {
  if (low === null || high === null) return '—';
  return low === high ? signedBpsText(low) : `${signedBpsText(low)} … ${signedBpsText(high)}`;
}
