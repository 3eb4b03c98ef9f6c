import { Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { JARGON } from '../../components/jargon.ts';
import { Mark } from '../../components/mark.tsx';
import { PanelBox } from '../../components/panel.tsx';
import styles from './first-start.module.css';
import type { Step, StepId } from './steps.ts';

/** Every step with how it stands: done, to do, waiting for another, or wrong. */
export function StepsPanel(props: {
  steps: readonly Step[];
  open: StepId;
  onOpen: (id: StepId) => void;
  /** Above the list: which chain's steps they are. */
  children?: ReactNode;
}) {
  const { steps, open, onOpen, children } = props;
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <PanelBox aria-label="Steps" className={styles.steps}>
      <header>
        <h2>Steps</h2>
        <span className="quiet">in any order</span>
        <span className="fill" />
        <span className="quiet nowrap">
          {done} of {steps.length} done
        </span>
      </header>
      {children}
      <ol className="scroll">
        {steps.map(({ id, name, state, says }, index) => (
          <li key={id}>
            <button
              type="button"
              data-state={state}
              aria-current={id === open ? 'step' : undefined}
              onClick={() => onOpen(id)}
            >
              <span className={styles.box}>
                <StepMark state={state} number={index + 1} />
              </span>
              <b title={id === 'surface' ? JARGON.surface : undefined}>{name}</b>
              <em title={says}>{says}</em>
            </button>
          </li>
        ))}
      </ol>
    </PanelBox>
  );
}

const WORDS = { done: 'done', todo: 'to do', later: 'waits', fault: 'wrong' } as const;

function StepMark({ state, number }: { state: Step['state']; number: number }) {
  return (
    <>
      {state === 'done' && <Mark shape="done" />}
      {state === 'fault' && <Mark shape="refused" />}
      {state === 'later' && <Clock aria-hidden="true" className="mark" />}
      {state === 'todo' && <span aria-hidden="true">{number}</span>}
      <span className="only-read">{WORDS[state]}: </span>
    </>
  );
}
