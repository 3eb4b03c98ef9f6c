import { useConsole } from '../../state/console.tsx';
import { Mark } from '../mark.tsx';

/** A halt that nobody has acknowledged yet: shown by CSS only once it takes longer than a halt does. */
export function AskedBar({ phase }: { phase: 'asked' | 'waiting' }) {
  const { inApp } = useConsole();
  return (
    <section className="halted-bar is-asked" aria-label="Halt asked" role="status">
      <Mark shape="octagon" />
      <b>HALT asked</b>
      <span>
        {phase === 'asked'
          ? 'The desk has not acknowledged it yet and may still be quoting. Each press asks again; '
          : 'There is no line to the desk, which may still be quoting. It is sent as soon as there is one; '}
        {inApp && 'the app asks whether to end its process; '}
        <span className="mono">makerdesk halt --force</span> ends it from a terminal.
      </span>
    </section>
  );
}
