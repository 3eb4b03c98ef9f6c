import { type ComponentProps, useId } from 'react';
import { FieldFrame } from './field-frame.tsx';

/** A labelled input with the reason of its refusal right below it. */
export function Field(props: ComponentProps<'input'> & { label: string; hint?: string; fault?: string | null }) {
  const { label, hint, fault, className, ...input } = props;
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      {(said) => (
        <input
          id={id}
          className={`input ${className ?? ''}`}
          autoComplete="off"
          spellCheck={false}
          {...said}
          {...input}
        />
      )}
    </FieldFrame>
  );
}
