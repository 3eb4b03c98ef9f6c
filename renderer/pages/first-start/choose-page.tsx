import { FlaskConical, LayoutPanelTop } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Mark } from '../../components/mark.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useEntranceClient } from '../../state/console.tsx';
import { useCommand } from '../../state/use-command.ts';
import styles from './entrance.module.css';
import { PutBack } from './put-back.tsx';

const OF_PRACTICE = [
  'no money, no keys, no node',
  '2 chains, 8 pairs, takers who trade',
  'kept apart: it can never become a real desk',
];
const OF_REAL = [
  'a node for the chain',
  'a key: made here, or a keystore file',
  'the counterparty’s credentials',
  'the chain’s own coin, for the gas of approvals',
];

/** An empty folder: practice in one click, or a real desk step by step. */
export function ChoosePage({ onReal }: { onReal: () => void }) {
  const client = useEntranceClient();
  const now = useDeskNow();
  const [since, setSince] = useState(now);
  const practise = useCommand(() => client.practise());
  return (
    <>
      <PageHead name="First start">
        <span className="quiet">No desk in this folder yet. Nothing is signed before you say so.</span>
        <span className="fill" />
        <PutBack isNew />
      </PageHead>
      <div className={styles.centre}>
        <div className={styles.ways}>
          <section aria-label="Practice">
            <h2>
              <FlaskConical aria-hidden="true" />
              Practice
            </h2>
            <p>
              A whole market on this machine: chain, counterparty, takers, prices. Every page works as on a real desk.
            </p>
            <ul>
              {OF_PRACTICE.map((says) => (
                <li key={says}>
                  <Mark shape="done" tone="quiet" />
                  {says}
                </li>
              ))}
            </ul>
            <div className={styles.way}>
              <Button
                look="primary"
                size="large"
                autoFocus
                disabled={practise.busy}
                onClick={() => {
                  setSince(now);
                  practise.run();
                }}
              >
                {practise.busy ? 'Starting the market…' : 'Start practising'}
              </Button>
              {practise.busy && (
                <span className="muted" role="status">
                  {Math.max(0, Math.floor((now - since) / 1_000))} s, usually under 30 s
                </span>
              )}
            </div>
            {practise.refusal !== null && <RefusalNote refusal={practise.refusal} />}
          </section>
          <section aria-label="Real desk">
            <h2>
              <LayoutPanelTop aria-hidden="true" />
              Real desk
            </h2>
            <p>
              Step by step, in this window; you can stop and come back. It opens HALTED and quotes only when you go
              live.
            </p>
            <ul>
              {OF_REAL.map((says) => (
                <li key={says}>
                  <Mark shape="open" tone="quiet" />
                  {says}
                </li>
              ))}
            </ul>
            <div className={styles.way}>
              <Button size="large" disabled={practise.busy} onClick={onReal}>
                Set up a real desk
              </Button>
            </div>
          </section>
        </div>
      </div>
    </>
  );
}
