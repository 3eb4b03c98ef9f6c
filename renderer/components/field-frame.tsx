import type { ReactNode } from 'react';
import { Mark } from './mark.tsx';

/** What ties a control to the words below it. */
interface Said {
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A label over a control, and below it what is wrong with it or how it is meant. The control takes `id` and what it is given. */
export function FieldFrame(props: {
  id: string;
  label: string;
  hint: string | undefined;
  fault: string | null | undefined;
  children: (said: Said) => ReactNode;
}) {
  const { id, label, hint, fault } = props;
  const words = fault ?? hint;
  const said: Said = {
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': words ? `${id}-said` : undefined,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {props.children(said)}
      {words && (
        <span id={`${id}-said`} className={fault ? 'fault with-mark' : 'hint'} role={fault ? 'alert' : undefined}>
          {fault && <Mark shape="refused" />}
          {words}
        </span>
      )}
    </div>
  );
}
