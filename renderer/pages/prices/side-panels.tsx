import { useState, useSyncExternalStore } from 'react';
import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { countText } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import type { Check } from './checks-of.ts';
import type { CellAt } from './grid-cells.ts';
import { RevisionsTable } from './revisions-panel.tsx';

/** Checks beside the other panels and revisions below them; in a low window both share one place. */
export function SidePanels(props: {
  pair: string;
  checks: readonly Check[];
  onGoTo: (cell: CellAt) => void;
  revisions: readonly PublishedLadder[];
  live: number;
  onLoad: (revision: PublishedLadder) => void;
  onCompare: (revision: PublishedLadder) => void;
}) {
  const { pair, checks, onGoTo } = props;
  const tall = useTall();
  const [shown, setShown] = useState<'checks' | 'revisions'>('checks');
  const revisions = (
    <RevisionsTable revisions={props.revisions} live={props.live} onLoad={props.onLoad} onCompare={props.onCompare} />
  );
  const list = <ChecksList checks={checks} onGoTo={onGoTo} />;
  if (tall) {
    return (
      <>
        <Panel name="Checks" className="checks" actions={<ChecksChip checks={checks} />}>
          {list}
        </Panel>
        <Panel name={`Revisions of ${pair}`} aside="any of them can be loaded as a draft" className="revisions">
          {revisions}
        </Panel>
      </>
    );
  }
  const tab = (value: 'checks' | 'revisions', text: string) => (
    <button type="button" className="panel-tab" aria-pressed={shown === value} onClick={() => setShown(value)}>
      {text}
    </button>
  );
  return (
    <section className="panel checks" aria-label="Checks and revisions">
      <header>
        {tab('checks', 'Checks')}
        {tab('revisions', 'Revisions')}
        <span className="fill" />
        <ChecksChip checks={checks} />
      </header>
      {shown === 'checks' ? list : revisions}
    </section>
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
      <span className="chip is-stop">
        <Mark shape="refused" />
        {countText(stops)} to mend
      </span>
    );
  }
  if (looks === undefined || looks === 0) return null;
  return (
    <span className="chip is-attn">
      <Mark shape="look" />
      {countText(looks)} to read
    </span>
  );
}

/** What stands against publishing and what is worth knowing, each a way to its cell; then what is in order. */
function ChecksList({ checks, onGoTo }: { checks: readonly Check[]; onGoTo: (cell: CellAt) => void }) {
  return (
    <ul className="scroll ladder-checks">
      {checks.map(({ level, title, detail, cell }) => (
        <li key={`${level} ${title} ${detail}`} className={`is-${level}`}>
          <Mark {...SHAPES[level]} />
          <span>
            {title !== '' &&
              (cell === undefined ? (
                <b>{title} </b>
              ) : (
                <>
                  <button type="button" className="link strong" onClick={() => onGoTo(cell)}>
                    {title}
                  </button>{' '}
                </>
              ))}
            {detail}
          </span>
        </li>
      ))}
    </ul>
  );
}

const TALL = '(min-height: 960px)';

/** Whether the window is high enough for revisions below the other panels. */
function useTall(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(TALL);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => window.matchMedia(TALL).matches,
  );
}
