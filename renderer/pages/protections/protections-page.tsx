import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import {
  frozenText,
  type Protection,
  type ProtectionRow,
  type StandingRow,
  type Trip,
} from '../../../electron/contract/protections.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { Note } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { ReasonDialog } from '../../components/reason-dialog.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { pagePath, STOPS_PATH } from '../../state/pages.ts';
import { refusalOf } from '../../state/refusal-of.ts';
import { zoneName } from '../../state/time-zone.ts';
import { DeadManDialog } from './dead-man-dialog.tsx';
import styles from './protections-page.module.css';
import { RemoveRule, RuleDialog } from './rule-dialog.tsx';
import {
  amountWords,
  nearestOf,
  shareOf,
  subjectWords,
  thenWords,
  trippedIn,
  tripWords,
  windowWords,
} from './rule-words.ts';
import { StandingRows } from './standing-rows.tsx';

const DAY_MS = 86_400_000;
/** How often use is read anew, and trips; milliseconds. */
const USE_AGAIN = 2_000;
const TRIPS_AGAIN = 5_000;
/** Trips that are told above all else; of more only the number is. */
const MOST_TOLD = 2;

type Editing = { kind: 'add' | 'people' } | { kind: 'change' | 'remove'; row: ProtectionRow } | null;

/** What may be signed and filled in a time: each rule with its use now and its peak, and what has tripped. */
export function ProtectionsPage() {
  const { connection, queries } = useConsole();
  const rules = useQuery(queries.protections.list.queryOptions({ refetchInterval: USE_AGAIN }));
  const standingRows = useQuery(queries.protections.standing.queryOptions({ refetchInterval: USE_AGAIN }));
  const trips = useQuery(queries.protections.trips.queryOptions({ refetchInterval: TRIPS_AGAIN }));
  const [editing, setEditing] = useState<Editing>(null);
  const [resetting, setResetting] = useState<Trip | null>(null);
  const rows = rules.data ?? [];
  const standing = rows.flatMap((row) => row.standing);
  const { refetch: readTrips } = trips;
  const newest = Math.max(0, ...standing.map(({ at }) => at));
  // What has tripped is in the list below as soon as it is told above it.
  useEffect(() => {
    if (newest > 0) void readTrips();
  }, [newest, readTrips]);
  const again = async () => {
    await Promise.all([rules.refetch(), trips.refetch(), standingRows.refetch()]);
  };
  const save = async (protections: Protection[], seen: Protection[]) => {
    await connection.client.protections.set({ protections, seen });
    await again();
  };
  return (
    <>
      <PageHead name="Protections">
        <Figures
          rows={rules.data}
          switches={standingRows.data}
          trips={trips.data}
          isOld={[rules, standingRows, trips].some((read) => read.isRefetchError)}
        />
        <span className="fill" />
        {/* Without a rule the page asks for the first one where it would stand. */}
        {rules.data?.length !== 0 && (
          <Button disabled={rules.data === undefined} onClick={() => setEditing({ kind: 'add' })}>
            Add a rule…
          </Button>
        )}
      </PageHead>
      <PageBody className={styles.page}>
        {standing.length > 0 && <Tripped standing={standing} onReset={setResetting} />}
        <Panel
          name="Rules and switches"
          aside="a signed rule refuses what would pass it; a filled or lost one freezes after the fill"
          className={styles.rules}
        >
          <AsOf reads={[rules, standingRows]} />
          <Scroll>
            {rules.data === undefined ? (
              <ReadState
                read={rules}
                rows={6}
                isTable
                unknown="Rules are not known here; what the desk enforces is not changed by that"
              />
            ) : (
              <>
                {rows.length === 0 && (
                  <Empty
                    title="No rule yet"
                    actions={
                      <Button look="primary" onClick={() => setEditing({ kind: 'add' })}>
                        Add a rule…
                      </Button>
                    }
                  >
                    A rule says how many quotes, or how much of a token, may be signed or filled in a time for each
                    pair, user or counterparty, or by the desk. What protects the desk without one stands below.
                  </Empty>
                )}
                <RuleTable
                  rows={rows}
                  switches={standingRows.data ?? []}
                  isOld={rules.isRefetchError || standingRows.isRefetchError}
                  onEdit={setEditing}
                />
                {standingRows.data === undefined && (
                  <ReadState
                    read={standingRows}
                    rows={3}
                    unknown="Switches are not known here; what the desk enforces is not changed by that"
                  />
                )}
              </>
            )}
          </Scroll>
        </Panel>
        <Panel
          name="Trips and resets"
          aside={`of rules, newest first; times are ${zoneName()}`}
          footer={
            trips.data?.length === 200 ? <span className="muted">the newest 200; the journal has all</span> : undefined
          }
        >
          <AsOf reads={[trips]} />
          <Scroll>
            {trips.data === undefined ? (
              <ReadState
                read={trips}
                rows={3}
                isTable
                unknown="Trips are not known here; what they froze stays frozen until its time is over or it is reset"
              />
            ) : trips.data.length === 0 ? (
              <Empty title="No rule has tripped yet">
                Each trip of a rule stays here with its figures, and who reset it. What a switch closes is told above
                while that lasts: requests that were refused for it stand in the{' '}
                <Link href={pagePath('firm-log')}>Firm log</Link>, halts by one under{' '}
                <Link href={STOPS_PATH}>Stops</Link>.
              </Empty>
            ) : (
              <TripTable trips={trips.data} standing={standing} isOld={trips.isRefetchError} onReset={setResetting} />
            )}
          </Scroll>
        </Panel>
      </PageBody>
      {editing?.kind === 'add' && <RuleDialog rows={rows} row={null} onClose={() => setEditing(null)} onSave={save} />}
      {editing?.kind === 'people' && (
        <DeadManDialog
          minutes={standingRows.data?.find(({ kind }) => kind === 'people')?.limit ?? null}
          onClose={() => setEditing(null)}
          onDone={again}
        />
      )}
      {editing?.kind === 'change' && (
        <RuleDialog
          rows={rows}
          row={editing.row}
          onRemove={() => setEditing({ kind: 'remove', row: editing.row })}
          onClose={() => setEditing(null)}
          onSave={save}
        />
      )}
      {editing?.kind === 'remove' && (
        <RemoveRule rows={rows} row={editing.row} onClose={() => setEditing(null)} onSave={save} />
      )}
      {resetting !== null && <ResetDialog trip={resetting} onClose={() => setResetting(null)} onDone={again} />}
    </>
  );
}

