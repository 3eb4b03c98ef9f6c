import { type ComponentProps, type ReactNode, useId } from 'react';
import { Mark } from './mark.tsx';

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

/** A filter of one choice; dashed while it lets everything through. */
export function FilterSelect<T extends string>(props: {
  label: string;
  value: T | '';
  any: string;
  options: readonly { value: T; text: string }[];
  onChange: (value: T | '') => void;
}) {
  return (
    <span className={`select ${props.value === '' ? '' : 'is-set'}`}>
      <span aria-hidden="true">{props.label}</span>
      <select
        aria-label={props.label}
        value={props.value}
        onChange={(event) => {
          const chosen = props.options.find((option) => option.value === event.target.value);
          props.onChange(chosen?.value ?? '');
        }}
      >
        <option value="">{props.any}</option>
        {props.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </span>
  );
}
