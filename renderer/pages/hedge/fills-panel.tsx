import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { HedgedFill } from '../../../electron/contract/hedge.ts';
import { Button, PlainButton } from '../../components/button.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { plural, signedBpsText } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { momentText } from '../../components/figures/times.ts';
import { SideMark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Unreadable } from '../../components/unreadable.tsx';
import virtualRowsStyles from '../../components/virtual-rows.module.css';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useConsole, useDesk, useQueries } from '../../state/console.tsx';
import { useShortcuts } from '../../state/shortcuts.ts';
import { zoneName } from '../../state/time-zone.ts';
import { CoverMark } from './cover-mark.tsx';
import styles from './fills-panel.module.css';
import { signedAmountText } from './hedge-words.ts';

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
  const fills = read.data ?? [];
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
      aside={read.data && (fills.length === MOST ? `the newest ${MOST}` : plural(fills.length, 'fill'))}
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
      <ReadState read={read} rows={6} />
      {read.isSuccess && fills.length === 0 && <NoFills shown={shown} />}
      {fills.length > 0 && (
        <VirtualRows
          name={name}
          head={<Head amount={amount} />}
          rows={fills}
          keyOf={({ seq }) => seq}
          row={(fill, style) => (
            <Row
              key={fill.seq}
              fill={fill}
              amount={shown === 'hedged' ? fill.baseAmount : fill.unhedgedBase}
              style={style}
              isChosen={held.has(fill.seq)}
              box={(box) => {
                boxes.current.set(fill.seq, box);
                return () => boxes.current.delete(fill.seq);
              }}
              onToggle={toggle}
              onHedge={onHedge}
            />
          )}
        />
      )}
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

function Head({ amount }: { amount: string }) {
  return (
    <div className={`${virtualRowsStyles.head} ${styles.columns}`}>
      <span className="only-read">Choose</span>
      <span>Time, {zoneName()}</span>
      <span>Pair</span>
      <span>We</span>
      <span className="right">{amount}</span>
      <span className={`right ${styles.edgeColumn}`}>Edge, bps</span>
      <span title="What became of it; once it is hedged whole, what fill and hedge came to after gas">Hedge</span>
    </div>
  );
}

/** Whether it may be chosen: some of it is open, and no hedge of it runs. */
function isFree({ cover, pair }: HedgedFill): boolean {
  return pair !== null && (cover === 'unhedged' || cover === 'part_hedged');
}

function Row(props: {
  fill: HedgedFill;
  /** Raw units of the base. */
  amount: string;
  style: { transform: string };
  isChosen: boolean;
  /** Is given its box, so that J and K reach it. */
  box: (box: HTMLInputElement) => () => void;
  onToggle: (fill: HedgedFill) => void;
  onHedge: (hedgeSeq: number) => void;
}) {
  const { fill, amount, style, isChosen, box, onToggle, onHedge } = props;
  const { desk } = useConsole();
  const { base, side, pair, edge } = fill;
  const figure = base === null ? '—' : signedAmountText(amount, base);
  const hedge = fill.hedges.at(-1);
  const what = `${pair ?? 'no pair'}, ${side === 'bids' ? 'bought' : 'sold'}`;
  if (fill.unreadable !== undefined) {
    return (
      <div className={`${virtualRowsStyles.row} ${virtualRowsStyles.unreadable}`} style={style} data-seq={fill.seq}>
        <span className="muted">{momentText(fill.time, desk.now())}</span>
        <Unreadable seq={fill.seq} why={fill.unreadable} />
      </div>
    );
  }
  return (
    // The whole row is the label of its box: a press anywhere but on the hedge chooses it.
    <label
      className={`${virtualRowsStyles.row} ${styles.columns} ${isChosen ? styles.chosen : ''}`}
      style={style}
      data-seq={fill.seq}
    >
      <input
        type="checkbox"
        ref={box}
        checked={isChosen}
        disabled={!isFree(fill)}
        aria-label={`${what}, ${figure}`}
        onChange={() => onToggle(fill)}
      />
      <span className="muted">{momentText(fill.time, desk.now())}</span>
      <span>
        <PairName pair={pair} />
      </span>
      <SideMark side={side} />
      <span className="right">
        {figure} <span className="unit">{base?.symbol}</span>
      </span>
      <span className={`right ${styles.edgeColumn}`}>{typeof edge === 'number' ? signedBpsText(edge) : '—'}</span>
      {hedge === undefined ? (
        <CoverMark fill={fill} />
      ) : (
        <PlainButton onClick={() => onHedge(hedge)}>
          <CoverMark fill={fill} />
          <span className="only-read">
            {' '}
            follow hedge {hedge} of {what}
          </span>
        </PlainButton>
      )}
    </label>
  );
}
