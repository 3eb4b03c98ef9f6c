import { type ReactNode, useState } from 'react';
import type { Right } from '../../electron/contract/rights.ts';
import { faultOf, faultsElsewhere } from '../state/refusal-of.ts';
import { useCommand } from '../state/use-command.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions } from './dialog.tsx';
import { Field } from './field.tsx';
import { RefusalNote } from './note.tsx';
import { Stack } from './stack.tsx';

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
  /** The right that it takes. */
  needs?: Right;
  /** `stop` where it gives something up for good. */
  look?: 'primary' | 'stop';
  /** What a refusal calls the parts of what it is about. */
  labels?: Readonly<Record<string, string>>;
  /** Shows what is in force, where somebody else changed it meanwhile. */
  showNow?: () => void;
  send: (reason: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { hint = 'Goes into the journal with your name.', look = 'primary' } = props;
  const [reason, setReason] = useState('');
  const command = useCommand(async () => {
    await props.send(reason);
    props.onClose();
  });
  const fault = faultOf(command.refusal, 'reason');
  const ready = (props.optional === true || reason.trim() !== '') && !command.busy;
  return (
    <Dialog title={props.title} needs={props.needs} onClose={props.onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (ready) command.run();
        }}
      >
        <Stack>
          {props.children}
          <Field
            label={props.question}
            large
            hint={hint}
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {command.refusal && fault === null && (
            <RefusalNote
              refusal={command.refusal}
              elsewhere={faultsElsewhere(command.refusal, ['reason'], props.labels)}
              showNow={props.showNow}
            />
          )}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={props.onClose}>
            {props.keep}
          </Button>
          <Button type="submit" size="large" look={look} disabled={!ready}>
            {props.act}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
