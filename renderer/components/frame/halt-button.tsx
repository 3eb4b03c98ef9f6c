import { type PointerEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useConsole, useDesk, useEntrance, useHaltPhase } from '../../state/console.tsx';
import { ariaKeys, keysText } from '../../state/shortcuts.ts';
import { momentText } from '../figures/times.ts';
import { Mark } from '../mark.tsx';
import styles from './halt-button.module.css';
import { keyHalts, movedTo, type Press, pressAt, releaseHalts } from './halt-press.ts';

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
  const press = useRef<Press | null>(null);
  const focusedAt = useRef(0);

  const release = (event: PointerEvent<HTMLButtonElement>) => {
    const started = press.current;
    press.current = null;
    if (started === null) return;
    if (releaseHalts(started, event.clientX, event.clientY, event.currentTarget.getBoundingClientRect())) halt.now();
  };

  return (
    <button
      type="button"
      className={styles.halt}
      aria-keyshortcuts={ariaKeys('halt')}
      onFocus={() => {
        focusedAt.current = performance.now();
      }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press.current = pressAt(event.clientX, event.clientY);
      }}
      onPointerMove={(event) => {
        if (press.current !== null) press.current = movedTo(press.current, event.clientX, event.clientY);
      }}
      onPointerUp={release}
      onPointerCancel={() => {
        press.current = null;
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        if (keyHalts(focusedAt.current, performance.now(), event.repeat)) halt.now();
      }}
      onKeyUp={(event) => {
        if (event.key === ' ') event.preventDefault();
      }}
      onClick={(event) => {
        // Assistive technology presses without a pointer and without keys.
        if (event.detail === 0) halt.now();
      }}
    >
      <span>
        <b>
          <Mark shape="octagon" />
          HALT
        </b>
        <span className="only-read"> all trading now </span>
        <small>{CAPTIONS[phase]}</small>
      </span>
    </button>
  );
}
