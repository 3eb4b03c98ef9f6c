import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import { Button, PlainButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { Cells, DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { countText, plural, signedBpsText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { momentText } from '../../components/figures/times.ts';
import { SideMark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import type { TableColumn } from '../../components/table-columns.ts';
import { UnreadableRow } from '../../components/unreadable.tsx';
import { useTableView } from '../../components/use-table-view.ts';
import { useConsole, useDesk, useQueries } from '../../state/console.tsx';
import { useShortcuts } from '../../state/shortcuts.ts';
import { fillStories } from '../../state/story.ts';
import { zoneName } from '../../state/time-zone.ts';
import { CoverMark } from './cover-mark.tsx';
import styles from './fills-panel.module.css';
import { signedAmountText } from './hedge-words.ts';
import { type ShownFill, useStillFills } from './use-still-fills.ts';

/** The service is not asked for more at once: a hedge is for some of the newest, not for a year of them. */
const MOST = 500;

/** Which fills are shown: those whose risk is open, those that are hedged whole with what they came to, or both. */
type Shown = '' | 'hedged' | 'all';

const SHOWN = {
  '': { name: 'Unhedged fills', cover: ['unhedged', 'part_hedged', 'hedging'], amount: 'Open' },
  hedged: { name: 'Hedged fills', cover: ['hedged'], amount: 'Filled' },
  all: { name: 'All fills', cover: undefined, amount: 'Open' },
} as const;

/**
 * Fills, newest first, each with its hedge, what it came to and what is open of it. Those that are chosen are of one pair:
 * the ticket is for what they come to.
 */
export function FillsPanel(props: {
  chainId: number;
  pair: string;
  onPair: (pair: string) => void;
  chosen: readonly number[];
  onChoose: (pair: string, fillSeqs: readonly number[]) => void;
  /** The hedge of a fill is to be followed. */
  onHedge: (hedgeSeq: number) => void;
}) {
  const { chainId, pair, onPair, chosen, onChoose, onHedge } = props;
  const [shown, setShown] = useState<Shown>('');
  const { name, cover, amount } = SHOWN[shown];
  const read = useQuery(
    useQueries().hedge.fills.queryOptions({
      input: { chainId, ...(pair !== '' && { pair }), ...(cover && { cover: [...cover] }), limit: MOST },
      refetchInterval: 5_000,
    }),
  );
  const listed = useDesk((view) => view.listed);
  const [reading, setReading] = useState(false);
  const still = useStillFills(`${pair} ${shown}`, read.data ?? NONE, reading || chosen.length > 0);
  const view = useTableView({ name: 'hedge-fills', columns: COLUMNS[amount], rows: still.rows });
  const fills = view.rows;
  const held = new Set(chosen);
  const chosenPair = fills.find(({ seq }) => held.has(seq))?.pair ?? null;
  const toggle = (fill: HedgedFill) => {
    if (fill.pair === null) return;
    if (held.has(fill.seq)) {
      const others = chosen.filter((seq) => seq !== fill.seq);
      return onChoose(fill.pair, others);
    }
    onChoose(fill.pair, fill.pair === chosenPair ? [...chosen, fill.seq] : [fill.seq]);
  };
  const boxes = useRef(new Map<number, HTMLInputElement>());
  useShortcuts({
    hedgeFill: (key) => {
      const free = fills.flatMap((fill) => (isFree(fill) ? (boxes.current.get(fill.seq) ?? []) : []));
      const at = free.indexOf(document.activeElement as HTMLInputElement);
      const next = at < 0 ? free[0] : free[at + (key === 0 ? 1 : -1)];
      next?.focus();
      next?.scrollIntoView({ block: 'nearest' });
    },
  });
  const all = pair === '' ? chosenPair : pair;
  const ofAll = fills.filter((fill) => fill.pair === all && isFree(fill)).map(({ seq }) => seq);
  return (
    <Panel
      name={name}
      aside={
        read.data && (
          <>
            {read.data.length === MOST ? `the newest ${MOST}` : plural(read.data.length, 'fill')}
            {still.held && ' · held, Space lets it run'}
            {still.waiting > 0 && (
              <b title="Rows hold still while the pointer is on them, or some are chosen; these come afterwards">
                {` · ${countText(still.waiting)} new`}
              </b>
            )}
          </>
        )
      }
      actions={
        <>
          <FilterSelect
            label="Show"
            any="unhedged"
            value={shown}
            options={[
              { value: 'hedged', text: 'hedged' },
              { value: 'all', text: 'all' },
            ]}
            onChange={setShown}
          />
          <FilterSelect
            label="Pair"
            any="all"
            value={pair}
            options={listed
              .filter((row) => row.chainId === chainId)
              .map((row) => ({ value: row.pair, text: row.pair }))}
            onChange={onPair}
          />
          <ColumnsMenu view={view} of={name} />
        </>
      }
      footer={
        chosen.length === 0 && ofAll.length === 0 ? undefined : (
          <>
            <span className="muted">{chosen.length === 0 ? 'None chosen' : `${chosen.length} chosen`}</span>
            <span className="fill" />
            {ofAll.length > chosen.length && (
              <Button look="quiet" onClick={() => onChoose(all ?? '', ofAll)}>
                All of {all}
              </Button>
            )}
            {chosen.length > 0 && (
              <Button look="quiet" onClick={() => onChoose(chosenPair ?? '', [])}>
                None
              </Button>
            )}
          </>
        )
      }
    >
      <DataTable
        name={name}
        view={view}
        rows={view.rows}
        read={read}
        bars={6}
        unknown="What became of the fills is not known: hedges that run go on"
        onReading={setReading}
        className={styles.fills}
        row={(fill, columns) => (
          <Row
            key={fill.seq}
            fill={fill}
            columns={columns}
            amount={shown === 'hedged' ? fill.baseAmount : fill.unhedgedBase}
            isChosen={held.has(fill.seq)}
            box={(box) => {
              boxes.current.set(fill.seq, box);
              return () => boxes.current.delete(fill.seq);
            }}
            onToggle={toggle}
            onHedge={onHedge}
          />
        )}
      >
        <NoFills shown={shown} />
      </DataTable>
    </Panel>
  );
}

function NoFills({ shown }: { shown: Shown }) {
  if (shown === '') {
    return (
      <Empty title="Nothing is unhedged">
        A fill stands here within a block of settling, until a hedge covers all of it.
      </Empty>
    );
  }
  return (
    <Empty title={shown === 'hedged' ? 'No fill is hedged yet' : 'No fill yet'}>
      Each stands here with its hedge, and with what the two came to.
    </Empty>
  );
}

/** Whether it may be chosen: some of it is open, and no hedge of it runs. */
function isFree({ cover, pair, isGone }: ShownFill): boolean {
  return pair !== null && isGone === undefined && (cover === 'unhedged' || cover === 'part_hedged');
}

const NONE: readonly HedgedFill[] = [];

interface FillFacts {
  fill: ShownFill;
  now: number;
  /** Raw units of the base. */
  amount: string;
  isChosen: boolean;
  /** Is given its box, so that J and K reach it. */
  box: (box: HTMLInputElement) => () => void;
  onToggle: (fill: ShownFill) => void;
  onHedge: (hedgeSeq: number) => void;
}

type FillColumn = TableColumn<ShownFill, FillFacts>;

const dealText = ({ pair, side }: HedgedFill) => `${pair ?? 'no pair'}, ${side === 'bids' ? 'bought' : 'sold'}`;

const amountText = (raw: string, { base }: HedgedFill) => (base === null ? '—' : signedAmountText(raw, base));

const columnsOf = (amountName: string): readonly FillColumn[] => [
  {
    id: 'choose',
    name: 'Choose',
    head: [],
    width: 16,
    grows: 0,
    rank: 0,
    cell: ({ fill, amount, isChosen, box, onToggle }) => (
      <input
        type="checkbox"
        ref={box}
        checked={isChosen}
        disabled={!isFree(fill) && !isChosen}
        aria-label={`${dealText(fill)}, ${amountText(amount, fill)}`}
        // Else its row would take the press as one more.
        onClick={(event) => event.stopPropagation()}
        onChange={() => onToggle(fill)}
      />
    ),
  },
  {
    id: 'time',
    name: 'Time',
    get head() {
      return [`Time, ${zoneName()}`] as const;
    },
    width: 64,
    grows: 0.2,
    rank: 2,
    className: 'muted',
    sortedBy: ({ time }) => time,
    cell: ({ fill, now }) => momentText(fill.time, now),
  },
  {
    id: 'pair',
    name: 'Pair',
    head: ['Pair'],
    width: 82,
    grows: 1,
    rank: 0,
    sortedBy: ({ pair }) => pair,
    cell: ({ fill }) => <PairName pair={fill.pair} />,
  },
  {
    id: 'we',
    name: 'We buy or sell',
    head: ['We'],
    width: 44,
    grows: 0,
    rank: 3,
    sortedBy: ({ side }) => side,
    cell: ({ fill }) => <SideMark side={fill.side} />,
  },
  {
    id: 'amount',
    name: amountName,
    head: [amountName],
    width: 106,
    grows: 1,
    rank: 1,
    align: 'right',
    cell: ({ fill, amount }) => (
      <>
        {amountText(amount, fill)} <span className="unit">{fill.base?.symbol}</span>
      </>
    ),
  },
  {
    id: 'edge',
    name: 'Edge, bps',
    head: ['Edge, bps'],
    width: 54,
    grows: 0.2,
    rank: 6,
    align: 'right',
    sortedBy: ({ edge }) => (typeof edge === 'number' ? edge : null),
    cell: ({ fill: { edge } }) => (typeof edge === 'number' ? signedBpsText(edge) : '—'),
  },
  {
    id: 'hedge',
    name: 'Hedge',
    head: ['Hedge'],
    title: 'What became of it; once it is hedged whole, what fill and hedge came to after gas',
    width: 76,
    grows: 0.2,
    rank: 4,
    sortedBy: ({ cover }) => cover,
    cell: ({ fill, onHedge }) => <Cover fill={fill} onHedge={onHedge} />,
  },
];

const COLUMNS = { Open: columnsOf('Open'), Filled: columnsOf('Filled') };

/** What became of a fill; a press follows its last hedge. */
function Cover({ fill, onHedge }: Pick<FillFacts, 'fill' | 'onHedge'>) {
  const hedge = fill.hedges.at(-1);
  if (fill.isGone) {
    return (
      <span className="quiet" title="It has left this list: its place is kept while the rows hold still">
        gone
      </span>
    );
  }
  if (hedge === undefined) return <CoverMark fill={fill} />;
  return (
    <PlainButton
      onClick={(event) => {
        event.stopPropagation();
        onHedge(hedge);
      }}
    >
      <CoverMark fill={fill} />
      <span className="only-read">
        {' '}
        follow hedge {hedge} of {dealText(fill)}
      </span>
    </PlainButton>
  );
}

/** A press anywhere on the row but on its hedge chooses it, and Space then what is chosen, as after J and K. */
function Row({ columns, ...facts }: Omit<FillFacts, 'now'> & { columns: readonly FillColumn[] }) {
  const { fill, isChosen, onToggle } = facts;
  const now = useConsole().desk.now();
  if (fill.unreadable !== undefined) {
    return <UnreadableRow row={fill} why={fill.unreadable} columns={columns.length} now={now} />;
  }
  return (
    <tr
      data-seq={fill.seq}
      aria-selected={isChosen}
      onClick={({ currentTarget }) => {
        if (!isFree(fill) && !isChosen) return;
        onToggle(fill);
        currentTarget.querySelector('input')?.focus();
      }}
      {...fillStories(fill)}
    >
      <Cells columns={columns} facts={{ ...facts, now }} />
    </tr>
  );
}
