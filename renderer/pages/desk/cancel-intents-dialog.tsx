import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CancelledIntents } from '../../../electron/contract/still-live.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Waiting } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { useClient } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useCommand } from '../../state/use-command.ts';

/** Which orders the service has and would be asked to cancel, then one press for all of them. */
export function CancelIntentsDialog({ onClose }: { onClose: () => void }) {
  const client = useClient();
  const found = useQuery({
    queryKey: ['on-chain', 'intents'],
    queryFn: () => client.onChain.cancelIntents({ dryRun: true }),
    gcTime: 0,
  });
  const [asked, setAsked] = useState<CancelledIntents[] | null>(null);
  const act = useCommand(async () => setAsked(await client.onChain.cancelIntents({ dryRun: false })));
  const refusal = act.refusal ?? (found.error === null ? null : refusalOf(found.error));
  const rows = asked ?? found.data ?? [];
  const orders = rows.reduce((sum, { orderIds }) => sum + orderIds.length, 0);
  return (
    <Dialog title="Cancel every intent order?" onClose={onClose}>
      <div className="stack">
        {found.isPending && <Waiting rows={2} />}
        {found.isSuccess && rows.length === 0 && <p className="lead">The service has no order that is open.</p>}
        {rows.map(({ chainId, orderIds, outcome, reason }) => (
          <p key={`${chainId} ${orderIds.join()} ${reason}`} className={outcome === 'failed' ? 'lead strong' : 'lead'}>
            {outcome === 'dry_run' && `${plural(orderIds.length, 'order')} on chain ${chainId}, one signature.`}
            {outcome === 'asked' &&
              `${plural(orderIds.length, 'order')} on chain ${chainId}: the service took the cancellation.`}
            {outcome === 'failed' &&
              `Chain ${chainId}${orderIds.length > 0 ? `, ${plural(orderIds.length, 'order')} not cancelled` : ''}: ${reason}`}
          </p>
        ))}
        {act.busy && <p className="lead">Signed; the service is being asked.</p>}
        {refusal !== null && <RefusalNote refusal={refusal} />}
      </div>
      <div className="actions">
        <button type="button" className="button is-large" onClick={onClose}>
          {asked === null ? 'Keep them' : 'Close'}
        </button>
        {asked === null && (
          <button
            type="button"
            className="button is-large is-stop"
            disabled={act.busy || !found.isSuccess || orders === 0}
            onClick={() => act.run()}
          >
            {orders === 0 ? 'Cancel orders' : `Cancel ${plural(orders, 'order')}`}
          </button>
        )}
      </div>
    </Dialog>
  );
}
