import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { type EventFilter, eventCsvLine, eventsCsvHead } from '../../../electron/contract/journal.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { dayText } from '../../components/figures/times.ts';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { TailButton } from '../../components/tail-button.tsx';
import { useRowKeys } from '../../components/use-row-keys.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useChoiceInAddress } from '../../state/choice-in-address.ts';
import { useConsole, useDesk } from '../../state/console.tsx';
import { openTextFile } from '../../state/save-text.ts';
import { useCommand } from '../../state/use-command.ts';
import { NotSearched } from '../firm-log/firm-log-page.tsx';
import { MomentDialog } from '../past/moment-dialog.tsx';
import { EventDrawer } from './event-drawer.tsx';
import { EVENT_COLUMNS, EventLine } from './event-rows.tsx';
import { type EventChoice, eventFilterOf, hiddenText, NO_EVENT_CHOICE } from './journal-choice.ts';
import { JournalFilters } from './journal-filters.tsx';
import styles from './journal-page.module.css';
import { useEvents } from './use-events.ts';

/** The whole story: every event of the journal as a sentence with what was before, and what changed a pair. */
export function JournalPage() {
  const { desk, queries } = useConsole();
  const chains = useDesk((view) => view.chains);
  const named = useQuery(queries.journal.kinds.queryOptions());
  const kinds = named.data ?? NO_KINDS;
  const [opened, setOpened] = useState<number | null>(null);
  const [choice, setChoice] = useChoiceInAddress(NO_EVENT_CHOICE, () => setOpened(null));
  // Ranges are counted from the moment they are chosen.
  const [now, setNow] = useState(() => desk.now());
  const choose = (next: Partial<EventChoice>) => {
    setChoice(next);
    setNow(desk.now());
  };
  const [reading, setReading] = useState(false);
  const [going, setGoing] = useState(false);
  const panel = useRef<HTMLElement>(null);
  const { filter: chosen, fault } = useMemo(() => eventFilterOf(choice, kinds, now), [choice, kinds, now]);
  // A filter that means the same is not asked for again.
  const text = JSON.stringify(chosen);
  const filter = useMemo((): EventFilter => JSON.parse(text), [text]);
  const found = useEvents(filter, reading || opened !== null);
  // What the rest of the filter lets through is no answer to times that mean nothing.
  const rows = fault === null ? found.rows : NO_ROWS;
  const view = useTableView({
    name: 'journal',
    columns: EVENT_COLUMNS,
    rows,
    whole: !found.more && !found.searching,
  });
  const read =
    fault === null
      ? { isPending: rows.length === 0 && found.searching, error: found.error, refetch: found.restart }
      : undefined;
  const { marked, mark } = useRowKeys(view.rows, opened, setOpened);
  const open = useCallback(
    (seq: number) => {
      mark(seq);
      setOpened(seq);
    },
    [mark],
  );
  // A list whose rows wait stands still, whoever holds it; the button then shows them.
  const goOn = () => {
    if (found.held || found.waiting === 0) found.toggle();
    if (found.waiting === 0) return;
    found.showNew();
    setReading(false);
    panel.current?.querySelector('[data-rows]')?.scrollTo({ top: 0 });
  };
  const actors = useMemo(() => [...new Set(rows.map(({ actor }) => actor))], [rows]);
  const groups = useMemo(() => new Map(kinds.map(({ kind, group }) => [kind, group])), [kinds]);
  const today = dayText(desk.now());
  const isFiltered = Object.values(choice).some((value) => value !== '');
  const chainName = (chainId: number | null) => {
    if (chainId === null || chains.length < 2) return null;
    return chains.find((chain) => chain.chainId === chainId)?.name ?? `${chainId}`;
  };
  return (
    <>
      <PageHead name="Journal">
        <span className="quiet narrow-out">
          {choice.pair === ''
            ? 'every event there ever was, with what was before'
            : `what changed ${choice.pair}, also through its tokens, its chain and the desk`}
        </span>
        <span className="fill" />
        <ColumnsMenu view={view} />
        <ExportButton filter={filter} disabled={fault !== null} />
        <Button look="primary" onClick={() => setGoing(true)}>
          Go to a moment…
        </Button>
      </PageHead>
      {going && <MomentDialog onClose={() => setGoing(false)} />}
      <JournalFilters choice={choice} choose={choose} kinds={kinds} actors={actors} fault={fault}>
        <TailButton
          isRead={fault === null && found.progress !== null}
          held={found.held || found.waiting > 0}
          waiting={found.waiting}
          onHold={goOn}
        />
      </JournalFilters>
      <PageBody className={`${styles.page} ${opened === null ? '' : styles.withDrawer}`}>
        <PanelBox ref={panel} aria-label="Events">
          <DataTable
            name="Events"
            view={view}
            rows={view.rows}
            read={read}
            unknown="What the journal holds is not known here; quoting and hedging do not wait for it"
            bars={12}
            onEnd={found.readMore}
            onReading={setReading}
            show={marked === null ? undefined : view.rows.find((row) => row.seq === marked)}
            row={(event, columns) => (
              <EventLine
                key={event.seq}
                event={event}
                group={groups.get(event.kind)}
                chain={chainName(event.chainId)}
                columns={columns}
                today={today}
                selected={event.seq === (opened ?? marked)}
                onOpen={open}
              />
            )}
          >
            {fault !== null ? (
              <NotSearched why={fault} onClear={() => choose(NO_EVENT_CHOICE)} />
            ) : (
              <Empty
                title={isFiltered ? 'No event matches' : 'No event of the kinds shown'}
                heading="h2"
                actions={isFiltered && <Button onClick={() => choose(NO_EVENT_CHOICE)}>Clear all</Button>}
              >
                {found.stopped
                  ? 'The search was stopped before its end.'
                  : 'Whatever people, the desk, the chain or the service do stands here as a sentence.'}
              </Empty>
            )}
          </DataTable>
          {fault === null && <Foot found={found} hidden={hiddenText(choice, kinds)} />}
        </PanelBox>
        {opened !== null && <EventDrawer seq={opened} onClose={() => setOpened(null)} />}
      </PageBody>
    </>
  );
}

