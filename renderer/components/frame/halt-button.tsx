import { createPortal } from 'react-dom';
import { useConsole, useDesk, useEntrance, useHaltPhase } from '../../state/console.tsx';
import { keysText } from '../../state/shortcuts.ts';
import { momentText } from '../figures/times.ts';
import { Mark } from '../mark.tsx';
import styles from './halt-button.module.css';
import { HaltFace } from './halt-face.tsx';

/** The place of HALT. It is the last thing in the page, so that Tab reaches it last and nothing lies over it. */
export function HaltPlace() {
  const place = document.getElementById('halt');
  const halted = useDesk((view) => view.status?.state === 'HALTED');
  const entrance = useEntrance();
  if (place === null) return null;
  if (entrance === null) return createPortal(halted ? <Halted /> : <HaltButton />, place);
  const comesBackLive = entrance.stage === 'locked' && entrance.comesBackLive;
  return createPortal(comesBackLive ? <HaltButton /> : <HaltedPlace says="until you go live" />, place);
}

/** After a halt the place says so and is no button: a second press cannot undo anything. */
function Halted() {
  const { desk } = useConsole();
  const since = useDesk((view) => view.status?.since ?? 0);
  return <HaltedPlace says={`since ${momentText(since, desk.now())}`} />;
}

function HaltedPlace({ says }: { says: string }) {
  return (
    <div className={`${styles.halt} ${styles.halted}`} role="status">
      <span>
        <b>
          <Mark shape="octagon" />
          HALTED
        </b>
        <small>{says}</small>
      </span>
    </div>
  );
}

const CAPTIONS = { idle: keysText('halt'), asked: 'asked…', waiting: 'sent when back' };

function HaltButton() {
  const { halt } = useConsole();
  const phase = useHaltPhase();
  return <HaltFace word="HALT" what="all trading now" caption={CAPTIONS[phase]} onHalt={halt.now} />;
}
