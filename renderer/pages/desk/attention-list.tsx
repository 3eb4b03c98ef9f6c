import { useState } from 'react';
import { AlertRows } from '../../components/alert-rows.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Empty } from '../../components/empty.tsx';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { useDesk } from '../../state/console.tsx';
import { useSettled } from '../../state/use-settled.ts';
import { AttentionButton } from './attention-button.tsx';
import styles from './attention-list.module.css';

const LOOKS = {
  stop: { shape: 'halted', tone: 'stop' },
  look: { shape: 'look', tone: 'attn' },
  note: { shape: 'note', tone: 'quiet' },
} as const;

/** So many are in sight where the panel is high; the rest waits until the page stands. */
const AT_FIRST = 16;

/** What is wrong, most urgent first, as the desk tells it. */
export function AttentionList() {
  const attention = useDesk((view) => view.attention);
  const settled = useSettled();
  const [silencing, setSilencing] = useState(false);
  return (
    <Panel
      name="Needs attention"
      aside="most urgent first"
      className={styles.attention}
      actions={
        <Button look="quiet" onClick={() => setSilencing(true)}>
          Silence…
        </Button>
      }
    >
      <Scroll>
        {attention.length === 0 && <Empty title="Nothing">Every chain, pair and token is as it should be.</Empty>}
        <ul>
          {(settled ? attention : attention.slice(0, AT_FIRST)).map((row) => (
            <li key={`${row.code}:${row.title}`} data-level={row.level}>
              <Mark {...LOOKS[row.level]} />
              <div className="fill">
                <b>{row.title}</b>
                <p>{row.detail}</p>
              </div>
              <AttentionButton row={row} />
            </li>
          ))}
        </ul>
      </Scroll>
      {silencing && <SilenceDialog onClose={() => setSilencing(false)} />}
    </Panel>
  );
}

/** How each kind of alert is told on every console, and its silence for a time. */
function SilenceDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Alerts of this desk" onClose={onClose} width="wide">
      <Lead>
        For every console of this desk. A silenced kind stays on the screen, without a notification, a sound or a line
        at the bottom.
      </Lead>
      <AlertRows />
      <DialogActions>
        <Button size="large" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
