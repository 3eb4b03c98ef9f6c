import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { Link } from 'wouter';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { Empty, Waiting } from '../../components/empty.tsx';
import { Panel } from '../../components/panel.tsx';
import { useClient, useQueries } from '../../state/console.tsx';
import { mergeRows } from '../../state/merge-rows.ts';
import { useHoldKey } from '../../state/use-hold-key.ts';
import { useStream } from '../../state/use-stream.ts';
import { ActivityRow } from './activity-row.tsx';

const AT_MOST = 60;

/** The newest quotes and what became of them; Space holds them still. */
export function Activity() {
  const client = useClient();
  const first = useQuery(useQueries().log.page.queryOptions({ input: { filter: {}, limit: AT_MOST }, staleTime: 0 }));
  const [live, setLive] = useState<readonly QuoteRow[]>([]);
  const { held, shown } = useHoldKey(live);
  const open = useCallback((signal: AbortSignal) => client.log.watch(undefined, { signal }), [client]);
  useStream(open, (batch) => setLive((rows) => mergeRows(rows, batch, { atMost: AT_MOST, insert: true })));
  const rows = mergeRows(first.data?.rows ?? [], shown, { atMost: AT_MOST, insert: true });
  return (
    <Panel
      name="Activity"
      aside={held ? 'held · Space lets it run' : 'live · Space holds it still'}
      actions={
        <Link href="/firm-log" className="quiet">
          Firm log
        </Link>
      }
      className="activity"
    >
      <div className="scroll">
        {first.isPending && <Waiting rows={6} />}
        {!first.isPending && rows.length === 0 && (
          <Empty title="No firm quote yet">A quote appears here as soon as the service asks for one.</Empty>
        )}
        <table className="grid">
          <colgroup>
            <col className="a-time" />
            <col className="a-state" />
            <col className="a-pair" />
            <col className="a-side" />
            <col className="a-amount" />
            <col className="a-price" />
            <col className="a-user roomy-only" />
          </colgroup>
          <tbody>
            {rows.map((row) => (
              <ActivityRow key={row.seq} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
