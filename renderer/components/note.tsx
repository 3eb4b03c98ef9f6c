import type { ReactNode } from 'react';
import type { CommandRefusal } from '../state/refusal-of.ts';
import { Mark } from './mark.tsx';

/** What happened, what it means, what to do; an error has its action inside. */
export function Note(props: {
  level: 'stop' | 'look' | 'note';
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const tone = { stop: 'stop', look: 'attn', note: 'quiet' }[props.level];
  const shape = { stop: 'refused', look: 'look', note: 'note' } as const;
  return (
    <div className={`note is-${props.level}`} role={props.level === 'note' ? 'note' : 'alert'}>
      <Mark shape={shape[props.level]} tone={tone} />
      <div>
        <b>{props.title}</b>
        {props.children !== undefined && <p>{props.children}</p>}
        {props.actions !== undefined && <div className="actions">{props.actions}</div>}
      </div>
    </div>
  );
}

/** A refused command: the desk's sentence, the faults that belong to no field, and the remedy. */
export function RefusalNote({ refusal, elsewhere }: { refusal: CommandRefusal; elsewhere?: readonly string[] }) {
  return (
    <Note level="stop" title={refusal.sentence}>
      {(elsewhere ?? []).map((fault) => (/[.!?]$/.test(fault) ? fault : `${fault}.`)).join(' ')} {refusal.remedy}
    </Note>
  );
}
