import { useState } from 'react';
import type { HedgeDetail } from '../../../electron/contract/hedge.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { useConsole } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { cutAmount, rowWords } from './hedge-words.ts';

/** Ends a hedge of which nobody can tell what becomes of it, with the reason of the one who says so. */
export function GiveUpDialog({ hedge, onClose }: { hedge: HedgeDetail; onClose: () => void }) {
  const { connection, desk } = useConsole();
  const [reason, setReason] = useState('');
  const give = useCommand(async () => {
    await connection.client.hedge.giveUp({ seq: hedge.seq, reason });
    onClose();
  });
  const fault = faultOf(give.refusal, 'reason');
  const isGood = hedge.deadline * 1_000 > desk.now();
  return (
    <Dialog title={`Give hedge ${hedge.seq} up?`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (reason.trim() !== '') give.run();
        }}
      >
        <div className="stack">
          <p className="lead">
            {rowWords(hedge)}. The desk follows it no longer, and its fills can be hedged anew. What the chain shows
            stays booked: gave {cutAmount(hedge.spent, hedge.src, 'up')}, got {cutAmount(hedge.received, hedge.dest)}.{' '}
            {isGood
              ? 'What is signed stays good until its deadline: filled after this, it moves money that no position counts.'
              : 'Its deadline is over.'}
          </p>
          <Field
            label="How do you know what became of it?"
            className="is-large"
            hint="Goes into the journal with your name."
            value={reason}
            fault={fault}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
          {give.refusal && fault === null && (
            <RefusalNote refusal={give.refusal} elsewhere={faultsElsewhere(give.refusal, ['reason'])} />
          )}
        </div>
        <div className="actions">
          <button type="button" className="button is-large" onClick={onClose}>
            Keep following it
          </button>
          <button type="submit" className="button is-large is-primary" disabled={reason.trim() === '' || give.busy}>
            Give it up
          </button>
        </div>
      </form>
    </Dialog>
  );
}
