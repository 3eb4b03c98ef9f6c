import { useQuery } from '@tanstack/react-query';
import { History } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { Moment, PastLane } from '../../../electron/contract/past.ts';
import { Button } from '../../components/button.tsx';
import { Empty, EmptyPage, ReadState } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { ageText, clockText, datedText } from '../../components/figures/times.ts';
import { Key } from '../../components/key.tsx';
import { QueryError } from '../../components/note.tsx';
import { PageBody } from '../../components/page-head.tsx';
import { Panel } from '../../components/panel.tsx';
import { ButtonGroup, Segmented } from '../../components/segmented.tsx';
import { useDeskNow } from '../../state/clock.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { momentIn, pagePath, pastPath } from '../../state/pages.ts';
import { useShortcuts } from '../../state/shortcuts.ts';
import { clockIn, zoneName } from '../../state/time-zone.ts';
import { DAY_MS, dayOf, FINE_MS, Lanes, STEPS } from './lanes.tsx';
import { PastChanges } from './past-changes.tsx';
import { type PastCell, PastGrid } from './past-grid.tsx';
import styles from './past-page.module.css';
import { AlertsThen, CellThen, EventsAround, NotKnown } from './past-side.tsx';
import { PastTokens } from './past-tokens.tsx';
import { type Past, type PastRead, usePast, usePastDiff } from './use-past.ts';

/** Where B is put when somebody compares without having said with what, milliseconds after A. */
const FURTHER_MS = 300_000;

/** The desk as it was, in grey inside a frame: what has a hue on the screen is now. Nothing here trades. */
export function PastPage() {
  const { at, to } = useParams();
  const [from, until] = [momentIn(at), momentIn(to)];
  if (from === null || (to !== undefined && until === null)) {
    return (
      <EmptyPage
        name="Journal"
        title="This address names no moment"
        go={{ to: pagePath('journal'), text: 'To the journal' }}
      >
        A moment is a time in milliseconds, or an r and the number of a row.
      </EmptyPage>
    );
  }
  return <PastDesk from={from} to={until} />;
}

