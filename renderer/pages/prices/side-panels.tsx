import { useState } from 'react';
import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { Panel } from '../../components/panel.tsx';
import type { Check } from './checks-of.ts';
import { ChecksChip, ChecksList } from './checks-panel.tsx';
import type { CellAt } from './grid-cells.ts';
import { RevisionsTable } from './revisions-panel.tsx';
import { useTall } from './use-tall.ts';

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
