import { useState } from 'react';
import type { PracticeFault } from '../../../electron/contract/practice.ts';
import { Button } from '../../components/button.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { stampText } from '../../components/figures/times.ts';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useDesk, useDrill } from '../../state/console.tsx';
import { secondsText } from '../../state/drill.ts';
import { keysText } from '../../state/shortcuts.ts';
import { zoneName } from '../../state/time-zone.ts';
import styles from './drill-panel.module.css';

/** How long a person takes from a signal to HALTED. A fault comes without a word, on whatever page they are by then. */
export function DrillPanel({ faults }: { faults: readonly PracticeFault[] }) {
  const { drill, phase, results } = useDrill();
  const live = useDesk((view) => view.status?.state === 'LIVE');
  const [fault, setFault] = useState('');
  const lasting = faults.filter(({ once }) => !once);
  const best = results.length === 0 ? null : Math.min(...results.map(({ timeToKill }) => timeToKill));
  return (
    <Panel
      name="Drills"
      className={styles.panel}
      aside={best === null ? 'time to kill' : `time to kill, best ${secondsText(best)}`}
    >
      <div className={styles.drill}>
        {phase.phase === 'idle' && (
          <>
            <p className="muted">
              The signal comes 2 to 8 s after the start. The clock runs until the desk is HALTED, by the desk’s own
              time.
            </p>
            <div className={styles.actions}>
              <Button size="large" disabled={!live} onClick={() => drill.start({ kind: 'halt' })}>
                Call me to halt
              </Button>
              <FilterSelect
                label="Fault"
                value={fault}
                any="choose"
                options={lasting.map(({ name }) => ({ value: name, text: name }))}
                onChange={setFault}
              />
              <Button
                size="large"
                disabled={!live || fault === ''}
                onClick={() => drill.start({ kind: 'fault', name: fault })}
              >
                Surprise me
              </Button>
            </div>
            {!live && <p className="attn">The desk has to be LIVE to be halted.</p>}
          </>
        )}
        {phase.phase === 'waiting' && (
          <DrillNow
            title="Wait for it…"
            detail="Go on with your work; the signal comes within 8 s."
            onCancel={drill.cancel}
          />
        )}
        {phase.phase === 'running' && (
          <Running since={phase.signalAt} called={phase.drill.kind === 'halt'} onCancel={drill.cancel} />
        )}
      </div>
      <Scroll>
        <Table>
          <thead>
            <tr>
              <th>When, {zoneName()}</th>
              <th>Signal</th>
              <th className="right">To HALTED</th>
            </tr>
          </thead>
          <tbody>
            {results.length === 0 && (
              <tr>
                <td colSpan={3} className="muted">
                  No drill yet.
                </td>
              </tr>
            )}
            {results.map(({ what, signalAt, timeToKill }) => (
              <tr key={signalAt}>
                <td className="quiet">{stampText(signalAt)}</td>
                <td>{what}</td>
                <td className="right strong">{secondsText(timeToKill)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      </Scroll>
    </Panel>
  );
}

function Running({ since, called, onCancel }: { since: number; called: boolean; onCancel: () => void }) {
  const now = useDeskNow();
  return (
    <DrillNow
      title={called ? 'Halt now' : 'It has begun'}
      detail={`${secondsText(Math.max(0, now - since))} so far. ${keysText('halt')} or the button.`}
      onCancel={onCancel}
    />
  );
}

function DrillNow({ title, detail, onCancel }: { title: string; detail: string; onCancel: () => void }) {
  return (
    <div className={styles.now} role="status">
      <div className="fill">
        <b>{title}</b>
        <p className="muted">{detail}</p>
      </div>
      <Button onClick={onCancel}>Give it up</Button>
    </div>
  );
}
