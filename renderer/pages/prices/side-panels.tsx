import { useState, useSyncExternalStore } from 'react';
import { Link } from 'wouter';
import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { TextButton } from '../../components/button.tsx';
import { ChangesLink } from '../../components/changes-link.tsx';
import { Chip } from '../../components/chip.tsx';
import { countText } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel, PanelBox } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { pricingPath } from '../../state/pages.ts';
import { CellHistory } from './cell-history.tsx';
import type { Check } from './checks-of.ts';
import { type CellAt, COLUMNS } from './grid-cells.ts';
import ladderEditorStyles from './ladder-editor.module.css';
import revisionsPanelStyles from './revisions-panel.module.css';
import { RevisionsTable } from './revisions-panel.tsx';
import { cellName } from './row-model.ts';
import styles from './side-panels.module.css';

/** Checks beside the other panels and revisions below them; in a low window both share one place. */
export function SidePanels(props: {
  chainId: number;
  pair: string;
  checks: readonly Check[];
  /** The cell in focus, whose history stands there once it is asked for. */
  cell: CellAt;
  places: { price: number; amount: number };
  /** Whether a formula makes its prices, so that each of them can be asked why. */
  hasFormula: boolean;
  history: boolean;
  onHistory: (on: boolean) => void;
  onGoTo: (cell: CellAt) => void;
  revisions: readonly PublishedLadder[];
  /** The revision that is live, where it is among them. */
  live: number | null;
  onLoad: (revision: PublishedLadder) => void;
  onCompare: (revision: PublishedLadder) => void;
}) {
  const { chainId, pair, checks, cell, history, onHistory, onGoTo } = props;
  const why = props.hasFormula ? <WhyLink chainId={chainId} pair={pair} cell={cell} /> : null;
  const tall = useTall();
  const [shown, setShown] = useState<'checks' | 'revisions'>('checks');
  const revisions = (
    <RevisionsTable revisions={props.revisions} live={props.live} onLoad={props.onLoad} onCompare={props.onCompare} />
  );
  const list = <ChecksList checks={checks} onGoTo={onGoTo} />;
  const past = <CellHistory chainId={chainId} pair={pair} cell={cell} places={props.places} />;
  if (tall) {
    return (
      <>
        <Panel
          name="Checks"
          className={revisionsPanelStyles.checks}
          actions={
            <>
              {why}
              <ChecksChip checks={checks} />
            </>
          }
        >
          {list}
        </Panel>
        <Panel
          name={history ? `Who changed ${cellName(cell.column, cell.row)} of ${pair}` : `Revisions of ${pair}`}
          aside={history ? 'newest first' : 'any of them can be loaded as a draft'}
          actions={
            <>
              <TextButton onClick={() => onHistory(!history)}>
                {history ? 'Revisions' : `Who changed ${cellName(cell.column, cell.row)}`}
              </TextButton>
              <ChangesLink of={{ kind: 'pair', chainId, pair }} />
            </>
          }
          className={ladderEditorStyles.revisions}
        >
          {history ? past : revisions}
        </Panel>
      </>
    );
  }
  const tab = (value: 'checks' | 'revisions', text: string) => (
    <button
      type="button"
      className={styles.tab}
      aria-pressed={!history && shown === value}
      onClick={() => {
        setShown(value);
        onHistory(false);
      }}
    >
      {text}
    </button>
  );
  return (
    <PanelBox className={revisionsPanelStyles.checks} aria-label="Checks and revisions">
      <header>
        {tab('checks', 'Checks')}
        {tab('revisions', 'Revisions')}
        <button
          type="button"
          className={styles.tab}
          aria-pressed={history}
          title={`Who changed ${cellName(cell.column, cell.row)}, from what to what`}
          onClick={() => onHistory(true)}
        >
          <span>{cellName(cell.column, cell.row)}</span>
        </button>
        <span className="fill" />
        {why}
        <ChecksChip checks={checks} />
        <ChangesLink of={{ kind: 'pair', chainId, pair }} />
      </header>
      {history ? past : shown === 'checks' ? list : revisions}
    </PanelBox>
  );
}

/** The way to what the price of a level is made of. */
function WhyLink({ chainId, pair, cell }: { chainId: number; pair: string; cell: CellAt }) {
  const side = COLUMNS[cell.column]?.side === 'asks' ? 'Ask' : 'Bid';
  const name = `Why is ${side} ${cell.row + 1} what it is`;
  return (
    <Link
      className={styles.why}
      href={pricingPath(chainId, pair, cell.row)}
      title={`${name}: term by term`}
      aria-label={name}
    >
      Why?
    </Link>
  );
}

const SHAPES = {
  stop: { shape: 'refused', tone: 'stop' },
  look: { shape: 'look', tone: 'attn' },
  note: { shape: 'note', tone: 'quiet' },
  ok: { shape: 'done', tone: 'quiet' },
} as const;

/** How many checks want a look, as a chip. */
function ChecksChip({ checks }: { checks: readonly Check[] }) {
  const [stops, looks] = (['stop', 'look'] as const).map(
    (level) => checks.filter((check) => check.level === level).length,
  );
  if (stops !== undefined && stops > 0) {
    return (
      <Chip tone="stop">
        <Mark shape="refused" />
        {countText(stops)} to fix
      </Chip>
    );
  }
  if (looks === undefined || looks === 0) return null;
  return (
    <Chip tone="attn">
      <Mark shape="look" />
      {countText(looks)} to read
    </Chip>
  );
}

/** What stands against publishing and what is worth knowing, each a way to its cell; then what is in order. */
function ChecksList({ checks, onGoTo }: { checks: readonly Check[]; onGoTo: (cell: CellAt) => void }) {
  return (
    <Scroll>
      <ul className={styles.checks}>
        {checks.map(({ level, title, detail, cell }) => (
          <li key={`${level} ${title} ${detail}`} data-level={level}>
            <Mark {...SHAPES[level]} />
            <span>
              {title !== '' &&
                (cell === undefined ? (
                  <b>{title} </b>
                ) : (
                  <>
                    <TextButton className="strong" onClick={() => onGoTo(cell)}>
                      {title}
                    </TextButton>{' '}
                  </>
                ))}
              {detail}
            </span>
          </li>
        ))}
      </ul>
    </Scroll>
  );
}

const TALL = window.matchMedia('(min-height: 960px)');

/** Whether the window is high enough for revisions below the other panels. */
export function useTall(): boolean {
  return useSyncExternalStore(
    (listener) => {
      TALL.addEventListener('change', listener);
      return () => TALL.removeEventListener('change', listener);
    },
    () => TALL.matches,
  );
}
