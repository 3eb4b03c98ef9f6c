import { Segmented } from '../../components/segmented.tsx';
import './stops.css';
import { useState } from 'react';
import type { StopsQuery } from '../../../electron/contract/stops.ts';
import { Empty, Waiting } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { StopRow } from './stop-row.tsx';
import { useStops } from './use-stops.ts';

const CHOICES = [
  { value: 'all', text: 'All' },
  { value: 'wide', text: 'Desk and chains' },
] as const;

/** What was stopped, by whom and why, and who started it again: everything a reason was ever asked for. */
export function StopsPage() {
  const [which, setWhich] = useState<StopsQuery['which']>('all');
  const { rows, error, isPending, hasNextPage, isFetchingNextPage, fetchNextPage } = useStops(which);
  return (
    <>
      <PageHead name="Stops">
        <Segmented label="Stops of" options={CHOICES} value={which} onChoose={setWhich} />
        <span className="fill" />
        <span className="quiet">times are UTC</span>
      </PageHead>
      <div className="page-body stops-page">
        <Panel
          name="What was stopped"
          aside="newest first; what the guard closed by itself and opened again is not here"
          className="stops"
          footer={
            rows.length > 0 && (
              <span className="muted">
                {plural(rows.length, 'stop')}
                {hasNextPage ? ' read so far' : ', all there are'}
              </span>
            )
          }
        >
          <div className="scroll">
            {isPending && <Waiting rows={8} />}
            {error !== null && <RefusalNote refusal={refusalOf(error)} />}
            {!isPending && error === null && rows.length === 0 && (
              <Empty title="Nothing was stopped yet">
                Each halt, drain and switch-off stays here for good: who, why, and who started it again.
              </Empty>
            )}
            {rows.length > 0 && (
              <table className="grid">
                <thead>
                  <tr>
                    <th className="s-time">Stopped</th>
                    <th className="s-what">What</th>
                    <th className="s-who">By</th>
                    <th>Why</th>
                    <th className="s-time">Resumed</th>
                    <th className="s-who">By</th>
                    <th className="s-safe">Why it was safe</th>
                    <th className="s-lasted right">Lasted</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((stop) => (
                    <StopRow key={stop.id} stop={stop} />
                  ))}
                </tbody>
              </table>
            )}
            {hasNextPage && (
              <p className="earlier">
                <button
                  type="button"
                  className="button"
                  disabled={isFetchingNextPage}
                  onClick={() => void fetchNextPage()}
                >
                  Earlier stops
                </button>
              </p>
            )}
          </div>
        </Panel>
      </div>
    </>
  );
}
