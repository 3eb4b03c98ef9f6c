import { useQuery } from '@tanstack/react-query';
import { CheckList } from '../../components/check-list.tsx';
import { outcomesText } from '../../components/check-mark.tsx';
import { Waiting } from '../../components/empty.tsx';
import { Age } from '../../components/figures/age.tsx';
import { Panel } from '../../components/panel.tsx';
import { QueryError } from '../../components/query-error.tsx';
import { useQueries } from '../../state/console.tsx';
import { AttentionButton } from '../desk/attention-button.tsx';

/** Chain, signer, balances, and what a strict validator of the service would reject; made anew on demand. */
export function SelfCheckPanel({ chainId }: { chainId: number }) {
  const checks = useQuery(useQueries().service.checks.queryOptions({ input: { chainId }, staleTime: 15_000 }));
  const { data, error, isPending, isFetching, refetch } = checks;
  return (
    <Panel
      name="Self-check"
      className="self-check"
      aside={
        data === undefined ? undefined : (
          <>
            {outcomesText(data.checks)} · <Age since={data.at} /> ago
          </>
        )
      }
      actions={
        <button type="button" className="button" disabled={isFetching} onClick={() => void refetch()}>
          Check again
        </button>
      }
    >
      <div className="scroll">
        {isPending && <Waiting rows={8} />}
        {error !== null && <QueryError error={error} again={() => void refetch()} />}
        {data !== undefined && (
          <CheckList checks={data.checks} button={({ mend }) => <AttentionButton row={{ action: mend }} />} />
        )}
      </div>
    </Panel>
  );
}
