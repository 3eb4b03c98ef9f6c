import { Eye, EyeOff } from 'lucide-react';
import { type KeyboardEvent, type Ref, useId, useState } from 'react';
import { FieldFrame, Input } from './field.tsx';
import { Mark } from './mark.tsx';
import styles from './passphrase-field.module.css';

/** A passphrase as it is typed: hidden unless somebody wants to see it, and Caps Lock is said. */
export function PassphraseField(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  fault?: string | null;
  hint?: string;
  autoFocus?: boolean;
  /** A password manager fills in a known one, and offers to keep a new one. */
  isNew?: boolean;
  inputRef?: Ref<HTMLInputElement>;
}) {
  const { label, value, onChange, fault, hint, autoFocus, isNew = false, inputRef } = props;
  const id = useId();
  const [shown, setShown] = useState(false);
  const [caps, setCaps] = useState(false);
  const look = (event: KeyboardEvent) => setCaps(event.getModifierState('CapsLock'));
  return (
    <FieldFrame id={id} label={label} hint={hint} fault={fault}>
      {(said) => (
        <>
          <span className={styles.frame}>
            <Input
              id={id}
              ref={inputRef}
              large
              type={shown ? 'text' : 'password'}
              className={shown ? 'mono' : ''}
              autoComplete={isNew ? 'new-password' : 'current-password'}
              autoFocus={autoFocus}
              spellCheck={false}
              value={value}
              {...said}
              onChange={(event) => onChange(event.target.value)}
              onKeyDown={look}
              onKeyUp={look}
              onBlur={() => setCaps(false)}
            />
            <button
              type="button"
              className={styles.eye}
              aria-pressed={shown}
              aria-label={`Show what is typed in ${label}`}
              title={shown ? 'Hide it' : 'Show it'}
              onClick={() => setShown(!shown)}
            >
              {shown ? <EyeOff aria-hidden="true" /> : <Eye aria-hidden="true" />}
            </button>
          </span>
          {caps && (
            <span className={`${styles.caps} with-mark`} role="status">
              <Mark shape="look" tone="attn" />
              Caps Lock is on
            </span>
          )}
        </>
      )}
    </FieldFrame>
  );
}
