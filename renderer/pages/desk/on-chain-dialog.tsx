import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { TransactionRow } from '../../../electron/contract/transactions.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Waiting } from '../../components/empty.tsx';
import { RefusalNote } from '../../components/note.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';
import { TransactionList } from './transaction-list.tsx';

/** Consequence before action: what would be sent and what it costs, then the button that cannot be undone. */
export function OnChainDialog(props: {
  title: string;
  send: (dryRun: boolean) => Promise<TransactionRow[]>;
  keep: string;
  act: string;
  onClose: () => void;
}) {
  const id = useId();
  const estimate = useQuery({
    queryKey: ['on-chain', id],
    queryFn: () => props.send(true),
    gcTime: 0,
    staleTime: Infinity,
  });
  const [sent, setSent] = useState<TransactionRow[] | null>(null);
  const act = useCommand(async () => setSent(await props.send(false)));
  const refusal = act.refusal ?? (estimate.error === null ? null : refusalOf(estimate.error));
  return (
    <Dialog title={props.title} onClose={props.onClose} className="is-wide">
      <div className="stack">
        {estimate.isPending && <Waiting rows={2} />}
        {sent === null && estimate.data && <TransactionList rows={estimate.data} />}
        {sent !== null && <TransactionList rows={sent} />}
        {act.busy && <p className="lead">Sent; waiting until it is mined.</p>}
        {refusal !== null && <RefusalNote refusal={refusal} />}
      </div>
      <div className="actions">
        <button type="button" className="button is-large" onClick={props.onClose}>
          {sent === null ? props.keep : 'Close'}
        </button>
        {sent === null && (
          <button
            type="button"
            className="button is-large is-stop"
            disabled={act.busy || !estimate.isSuccess || estimate.data.length === 0}
            onClick={() => act.run()}
          >
            {props.act}
          </button>
        )}
      </div>
    </Dialog>
  );
}
