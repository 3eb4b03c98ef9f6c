import { type PointerEvent, useRef } from 'react';
import { ariaKeys } from '../../state/shortcuts.ts';
import { Mark } from '../mark.tsx';
import styles from './halt-button.module.css';
import { keyHalts, movedTo, type Press, pressAt, releaseHalts } from './halt-press.ts';

/** The button that halts, in its corner: it acts on release, and not on keys that were meant for what had the focus before. */
export function HaltFace(props: {
  /** HALT, or HALT ALL. */
  word: string;
  /** What it halts, as it is read out behind the word. */
  what: string;
  caption: string;
  isWide?: boolean;
  onHalt: () => void;
}) {
  const { word, what, caption, isWide = false, onHalt } = props;
  const press = useRef<Press | null>(null);
  const focusedAt = useRef(0);

  const release = (event: PointerEvent<HTMLButtonElement>) => {
    const started = press.current;
    press.current = null;
    if (started === null) return;
    if (releaseHalts(started, event.clientX, event.clientY, event.currentTarget.getBoundingClientRect())) onHalt();
  };

  return (
    <button
      type="button"
      className={styles.halt}
      data-wide={isWide ? '' : undefined}
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
        if (keyHalts(focusedAt.current, performance.now(), event.repeat)) onHalt();
      }}
      onKeyUp={(event) => {
        if (event.key === ' ') event.preventDefault();
      }}
      onClick={(event) => {
        // Assistive technology presses without a pointer and without keys.
        if (event.detail === 0) onHalt();
      }}
    >
      <span>
        <b>
          <Mark shape="octagon" />
          {word}
        </b>
        <span className="only-read"> {what} </span>
        <small>{caption}</small>
      </span>
    </button>
  );
}