/** Figures that could not be read again stay, with the time that they are of: by now they may be others. */
function AsOf({ reads }: { reads: readonly UseQueryResult[] }) {
  const { desk } = useConsole();
  const [oldest] = reads.filter((read) => read.isRefetchError).sort((a, b) => a.dataUpdatedAt - b.dataUpdatedAt);
  if (oldest === undefined) return null;
  const now = desk.now();
  // When it came is by the clock of this computer, what stands on the screen by the desk's.
  const at = now - (Date.now() - oldest.dataUpdatedAt);
  return (
    <Note level="look" title={`As of ${momentText(at, now)}, not of now.`}>
      {refusalOf(oldest.error).sentence} It is asked again by itself.
    </Note>
  );
}

/** What a person wants to know before anything else; what is not known is no nought. */
function Figures(props: {
  rows: readonly ProtectionRow[] | undefined;
  switches: readonly StandingRow[] | undefined;
  trips: readonly Trip[] | undefined;
  isOld: boolean;
}) {
  const { rows, switches, trips, isOld } = props;
  const now = useDeskNow();
  const known = rows !== undefined && switches !== undefined;
  const nearest = known ? nearestOf(rows, switches) : null;
  const tripped = known ? trippedIn(rows, switches) : null;
  const today = trips?.filter(({ at }) => now - at < DAY_MS).length;
  return (
    <dl className={styles.figures} data-old={isOld || undefined}>
      <Figure name="Rules">{rows?.length ?? '—'}</Figure>
      <Figure name="Switches on">
        {switches === undefined
          ? '—'
          : `${switches.filter(({ state }) => state !== 'off').length} of ${switches.length}`}
      </Figure>
      <Figure name="Tripped now" tone={tripped !== null && tripped > 0 ? 'stop' : undefined}>
        {tripped ?? '—'}
      </Figure>
      <Figure name="Nearest to its limit">
        {nearest === null ? '—' : <span title={nearest.says}>{`${nearest.percent} % ${nearest.name}`}</span>}
      </Figure>
      <Figure name="Rule trips, last 24 h">{today ?? '—'}</Figure>
    </dl>
  );
}

