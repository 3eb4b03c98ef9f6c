import { type ReactNode, useState } from 'react';
import { faultOf, faultsElsewhere } from '../state/refusal-of.ts';
import { useCommand } from '../state/use-command.ts';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { RefusalNote } from './note.tsx';

/** Asks for a person's reason before something is done; the safe answer says what stays. */
export function ReasonDialog(props: {
  title: string;
  /** What follows from it. */
  children?: ReactNode;
  question: string;
  hint?: string;
  /** Whether it may be done without a reason. */
  optional?: boolean;
  keep: string;
  act: string;
  /** `is-stop` where it gives something up for good. */
  look?: 'is-primary' | 'is-stop';
  send: (reason: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { hint = 'Goes into the journal with your name.', look = 'is-primary' } = props;
  const [reason, setReason] = useState('');
  const command = useCommand(async () => {
    await props.send(reason);
    props.onClose();
  });
  const fault = faultOf(command.refusal, 'reason');
  const ready = (props.optional === true || reason.trim() !== '') && !command.busy;
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) command.run();
        }}
      >
        <div className="stack">
          {props.children}
          <Field
            label={props.question}
            className="is-large"
            hint={hint}
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {command.refusal && fault === null && (
            <RefusalNote refusal={command.refusal} elsewhere={faultsElsewhere(command.refusal, ['reason'])} />
          )}
        </div>
        <div className="actions">
          <button type="button" className="button is-large" onClick={props.onClose}>
            {props.keep}
          </button>
          <button type="submit" className={`button is-large ${look}`} disabled={!ready}>
            {props.act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
