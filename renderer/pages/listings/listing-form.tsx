import type { ReactNode } from 'react';
import { Button } from '../../components/button.tsx';
import formStyles from '../../components/form.module.css';
import { Needs } from '../../components/needs.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { faultsElsewhere } from '../../state/refusal-of.ts';
import type { Command } from '../../state/use-command.ts';
import styles from './listing-form.module.css';

/** The frame of a form that adds a token or pair, or changes the one it names. `fields` show their own faults. */
export function ListingForm(props: {
  what: 'token' | 'pair';
  edited: string | null;
  save: Command<void>;
  fields: readonly string[];
  /** Puts what is in force into the form, where it changes something that is there. */
  showNow: (() => void) | undefined;
  /** Closes it, where it was opened. */
  onCancel: (() => void) | undefined;
  children: ReactNode;
}) {
  const { what, edited, save, fields, showNow, onCancel } = props;
  const title = edited === null ? `Add a ${what}` : `Edit ${edited}`;
  return (
    <Needs right="settings">
      <form
        className={`${formStyles.form} ${styles.form}`}
        aria-label={title}
        onSubmit={(event) => {
          event.preventDefault();
          save.run();
        }}
      >
        <h3 className="label">{title}</h3>
        {props.children}
        {save.refusal && (
          <RefusalNote refusal={save.refusal} elsewhere={faultsElsewhere(save.refusal, fields)} showNow={showNow} />
        )}
        <div className={formStyles.actions}>
          <Button type="submit" look="primary" disabled={save.busy}>
            {edited === null ? `Add ${what}` : `Save ${edited}`}
          </Button>
          {onCancel !== undefined && (
            <Button look="quiet" onClick={onCancel}>
              {edited === null ? 'Do not add' : 'Leave it as it is'}
            </Button>
          )}
        </div>
      </form>
    </Needs>
  );
}