function Figure({ name, tone, children }: { name: string; tone?: string | undefined; children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={tone}>{children}</dd>
    </div>
  );
}

/** What is frozen now, with its figures and what ends it. */
function Tripped({ standing, onReset }: { standing: readonly Trip[]; onReset: (trip: Trip) => void }) {
  return (
    <div className={styles.tripped}>
      {standing.slice(0, MOST_TOLD).map((trip) => (
        <Note
          key={`${trip.rule.name} ${trip.chainId} ${trip.who}`}
          level="stop"
          title={`${trip.rule.name} has tripped: nothing is signed for ${subjectWords(trip.rule, trip)}`}
          actions={
            <>
              <Button onClick={() => onReset(trip)}>Reset…</Button>
              <Button asChild>
                <Link href={pagePath('firm-log')}>See the quotes</Link>
              </Button>
            </>
          }
        >
          {tripWords(trip)} {frozenText(trip)}
        </Note>
      ))}
      {standing.length > MOST_TOLD && <p className="stop">and {standing.length - MOST_TOLD} more, in the list below</p>}
    </div>
  );
}

function RuleTable(props: {
  rows: readonly ProtectionRow[];
  switches: readonly StandingRow[];
  isOld: boolean;
  onEdit: (editing: Editing) => void;
}) {
  const { rows, switches, isOld, onEdit } = props;
  const { desk } = useConsole();
  const chains = useDesk((view) => view.chains);
  const now = desk.now();
  return (
    <Table aria-busy={isOld}>
      <thead>
        <tr>
          <th className={styles.name}>Rule</th>
          <th className={styles.what}>What it counts</th>
          <th className={`${styles.amount} right`}>Limit</th>
          <th className={`${styles.amount} right`}>Worst now</th>
          <th className={styles.share}>of limit</th>
          <th className={styles.where}>where</th>
          <th className={`${styles.peak} right`}>Peak, last 24 h</th>
          <th className={styles.then}>When it trips</th>
          <th className={styles.last}>Last trip</th>
          <th className={styles.acts}>
            <span className="only-read">Change</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const { rule, standing, last, peak } = row;
          const isTripped = standing.length > 0;
          return (
            <tr key={rule.name} data-tripped={isTripped || undefined}>
              <td className={isTripped ? 'strong stop' : 'strong'}>
                <span className="with-mark">
                  {isTripped && <Mark shape="halted" />}
                  <span title={rule.name} data-may-clip>
                    {rule.name}
                  </span>
                </span>
              </td>
              <td className={styles.counts}>{windowWords(rule)}</td>
              <td className={`${styles.amount} right`}>{amountWords(row, row.limit)}</td>
              <td className={`${styles.amount} right`} title={row.now === null ? undefined : whereWords(row, chains)}>
                {row.filling
                  ? 'is read…'
                  : row.unpriced
                    ? 'no price'
                    : row.now === null
                      ? '0'
                      : amountWords(row, row.now.used)}
                {row.now !== null && <span className={styles.percent}>{shareOf(row, row.now.used)} %</span>}
              </td>
              <td className={styles.share}>
                <Share row={row} />
              </td>
              <td className={`${styles.where} muted`} title={row.now?.who} data-may-clip>
                {row.now === null ? '—' : whereWords(row, chains)}
              </td>
              <td className={`${styles.peak} right`}>
                {peak === null ? (
                  '—'
                ) : (
                  <>
                    {amountWords(row, peak.used)}{' '}
                    <span className="quiet">{momentText(peak.at, now).slice(-8, -3)}</span>
                  </>
                )}
              </td>
              <td className={styles.then}>{thenWords(rule)}</td>
              <td
                className={`${styles.last} muted`}
                title={last === null ? undefined : tripWords(last)}
                data-may-clip={last === null ? undefined : ''}
              >
                {last === null ? (
                  'never'
                ) : (
                  <>
                    {momentText(last.at, now)} <span className={styles.figuresOf}>{tripWords(last)}</span>
                  </>
                )}
              </td>
              <td className={`${styles.acts} right`}>
                <TextButton aria-label={`Change ${rule.name}…`} onClick={() => onEdit({ kind: 'change', row })}>
                  Change…
                </TextButton>
              </td>
            </tr>
          );
        })}
      </tbody>
      <StandingRows rows={switches} now={now} onPeople={() => onEdit({ kind: 'people' })} />
    </Table>
  );
}

