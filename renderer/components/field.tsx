import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import styles from './field.module.css';
import { Mark } from './mark.tsx';

/** A labelled input with the reason of its refusal right below it. `title`: what a word of the label means. */
export function Field(props: ComponentProps<typeof Input> & { label: string; hint?: string; fault?: string | null }) {
  const { label, title, hint, fault, ...input } = props;
  const id = useId();
  return (
    <FieldFrame id={id} label={label} title={title} hint={hint} fault={fault}>
      {(said) => <Input id={id} autoComplete="off" spellCheck={false} {...said} {...input} />}
    </FieldFrame>
  );
}

/** An input that is named by its `aria-label`. */
export function Input({ large, className = '', ...rest }: ComponentProps<'input'> & { large?: boolean }) {
  return <input className={`${styles.input} ${className}`} data-size={large ? 'large' : undefined} {...rest} />;
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
  title?: string | undefined;
  hint: string | undefined;
  fault: string | null | undefined;
  children: (said: Said) => ReactNode;
}) {
  const { id, label, title, hint, fault } = props;
  const words = fault ?? hint;
  const said: Said = {
    'aria-invalid': fault ? true : undefined,
    'aria-describedby': words ? `${id}-said` : undefined,
  };
  return (
    <div className={styles.field}>
      <label htmlFor={id} title={title}>
        {label}
      </label>
      {props.children(said)}
      {words && (
        <span
          id={`${id}-said`}
          className={fault ? `${styles.fault} with-mark` : styles.hint}
          role={fault ? 'alert' : undefined}
        >
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
  title?: string;
  value: T;
  options: readonly SelectOption<T>[];
  hint?: string;
  fault?: string | null;
  large?: boolean;
  disabled?: boolean;
  onChange: (value: T) => void;
}) {
  const { label, title, value, options, hint, fault, large, disabled, onChange } = props;
  const id = useId();
  return (
    <FieldFrame id={id} label={label} title={title} hint={hint} fault={fault}>
      {(said) => (
        <select
          id={id}
          className={styles.input}
          data-size={large ? 'large' : undefined}
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

/** Opens a filter of more than one choice, and looks like those of one. */
export function FilterButton({ isSet, ...rest }: ComponentProps<'button'> & { isSet: boolean }) {
  return (
    <button
      type="button"
      className={`${styles.select} ${isSet ? styles.set : ''}`}
      data-set={isSet ? '' : undefined}
      {...rest}
    />
  );
}

/** A choice among more than so many is filled only for whoever turns to it: a page with hundreds of pairs would open late. */
const MANY = 100;

/** A filter of one choice; dashed while it lets everything through. */
export function FilterSelect<T extends string>(props: {
  label: string;
  value: T | '';
  any: string;
  options: readonly { value: T; text: string }[];
  onChange: (value: T | '') => void;
}) {
  const { label, value, any, options } = props;
  const [isTurnedTo, setTurnedTo] = useState(false);
  const isWhole = isTurnedTo || options.length <= MANY;
  const turnTo = () => setTurnedTo(true);
  return (
    <span className={`${styles.select} ${value === '' ? '' : styles.set}`} data-set={value === '' ? undefined : ''}>
      <span aria-hidden="true">{label}</span>
      <select
        aria-label={label}
        value={value}
        onPointerEnter={turnTo}
        onPointerDown={turnTo}
        onFocus={turnTo}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          props.onChange(chosen?.value ?? '');
        }}
      >
        <option value="">{any}</option>
        {options
          .filter((option) => isWhole || option.value === value)
          .map((option) => (
            <option key={option.value} value={option.value}>
              {option.text}
            </option>
          ))}
      </select>
    </span>
  );
}
