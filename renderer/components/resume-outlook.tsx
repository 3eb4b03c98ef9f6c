import { useQuery } from '@tanstack/react-query';
import type { ResumeOutlook } from '../../electron/contract/service-view.ts';
import type { Scope } from '../../electron/contract/trading.ts';
import { MendButton } from '../pages/desk/mend-button.tsx';
import { useDesk, useQueries } from '../state/console.tsx';
import { closedBy, closedGroups, namesText } from '../state/resume-text.ts';
import { Button } from './button.tsx';
import checkListStyles from './check-list.module.css';
import { checkName } from './check-list.tsx';
import { Waiting } from './empty.tsx';
import { Age } from './figures/age.tsx';
import { plural } from './figures/counts.ts';
import { CheckMark, Mark } from './mark.tsx';
import { QueryError } from './note.tsx';
import styles from './resume-outlook.module.css';
import { Sentence } from './sentence.tsx';

/** While somebody looks, the self-check is made anew this often. */
const AGAIN_MS = 15_000;
const URGENCY = { failed: 0, waiting: 1, warning: 2, passed: 3 } as const;

/** What a resume of the scope would do, by its self-check made anew now, and again while it is shown; not asked unless `enabled`. */
export function useResumeOutlook(scope: Scope, enabled = true) {
  return useQuery(
    useQueries().trading.beforeResume.queryOptions({
      input: { scope },
      staleTime: 0,
      gcTime: 0,
      enabled,
      refetchInterval: AGAIN_MS,
    }),
  );
}

/** What the self-check found, each with the button that mends it; what a resume starts, and what stays closed and why. */
export function ResumeOutlookList({
  outlook,
  onLeave,
}: {
  outlook: ReturnType<typeof useResumeOutlook>;
  onLeave?: () => void;
}) {
  const { data, error, isPending, isFetching, refetch } = outlook;
  const again = () => void refetch();
  return (
    <section className={styles.outlook} aria-label="Self-check before the resume">
      <div className={styles.head}>
        <b>Self-check</b>
        <span className="fill muted" role="status">
          {data === undefined ? (
            isPending && 'asks chain, signer, tokens and approvals…'
          ) : (
            <>
              {plural(data.passed, 'check')} passed · made <Age since={data.at} /> ago
            </>
          )}
        </span>
        <Button disabled={isFetching} onClick={again}>
          Check again
        </Button>
      </div>
      {isPending && <Waiting rows={3} />}
      {error !== null && <QueryError error={error} again={again} />}
      {data !== undefined && <Rows outlook={data} onLeave={onLeave} onDone={again} />}
    </section>
  );
}

function Rows(props: { outlook: ResumeOutlook; onLeave: (() => void) | undefined; onDone: () => void }) {
  const { checks, staysClosed, starts } = props.outlook;
  const chains = useDesk((view) => view.chains);
  const ofChain = (chainId: number) => {
    const name = chains.find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`;
    return chains.length > 1 ? ` on ${name}` : '';
  };
  const sorted = [...checks].sort((a, b) => URGENCY[a.outcome] - URGENCY[b.outcome]);
  const failed = checks.filter(({ outcome }) => outcome === 'failed');
  const other = closedGroups(
    staysClosed.filter(
      ({ chainId, sentence }) =>
        !failed.some((check) => check.chainId === chainId && sentence.includes(check.sentence)),
    ),
  );
  const startsOf = [...new Set(starts.map(({ chainId }) => chainId))];
  return (
    <ul className={checkListStyles.list}>
      {sorted.map((check) => (
        <li key={`${check.chainId} ${check.name} ${check.sentence}`} data-outcome={check.outcome}>
          <CheckMark outcome={check.outcome} />
          <div className="fill">
            <b>
              {checkName(check.name)}
              {ofChain(check.chainId)}
            </b>
            <p>
              <Sentence text={check.sentence} />
            </p>
            {check.outcome === 'failed' && <KeepsClosed names={closedBy(check, staysClosed)} />}
          </div>
          {check.mend !== undefined && check.mend.kind !== 'resume' && (
            <MendButton mend={check.mend} onLeave={props.onLeave} onDone={props.onDone} />
          )}
        </li>
      ))}
      {other.map(({ chainId, pairs, sentence, because }) => (
        <li key={`${chainId} ${pairs.length} ${sentence}`}>
          <Mark shape={because === 'waits' ? 'expired' : 'halted'} tone={because === 'failed' ? 'stop' : 'attn'} />
          <div className="fill">
            <b>
              {pairs.length === 0 ? 'Everything' : namesText(pairs)}
              {ofChain(chainId)} stays closed
            </b>
            <p>{sentence}</p>
          </div>
        </li>
      ))}
      {startsOf.map((chainId) => (
        <li key={`starts ${chainId}`}>
          <Mark shape="done" tone="ok" />
          <div className="fill">
            <b>
              Starts{ofChain(chainId)}:{' '}
              {namesText(starts.filter((start) => start.chainId === chainId).map(({ pair }) => pair))}
            </b>
          </div>
        </li>
      ))}
      {starts.length === 0 && (
        <li>
          <Mark shape="note" tone="quiet" />
          <div className="fill">
            <b>A resume would start nothing now</b>
          </div>
        </li>
      )}
    </ul>
  );
}

function KeepsClosed({ names }: { names: readonly string[] | null }) {
  if (names === null) return <p className="strong">Keeps its whole chain closed.</p>;
  return names.length === 0 ? null : <p className="strong">Keeps closed: {namesText(names)}</p>;
}