function whereWords({ rule, now }: ProtectionRow, chains: readonly { chainId: number; name: string }[]): string {
  if (now === null) return '';
  const { chainId } = now;
  const chain = chainId === null ? '' : ` ${chains.find((one) => one.chainId === chainId)?.name ?? chainId}`;
  return `${subjectWords(rule, now, true)}${chain}`;
}

/** How full the fullest window is, with the peak of the last day as a line and the share from which it warns as a notch. */
function Share({ row }: { row: ProtectionRow }) {
  const [now, peak] = [shareOf(row, row.now?.used), shareOf(row, row.peak?.used)];
  const { warnPercent } = row.rule;
  const isNear = warnPercent !== undefined && now >= warnPercent;
  return (
    <span className={styles.meter}>
      <span className={styles.bar} aria-hidden="true">
        <i style={{ width: `${Math.min(100, now)}%` }} />
        {warnPercent !== undefined && <u style={{ left: `${warnPercent}%` }} />}
        {row.peak !== null && <b style={{ left: `${Math.min(100, peak)}%` }} />}
      </span>
      <span className={isNear ? 'attn' : undefined}>
        {isNear && <span className="only-read">past its warning: </span>}
        {now} %
      </span>
    </span>
  );
}

const keyOf = ({ at, rule, chainId, who }: Trip) => `${at} ${rule.name} ${chainId} ${who}`;

function TripTable(props: {
  trips: readonly Trip[];
  standing: readonly Trip[];
  isOld: boolean;
  onReset: (trip: Trip) => void;
}) {
  const { trips, standing, isOld, onReset } = props;
  const now = useDeskNow();
  const stands = (trip: Trip) => standing.find((one) => keyOf(one) === keyOf(trip));
  return (
    <Table aria-busy={isOld}>
      <thead>
        <tr>
          <th className={styles.time}>Tripped</th>
          <th className={styles.name}>Rule</th>
          <th>Figures</th>
          <th className={styles.over}>Over</th>
          <th className={styles.by}>By, and the reason</th>
        </tr>
      </thead>
      <tbody>
        {trips.map((trip) => (
          <tr key={keyOf(trip)}>
            <td className="muted">{momentText(trip.at, now)}</td>
            <td title={trip.rule.name} data-may-clip>
              {trip.rule.name}
            </td>
            <td title={tripWords(trip)} data-may-clip>
              {tripWords(trip)}
            </td>
            <td>{overWords(trip, now, stands(trip) !== undefined)}</td>
            <td>
              {trip.reset !== null ? (
                `${trip.reset.actor}: ${trip.reset.reason}`
              ) : stands(trip) !== undefined ? (
                <TextButton onClick={() => onReset(trip)}>Reset…</TextButton>
              ) : (
                <span className="muted">by itself</span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function overWords({ until, reset }: Trip, now: number, isStanding: boolean): React.ReactNode {
  if (reset !== null) return momentText(reset.at, now);
  if (isStanding) return <b className="stop">{until === null ? 'not reset' : `at ${momentText(until, now)}`}</b>;
  return until === null ? 'its rule is gone' : momentText(until, now);
}

/** A person's word that it is safe. */
function ResetDialog(props: { trip: Trip; onClose: () => void; onDone: () => Promise<unknown> }) {
  const { connection } = useConsole();
  const { rule, chainId, who, at } = props.trip;
  const what = subjectWords(rule, props.trip);
  return (
    <ReasonDialog
      needs="trade"
      title={`Sign for ${what} again?`}
      question={`Why is it safe to sign for ${what} again?`}
      keep="Keep it frozen"
      act="Reset"
      send={async (reason) => {
        await connection.client.protections.reset({ rule: rule.name, subject: { chainId, who }, seen: at, reason });
        await props.onDone();
      }}
      onClose={props.onClose}
    >
      <p>
        {tripWords(props.trip)} What was counted until now no longer counts, so that the whole limit is free at once.
        {rule.per === 'desk' && rule.freezeSeconds === 0 && ' The desk stays halted until it is resumed.'}
      </p>
    </ReasonDialog>
  );
}
