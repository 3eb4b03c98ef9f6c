import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Stop, StopsQuery } from '../../../electron/contract/stops.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { Table } from '../../components/table.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { ask } from '../../state/questions.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useFurther } from '../../state/use-further.ts';
import { lastedText, resumeText, scopeText, whyLines } from './stop-text.ts';
import styles from './stops-page.module.css';

const CHOICES = [
  { value: 'all', text: 'All' },
  { value: 'wide', text: 'Desk and chains' },
] as const;

/** What was stopped, by whom and why, and who started it again: everything a reason was ever asked for. */
export function StopsPage() {
  const [which, setWhich] = useState<StopsQuery['which']>('all');
  const { read, rows, isAsked, further } = useStops(which);
  const isNew = useDesk((view) => view.status?.isNew === true);
  return (
    <>
      <PageHead name="Stops">
        <Segmented label="Stops of" options={CHOICES} value={which} onChoose={setWhich} />
        <span className="fill" />
        <span className="quiet">times are {zoneName()}</span>
      </PageHead>
      <PageBody className={styles.page}>
        <Panel
          name="What was stopped"
          aside="newest first; what the guard closed by itself and opened again is not here"
          className={styles.stops}
          footer={
            rows.length > 0 ? (
              <span className="muted">
                {plural(rows.length, 'stop')}
                {read.hasNextPage ? ' read so far' : ', all there are'}
              </span>
            ) : undefined
          }
        >
          <Scroll>
            <ReadState
              read={read}
              rows={8}
              isTable
              unknown="Past stops are not known here; what is stopped stays stopped"
            />
            {!read.isPending && read.error === null && rows.length === 0 && (
              <Empty
                title={
                  which === 'wide' ? 'Nobody has stopped the desk or a chain yet' : 'Nobody has stopped anything yet'
                }
                actions={which === 'wide' ? <Button onClick={() => setWhich('all')}>Show all stops</Button> : undefined}
              >
                {isNew && 'A new desk is HALTED until somebody resumes it for the first time. '}
                {which === 'wide' ? 'Each halt and drain of them' : 'Each halt, drain and switch-off'} stays here for
                good: who, why, and who started it again.
              </Empty>
            )}
            {rows.length > 0 && (
              <Table>
                <thead>
                  <tr>
                    <th className={styles.timeColumn}>Stopped</th>
                    <th className={styles.whatColumn}>What</th>
                    <th className={`${styles.whoColumn} tight-out`}>By</th>
                    <th>Why</th>
                    <th className={styles.timeColumn}>Resumed</th>
                    <th className={`${styles.whoColumn} tight-out`}>By</th>
                    <th className={styles.safeColumn}>Why it was safe</th>
                    <th className={`${styles.lastedColumn} right`}>Lasted</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((stop) => (
                    <StopRow key={stop.id} stop={stop} />
                  ))}
                </tbody>
              </Table>
            )}
            {read.hasNextPage && (
              <p className={styles.earlier}>
                <Button disabled={isAsked} onClick={further}>
                  Earlier stops
                </Button>
              </p>
            )}
          </Scroll>
        </Panel>
      </PageBody>
    </>
  );
}

/** One stop, from the row that began it to the one that ended it. */
function StopRow({ stop }: { stop: Stop }) {
  const { desk } = useConsole();
  const { scope, began, ended } = stop;
  const now = desk.now();
  const name = useScopeName(stop);
  // Once another desk has taken over this one is never resumed.
  const isTaken = useDesk((view) => view.fleet?.isOver === true);
  // Red is for a desk or chain that stands still; a pair or side that somebody switched off is in order.
  const tone = ended !== null ? '' : scope.pair === undefined ? 'strong stop' : 'strong';
  return (
    <tr aria-label={`${name.what}, stopped ${momentText(began.at, now)}`}>
      <When at={began.at} by={began.actor} now={now} />
      <td className={styles.scope}>
        <span className={`with-mark ${tone}`}>
          <Mark shape={shapeOf(stop)} />
          {name.what}
        </span>{' '}
        {name.where !== null && <span className="unit">{name.where}</span>}
      </td>
      <td className="tight-out">{personText(began.actor)}</td>
      <td className={styles.words}>
        {whyLines(stop).map(({ key, text, isReason, by }) => (
          <p key={key} className={isReason ? undefined : 'muted'}>
            {text}
            {by !== null && (
              <>
                {' '}
                <span className="quiet">
                  {personText(by.actor)}, {momentText(by.at, now)}
                </span>
              </>
            )}
          </p>
        ))}
      </td>
      {ended === null ? (
        <>
          <td>
            <span className={tone}>{scope.pair === undefined ? 'still stopped' : 'still off'}</span>{' '}
            {!isTaken && (
              <TextButton
                className={styles.act}
                aria-label={`${resumeText(scope)} ${[name.what, name.where].filter(Boolean).join(', ')}`}
                onClick={() => ask({ action: { kind: 'resume', scope } })}
              >
                {resumeText(scope)}
              </TextButton>
            )}
          </td>
          <td className="tight-out" />
        </>
      ) : (
        <>
          <When at={ended.at} by={ended.actor} now={now} />
          <td className="tight-out">{personText(ended.actor)}</td>
        </>
      )}
      <td className={styles.words}>
        {ended !== null && (
          <p className={ended.reason === null ? 'muted' : undefined}>
            {ended.reason ?? (ended.what === 'imported' ? 'A desk file was imported.' : 'No reason given.')}
          </p>
        )}
      </td>
      <td className="right">{ended === null ? <Lasting since={began.at} /> : lastedText(began.at, ended.at)}</td>
    </tr>
  );
}

/** When it was, and in a narrow window by whom: the column for that gives its room to the words. */
function When({ at, by, now }: { at: number; by: string; now: number }) {
  return (
    <td className="muted">
      {momentText(at, now)} <span className={styles.who}>{personText(by)}</span>
    </td>
  );
}

function Lasting({ since }: { since: number }) {
  return <>{lastedText(since, useDeskNow())}</>;
}

function useScopeName({ scope }: Stop): ReturnType<typeof scopeText> {
  const chains = useDesk((view) => view.chains);
  return scopeText(scope, chains);
}

function shapeOf({ scope, began }: Stop): MarkShape {
  if (scope.pair !== undefined) return 'off';
  return began.what === 'drained' ? 'drain' : 'halted';
}

/** What the desk did by itself is not a person's. */
function personText(actor: string): string {
  return actor === 'desk' ? 'the desk itself' : actor;
}

/** Words may be added to the stop of a pair without anything else changing. Milliseconds. */
const AGAIN = 5_000;

/** Stops, newest first; read anew whenever what trades changes. */
function useStops(which: StopsQuery['which']) {
  const { queries } = useConsole();
  const cache = useQueryClient();
  const status = useDesk((view) => view.status);
  const attention = useDesk((view) => view.attention); // a side that is off changes no state of its pair
  // biome-ignore lint/correctness/useExhaustiveDependencies: either of them changes with every stop and start
  useEffect(() => {
    void cache.invalidateQueries({ queryKey: queries.trading.stops.key() });
  }, [status, attention, cache, queries]);
  const read = useInfiniteQuery(
    queries.trading.stops.infiniteOptions({
      input: (before: number | undefined) => ({ which, before }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: ({ rows, more }) => (more ? rows.at(-1)?.id : undefined),
      refetchInterval: AGAIN,
    }),
  );
  return { read, ...useFurther(read), rows: read.data?.pages.flatMap(({ rows }) => rows) ?? [] };
}