function PastDesk({ from, to }: { from: Moment; to: Moment | null }) {
  const { desk: clock } = useConsole();
  const [, navigate] = useLocation();
  /** Where a hand drags a flag to, until it lets go. */
  const [dragged, setDragged] = useState<{ a: Moment; b: Moment | null } | null>(null);
  const asked = dragged ?? { a: from, b: to };
  const past = usePast(asked.a);
  const diff = usePastDiff(asked.b === null ? null : { from: asked.a, to: asked.b });
  const [compares, setCompares] = useState(to !== null);
  const [chosen, setChosen] = useState<PastCell | null>(null);
  const back = () => navigate(pagePath('journal'));
  useShortcuts({ close: back });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was dragged holds until the address says it
  useEffect(() => setDragged(null), [from, to]);
  useEffect(() => setCompares(to !== null), [to]);

  const a = timeOf(asked.a) ?? (past.isOld ? null : (past.whole?.desk.at ?? null));
  const b = asked.b === null ? null : (timeOf(asked.b) ?? (diff.isOld ? null : (diff.whole?.end.to.at ?? null)));
  const shown = past.whole;
  const [held, setHeld] = useState<number | null>(a);
  // Until a row's own time is known the lanes stay where they are.
  const moment = a ?? held ?? clock.now();
  useEffect(() => {
    if (a !== null) setHeld(a);
  }, [a]);
  const lanes = useLanes(moment);
  const chains = useDesk((view) => view.chains);
  const chainName = (chainId: number) =>
    [...(shown?.desk.chains ?? []), ...chains].find((chain) => chain.chainId === chainId)?.name ?? `chain ${chainId}`;

  const choose = (which: 'a' | 'b', time: number, resting: boolean) => {
    const next = which === 'a' ? { a: { time }, b: asked.b } : { a: asked.a, b: { time } };
    if (which === 'b') setCompares(true);
    if (!resting) setDragged(next);
    else navigate(pastPath(next.a, next.b ?? undefined), { replace: true });
  };
  const goTo = (place: Moment) => navigate(pastPath(place, asked.b ?? undefined), { replace: true });
  const compare = (isOn: boolean) => {
    setCompares(isOn);
    if (!isOn || to !== null) return;
    choose('b', Math.min(clock.now(), moment + FURTHER_MS), true);
  };
  const marks = (lanes.day?.marks ?? []).toSorted((one, other) => one.time - other.time);
  const before = marks.findLast(({ time }) => time < moment);
  const after = marks.find(({ time }) => time > moment);
  const cell = shownCell(shown, chosen);
  const aside = shown && `${datedText(shown.desk.at, clock.now())} ${clockText(shown.desk.at)}`;
  const isBusy = past.isOld || past.progress !== null;
  const which = (
    <Segmented
      label="What is shown"
      options={[
        { value: false, text: 'As it was' },
        {
          value: true,
          text: 'A → B',
          title: 'Compare with another moment: Shift and a press on a lane puts B there',
        },
      ]}
      value={compares}
      onChoose={compare}
    />
  );

  return (
    <section className={styles.past} aria-label="The desk as it was">
      <div className={styles.head}>
        <span className={styles.tag}>
          <History aria-hidden="true" /> PAST
        </span>
        <h1>Journal</h1>
        <b className={styles.moment}>
          {weekday(moment)} {datedText(moment, clock.now())}, {clockText(moment)}
          <small>
            {zoneName(moment)} · <Ago since={moment} />
          </small>
        </b>
        <span className={`muted ${styles.say}`}>Grey is then. The strip and HALT are now.</span>
        <span className="fill" />
        <ButtonGroup>
          <Button
            disabled={before === undefined}
            title="The mark before"
            onClick={() => before && goTo({ row: before.seq })}
          >
            ‹ Mark
          </Button>
          <Button
            disabled={after === undefined}
            title="The next mark"
            onClick={() => after && goTo({ row: after.seq })}
          >
            Mark ›
          </Button>
        </ButtonGroup>
        <Button look="primary" onClick={back}>
          Back to now <Key of="close" />
        </Button>
      </div>
      <div className={styles.lanes}>
        <Lanes
          chosen={{ a: moment, b }}
          fine={lanes.fine}
          day={lanes.day}
          half={lanes.half}
          now={clock.now()}
          onChoose={choose}
          chainName={chainName}
        />
      </div>
      <PageBody className={`${styles.body} ${compares ? styles.compared : ''}`} aria-busy={isBusy}>
        <Panel
          name="The desk, as it was"
          className={`${styles.main} ${compares ? styles.wide : ''}`}
          aside={aside}
          actions={
            <>
              <Progress of={past} />
              {!compares && which}
            </>
          }
        >
          <Shown read={past}>
            {({ desk, pairs }) => (
              <PastGrid
                desk={desk}
                pairs={pairs}
                chosen={cell?.of ?? null}
                isOpen={chosen !== null}
                onChoose={setChosen}
              />
            )}
          </Shown>
        </Panel>
        {compares && (
          <Panel
            name="Changed, A → B"
            className={styles.changed}
            aside={changedText(diff)}
            actions={
              <>
                <Progress of={diff} />
                {which}
              </>
            }
          >
            <Shown read={diff}>{(whole) => <PastChanges diff={whole} />}</Shown>
          </Panel>
        )}
        <Panel
          name="Exposure and balances"
          className={styles.tokens}
          aside={aside}
          actions={shown !== null && <span className="muted">{plural(shown.desk.quotes, 'open quote')}</span>}
        >
          <Shown read={past}>{({ desk, tokens }) => <PastTokens desk={desk} tokens={tokens} />}</Shown>
        </Panel>
        <div className={styles.side}>
          {cell !== null && shown !== null && (
            <CellThen
              key={`${cell.of.chainId} ${cell.pair.pair} ${cell.pair.revision} ${JSON.stringify(cell.of.cell)}`}
              of={cell.of}
              pair={cell.pair}
              at={shown.desk.at}
            />
          )}
          {shown !== null && <AlertsThen desk={shown.desk} />}
          {shown !== null && (
            <EventsAround row={shown.desk.row.seq} at={shown.desk.at} onGo={(seq) => goTo({ row: seq })} />
          )}
          {shown !== null && <NotKnown desk={shown.desk} />}
        </div>
      </PageBody>
    </section>
  );
}

