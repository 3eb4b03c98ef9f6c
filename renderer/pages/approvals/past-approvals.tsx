import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Empty, ReadState } from '../../components/empty.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { becameLook, becameText } from '../../state/approval-words.ts';
import { useConsole, useDesk, useQueries } from '../../state/console.tsx';
import { zoneName } from '../../state/time-zone.ts';
import styles from './approvals-page.module.css';

/** What is being carried out, then what is over. */
export function PastApprovals() {
  const { desk } = useConsole();
  const queries = useQueries();
  const cache = useQueryClient();
  const open = useDesk((view) => view.approvals);
  const read = useQuery(queries.approvals.list.queryOptions({ input: { limit: 50 } }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: it changes with everything that ends
  useEffect(() => {
    void cache.invalidateQueries({ queryKey: queries.approvals.list.key() });
  }, [open, cache, queries]);
  const past = [...open.underWay, ...(read.data?.past ?? [])];
  return (
    <Panel name="What became of it" aside="newest first">
      <Scroll>
        <ReadState
          read={read}
          isTable
          unknown="What became of earlier requests is not known: what waits can be answered all the same"
        />
        {read.data !== undefined && past.length === 0 && (
          <Empty title="Nothing has waited yet">
            Each request that was approved, refused, taken back or left stands here, with who answered and why.
          </Empty>
        )}
        {past.length > 0 && (
          <Table className={styles.past}>
            <thead>
              <tr>
                <th className={styles.time}>Time, {zoneName()}</th>
                <th>What</th>
                <th>Outcome</th>
              </tr>
            </thead>
            <tbody>
              {past.map((approval) => (
                <tr key={approval.seq}>
                  <td className="muted">{momentText(approval.ended?.at ?? approval.at, desk.now())}</td>
                  <td>
                    {approval.says}
                    <span className="muted">
                      , {approval.actor}
                      {approval.reason !== undefined && `: “${approval.reason}”`}
                    </span>
                  </td>
                  <td className="with-mark">
                    <Mark {...becameLook(approval)} />
                    {becameText(approval)}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Scroll>
    </Panel>
  );
}
