import { Clock } from 'lucide-react';
import { Button } from '../../components/button.tsx';
import { Chip } from '../../components/chip.tsx';
import { plural } from '../../components/figures/counts.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Sentence } from '../../components/sentence.tsx';
import styles from './first-start.module.css';
import type { Missing, StepId } from './steps.ts';

const ORDER = { fault: 0, todo: 1, later: 2, done: 3 } as const;

/** Everything that still keeps the desk from going live, what is wrong first. */
export function MissingPanel(props: { missing: readonly Missing[]; onOpen: (id: StepId) => void }) {
  const { onOpen } = props;
  const missing = [...props.missing].sort((a, b) => ORDER[a.state] - ORDER[b.state]);
  const faults = missing.filter(({ state }) => state === 'fault').length;
  const open = missing.length - faults;
  const words = [faults > 0 && plural(faults, 'fault'), open > 0 && `${open} to do`].filter(Boolean).join(' · ');
  return (
    <Panel
      name="Missing before LIVE"
      className={styles.missing}
      actions={<Chip tone="outline">{words === '' ? 'nothing' : words}</Chip>}
      footer={
        <>
          <p className="fill muted">
            <b className="strong">The desk is HALTED.</b>
            <br />
            LIVE asks for a reason.
          </p>
          <Button size="large" disabled={missing.length > 0} onClick={() => onOpen('live')}>
            Go live…
          </Button>
        </>
      }
    >
      <Scroll>
        <ul>
          {missing.map(({ state, title, detail }) => (
            <li key={title} data-state={state}>
              {state === 'fault' && <Mark shape="refused" tone="stop" />}
              {state === 'todo' && <Mark shape="open" tone="quiet" />}
              {state === 'later' && <Clock aria-hidden="true" className="mark" />}
              <b>{title}</b>
              <p>
                <Sentence text={detail} />
              </p>
            </li>
          ))}
          {missing.length === 0 && (
            <li data-state="done">
              <Mark shape="done" tone="ok" />
              <b>Nothing is missing</b>
              <p>The self-check passes. Going live is up to you.</p>
            </li>
          )}
        </ul>
      </Scroll>
    </Panel>
  );
}
