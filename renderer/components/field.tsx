import { type ComponentProps, useId } from 'react';
import { Mark } from './mark.tsx';

/** A labelled input with the reason of its refusal right below it. */
export function Field(props: ComponentProps<'input'> & { label: string; hint?: string; fault?: string | null }) {
  const { label, hint, fault, className, ...input } = props;
  const id = useId();
  const said = fault ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={`input ${className ?? ''}`}
        aria-invalid={fault ? true : undefined}
        aria-describedby={said ? `${id}-said` : undefined}
        autoComplete="off"
        spellCheck={false}
        {...input}
      />
      {said && (
        <span id={`${id}-said`} className={fault ? 'fault with-mark' : 'hint'} role={fault ? 'alert' : undefined}>
          {fault && <Mark shape="refused" />}
          {said}
        </span>
      )}
    </div>
  );
}
