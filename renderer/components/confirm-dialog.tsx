import type { ReactNode } from 'react';
import type { Right } from '../../electron/contract/rights.ts';
import { faultsElsewhere } from '../state/refusal-of.ts';
import { useCommand } from '../state/use-command.ts';
import { Button } from './button.tsx';
import { Dialog, DialogActions, Lead } from './dialog.tsx';
import { RefusalNote } from './note.tsx';

/** Says what follows before it happens. The safe answer says what stays. */
export function ConfirmDialog(props: {
  title: string;
  keep: string;
  act: string;
  /** The right that it takes. */
  needs?: Right;
  send: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}) {
  const command = useCommand(async () => {
    await props.send();
    props.onClose();
  });
  return (
    <Dialog title={props.title} needs={props.needs} onClose={props.onClose}>
      <Lead>{props.children}</Lead>
      {command.refusal && <RefusalNote refusal={command.refusal} elsewhere={faultsElsewhere(command.refusal, [])} />}
      <DialogActions>
        <Button size="large" onClick={props.onClose}>
          {props.keep}
        </Button>
        <Button look="primary" size="large" disabled={command.busy} onClick={() => command.run()}>
          {props.act}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