/** What was read, dimmed while something else is asked for; before it bars, and why it failed. */
function Shown<Whole>({ read, children }: { read: PastRead<Whole>; children: (whole: Whole) => React.ReactNode }) {
  const { whole, isOld, error, again } = read;
  if (error !== null) return <QueryError error={error} again={again} />;
  if (whole === null) {
    return isOld ? (
      <ReadState read={{ isPending: true, error: null, refetch: again }} rows={6} />
    ) : (
      <Empty title="Nothing was told" />
    );
  }
  return (
    <div className={styles.shown} aria-busy={isOld}>
      {children(whole)}
    </div>
  );
}

function Progress({ of: { progress } }: { of: Pick<PastRead<unknown>, 'progress'> }) {
  if (progress === null) return null;
  return (
    <span className="muted" role="status">
      Reading {progress.reading}: {countText(progress.rows)}
    </span>
  );
}

function Ago({ since }: { since: number }) {
  const now = useDeskNow();
  return <>{ageText(now - since)} ago</>;
}

/** The lanes of a day and of half an hour around the moments, as the journal has them. */
function useLanes(a: number): { fine: number; day: PastLane | undefined; half: PastLane | undefined } {
  const { queries } = useConsole();
  const [fine, setFine] = useState(() => Math.max(0, a - FINE_MS / 2));
  // The half hour stays under the hand while the moment is in it.
  const isIn = a > fine && a < fine + FINE_MS;
  const start = isIn ? fine : Math.max(0, Math.floor((a - FINE_MS / 2) / 60_000) * 60_000);
  useEffect(() => setFine(start), [start]);
  const begin = useMemo(() => dayOf(a), [a]);
  const now = useDeskNow();
  /** A lane that goes on with the clock is read again now and then. */
  const again = (until: number) =>
    until > now ? { refetchInterval: 10_000 } : { staleTime: Number.POSITIVE_INFINITY };
  const read = (since: number, until: number, steps: number) => ({
    ...queries.past.lane.queryOptions({ input: { since, until, steps }, placeholderData: (old) => old }),
    ...again(until),
  });
  const day = useQuery(read(begin, begin + DAY_MS, STEPS.day));
  const half = useQuery(read(start, start + FINE_MS, STEPS.fine));
  return { fine: start, day: day.data, half: half.data };
}

/** The cell that somebody chose, or the best ask of the first pair: it is there as soon as its pair is. */
function shownCell(past: Past | null, chosen: PastCell | null) {
  const of = chosen ?? undefined;
  const pair =
    past?.pairs.find((one) => one.chainId === of?.chainId && one.pair === of.pair) ??
    (of === undefined ? past?.pairs[0] : undefined);
  if (pair === undefined) return null;
  const cell = of?.cell ?? { side: 'asks', level: 0, field: 'price' };
  return { pair, of: { chainId: pair.chainId, pair: pair.pair, cell } satisfies PastCell };
}

function timeOf(moment: Moment): number | null {
  return 'time' in moment ? moment.time : null;
}

function changedText({ whole }: ReturnType<typeof usePastDiff>): string | undefined {
  if (whole === null) return undefined;
  const { changed, cells, left } = whole.end;
  return `${countText(changed)} of ${plural(cells, 'cell')}${left > 0 ? `, the last ${countText(left)} not shown` : ''}`;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function weekday(moment: number): string {
  return DAYS[new Date(`${clockIn(moment).slice(0, 10)}T00:00:00Z`).getUTCDay()] ?? '';
}
