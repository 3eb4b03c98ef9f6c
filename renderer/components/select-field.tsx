import { useId } from 'react';
import { FieldFrame } from './field-frame.tsx';

export interface SelectOption<T extends string> {
  value: T;
  text: string;
}

/** A labelled choice of one, with the reason of its refusal right below it. */
export function SelectField<T extends string>(props: {
  label: string;
  value: T;
  options: readonly SelectOption<T>[];
  hint?: string;
  fault?: string | null;
  className?: string;
  disabled?: boolean;
  onChange: (value: T) => void;
}) {
  const { label, value, options, hint, fault, className, disabled, onChange } = props;
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      {(said) => (
        <select
          id={id}
          className={`input ${className ?? ''}`}
          value={value}
          disabled={disabled}
          {...said}
          onChange={(event) => {
            const chosen = options.find((option) => option.value === event.target.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}
