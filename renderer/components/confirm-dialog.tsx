import type { ReactNode } from 'react';
import { faultsElsewhere } from '../state/refusal-of.ts';
import { useCommand } from '../state/use-command.ts';
import { Dialog } from './dialog.tsx';
import { RefusalNote } from './note.tsx';

/** Says what follows before it happens. The safe answer says what stays. */
export function ConfirmDialog(props: {
  title: string;
  keep: string;
  act: string;
  send: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}) {
  const command = useCommand(async () => {
    await props.send();
    props.onClose();
  });
  return (
    <Dialog title={props.title} onClose={props.onClose}>
      <div className="lead">{props.children}</div>
      {command.refusal && <RefusalNote refusal={command.refusal} elsewhere={faultsElsewhere(command.refusal, [])} />}
      <div className="actions">
        <button type="button" className="button is-large" onClick={props.onClose}>
          {props.keep}
        </button>
        <button
          type="button"
          className="button is-large is-primary"
          disabled={command.busy}
          onClick={() => command.run()}
        >
          {props.act}
        </button>
      </div>
    </Dialog>
  );
}
