import { useState } from 'react';
import type { HedgeDetail } from '../../../electron/contract/hedge.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { Field } from '../../components/field.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { Stack } from '../../components/stack.tsx';
import { useConsole } from '../../state/console.tsx';
import { faultOf, faultsElsewhere } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { rowWords } from './hedge-words.ts';

/** Names the transaction by which the owner of a contract maker sent the calldata, where the desk does not find it by itself. */
export function SentByDialog({ hedge, onClose }: { hedge: HedgeDetail; onClose: () => void }) {
  const { connection } = useConsole();
  const [hash, setHash] = useState('');
  const name = useCommand(async () => {
    await connection.client.hedge.sentBy({ seq: hedge.seq, hash: hash.trim() });
    onClose();
  });
  const fault = faultOf(name.refusal, 'hash');
  return (
    <Dialog title={`Which transaction was hedge ${hedge.seq}?`} needs="trade" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (hash.trim() !== '') name.run();
        }}
      >
        <Stack>
          <Lead>
            {rowWords(hedge)}. What the transaction moved is read from the chain and booked; one that moved neither
            token is refused.
          </Lead>
          <Field
            label="Transaction hash"
            large
            hint="Of the wallet’s transaction, in a block already."
            value={hash}
            fault={fault}
            maxLength={66}
            onChange={(event) => setHash(event.target.value)}
          />
          {name.refusal && fault === null && (
            <RefusalNote refusal={name.refusal} elsewhere={faultsElsewhere(name.refusal, ['hash'])} />
          )}
        </Stack>
        <DialogActions>
          <Button size="large" onClick={onClose}>
            Go on watching
          </Button>
          <Button type="submit" look="primary" size="large" disabled={hash.trim() === '' || name.busy}>
            Book it
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