const NO_KINDS: never[] = [];
const NO_ROWS: never[] = [];

/** How many events are here, how far the search has come, and how to stop it. */
function Foot({ found, hidden }: { found: ReturnType<typeof useEvents>; hidden: string }) {
  const { rows, more, searching, stopped, progress, stop, readMore } = found;
  const looked = progress === null ? 0 : Math.max(0, progress.last - progress.at + 1);
  const of = progress === null ? 0 : progress.last - progress.first + 1;
  return (
    <footer className={styles.foot}>
      {(rows.length > 0 || !more) && (
        <span>
          <b className="strong">{countText(rows.length)}</b>{' '}
          <span className="muted">
            {more
              ? 'read so far'
              : `${rows.length === 1 ? 'event' : 'events'}${hidden === '' ? ', all there are' : ' of the kinds shown'}`}
          </span>
        </span>
      )}
      {hidden !== '' && <span className="muted">{hidden}</span>}
      <span className="fill" />
      {progress !== null && (
        <span className="muted" role="status">
          {stopped ? 'Stopped after' : 'Looked through'} {countText(looked)} of {plural(of, 'row')}
        </span>
      )}
      {searching && of > 0 && (
        <>
          <progress max={of} value={looked} aria-label="Search" />
          <TextButton onClick={stop}>Stop</TextButton>
        </>
      )}
      {stopped && more && <TextButton onClick={readMore}>Go on</TextButton>}
    </footer>
  );
}

const BATCH = 500;

/** Writes what the filter lets through to a file, oldest first, as it is read. */
function ExportButton({ filter, disabled }: { filter: EventFilter; disabled: boolean }) {
  const { connection, desk, toasts } = useConsole();
  const [count, setCount] = useState(0);
  const run = useCommand(async () => {
    const name = `journal-${new Date(desk.now()).toISOString().slice(0, 19).replace(/[:T]/g, '-')}.csv`;
    const file = await openTextFile(name, 'text/csv');
    if (file === null) return;
    let rows = 0;
    setCount(0);
    try {
      await file.write(eventsCsvHead());
      let before: number | undefined;
      for (let more = true; more; ) {
        const asked = { filter, order: 'oldest', limit: BATCH, ...(before !== undefined && { before }) } as const;
        for await (const found of await connection.client.journal.find(asked)) {
          if (found.rows.length > 0) await file.write(found.rows.map(eventCsvLine).join(''));
          rows += found.rows.length;
          before = found.progress.at;
          more = found.more;
        }
        setCount(rows);
      }
      await file.done();
    } catch (error) {
      await file.drop();
      throw error;
    }
    toasts.show({ level: 'done', title: `Wrote ${plural(rows, 'event')}`, detail: name });
  });
  return (
    <>
      {run.refusal && <span className="stop">{run.refusal.sentence}</span>}
      <Button
        disabled={run.busy || disabled}
        onClick={() => run.run()}
        title="What is filtered, oldest first, as comma-separated values"
      >
        {run.busy ? `Exporting… ${countText(count)}` : 'Export CSV'}
      </Button>
    </>
  );
}
