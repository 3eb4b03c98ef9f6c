import { useQuery } from '@tanstack/react-query';
import { Empty, Waiting } from '../../components/empty.tsx';
import { Countdown } from '../../components/figures/age.tsx';
import { PairName } from '../../components/figures/pair-name.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryError } from '../../components/query-error.tsx';
import { useConsole, useQueries } from '../../state/console.tsx';

/** Pairs the service probably keeps away from now, until when and why: inferred from what we answered, it does not tell. */
export function RestrictionsPanel() {
  const { desk } = useConsole();
  const list = useQuery(useQueries().service.restrictions.queryOptions({ input: {}, refetchInterval: 5_000 }));
  return (
    <Panel name="Probably restricted" aside="inferred from what we answered">
      <div className="scroll">
        {list.isPending && <Waiting rows={3} />}
        {list.error !== null && <QueryError error={list.error} again={() => void list.refetch()} />}
        {list.data?.length === 0 && (
          <Empty title="None">Nothing we answered lately makes the service keep away from a pair.</Empty>
        )}
        <ul className="check-list">
          {(list.data ?? []).map(({ chainId, pair, until, at, sentence }) => (
            <li key={`${chainId} ${pair}`}>
              <Mark shape="look" tone="attn" />
              <div className="fill">
                <b>
                  <PairName pair={pair} /> until {momentText(until, desk.now())}, <Countdown until={until} /> left
                </b>
                <p>
                  {sentence} Last at {momentText(at, desk.now())}.
                </p>
              </div>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
