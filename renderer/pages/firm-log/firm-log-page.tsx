import { useCallback, useMemo, useState } from 'react';
import type { QuoteRow } from '../../../electron/contract/quote-log.ts';
import { Button, TextButton } from '../../components/button.tsx';
import { ColumnsMenu } from '../../components/columns-menu.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty, NoChainPage, Waiting } from '../../components/empty.tsx';
import { countText, shortHex } from '../../components/figures/counts.ts';
import { dayText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { QueryError } from '../../components/note.tsx';
import { PageBody, PageHead } from '../../components/page-head.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { TailButton } from '../../components/tail-button.tsx';
import { useRowKeys } from '../../components/use-row-keys.ts';
import { useTableView } from '../../components/use-table-view.ts';
import { useClient, useConsole, useDesk } from '../../state/console.tsx';
import { useShortcuts } from '../../state/shortcuts.ts';
import { useCommand } from '../../state/use-command.ts';
import type { SearchState } from '../../state/use-search.ts';
import { OnChainDialog } from '../desk/on-chain-dialog.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { useFilter } from './filter-choice.ts';
import styles from './firm-log-page.module.css';
import { logColumns, OLDER_COLUMNS } from './log-columns.tsx';
import { LogRow } from './log-row.tsx';
import { NftOrderButton } from './nft-order-dialog.tsx';
import { QuoteDrawer } from './quote-drawer.tsx';
import { useLog } from './use-log.ts';

/** Every quote we were asked for: signed, withheld and refused. */
export function FirmLogPage() {
  const chains = useDesk((view) => view.chains.length);
  if (chains > 0) return <FirmLog chains={chains} />;
  return (
    <NoChainPage name="Firm log">
      Once a chain trades, every firm request of the service stands here with our answer.
    </NoChainPage>
  );
}

function FirmLog({ chains }: { chains: number }) {
  const { desk } = useConsole();
  const [opened, setOpened] = useState<number | null>(openedIn(window.location.search));
  const filtering = useFilter((query) => setOpened(openedIn(query)));
  const [reading, setReading] = useState(false);
  const [cancelling, setCancelling] = useState<QuoteRow | null>(null);
  const log = useLog(filtering.filter, reading || opened !== null);
  const columns = useMemo(() => logColumns(chains), [chains]);
  const [unknown] = Object.values(filtering.unknown);
  // What the rest of the filter lets through is no answer to words that mean nothing.
  const rows = unknown === undefined ? log.rows : NO_ROWS;
  const view = useTableView({
    name: 'firm-log',
    columns,
    rows,
    whole: !log.more && !log.searching,
    older: OLDER_COLUMNS,
  });
  const { marked, mark } = useRowKeys(view.rows, opened, setOpened);
  useShortcuts({ xray: () => setOpened(opened === null ? (marked ?? view.rows[0]?.seq ?? null) : null) });
  const filters = Object.keys(filtering.filter).length;
  const today = dayText(desk.now());
  const open = useCallback(
    (seq: number) => {
      mark(seq);
      setOpened(seq);
    },
    [mark],
  );
  return (
    <>
      <PageHead name="Firm log">
        <span className="quiet narrow-out">every quote we were asked for: signed, withheld and refused</span>
        <span className="fill" />
        <ColumnsMenu view={view} />
        <NftOrderButton onSigned={open} />
        <ExportButton filter={filtering.filter} disabled={unknown !== undefined} />
        <VerifyButton />
      </PageHead>
      <FilterBar {...filtering} filters={filters}>
        <TailButton
          isRead={unknown === undefined && log.progress !== null}
          held={log.held}
          waiting={log.waiting}
          onHold={log.toggle}
        />
      </FilterBar>
      <PageBody className={`${styles.page} ${opened === null ? '' : styles.withDrawer}`}>
        <PanelBox aria-label="Quotes">
          {log.error !== null && unknown === undefined && (
            <QueryError
              what="The log is not known here; what is signed is kept all the same"
              error={log.error}
              again={log.restart}
            />
          )}
          <DataTable
            name="Quotes"
            view={view}
            rows={view.rows}
            onEnd={log.readMore}
            onReading={setReading}
            show={marked === null ? undefined : view.rows.find((row) => row.seq === marked)}
            row={(row, shown) => (
              <LogRow
                key={row.seq}
                row={row}
                columns={shown}
                today={today}
                selected={row.seq === (opened ?? marked)}
                onOpen={open}
                onCancel={setCancelling}
              />
            )}
          >
            {unknown !== undefined && <NotSearched why={unknown} onClear={filtering.clear} />}
            {unknown === undefined && log.searching && <Waiting rows={10} isTable />}
            {unknown === undefined && !log.searching && log.error === null && (
              <NothingFound filters={filters} stopped={log.stopped} onClear={filtering.clear} />
            )}
          </DataTable>
          {unknown === undefined && <LogFoot found={log} onStop={log.stop} onGoOn={log.readMore} />}
        </PanelBox>
        {cancelling !== null && <CancelDialog row={cancelling} onClose={() => setCancelling(null)} />}
        {opened !== null && <QuoteDrawer seq={opened} onClose={() => setOpened(null)} onCancel={setCancelling} />}
      </PageBody>
    </>
  );
}

const NO_ROWS: readonly QuoteRow[] = [];

/** What the cancellation of one order costs, and then whether it was mined. */
function CancelDialog({ row: { chainId, orderHash }, onClose }: { row: QuoteRow; onClose: () => void }) {
  const client = useClient();
  return (
    <OnChainDialog
      needs="trade"
      urgent
      title={`Cancel order ${shortHex(orderHash ?? '')} on chain?`}
      send={(dryRun) => client.onChain.cancelOrders({ chainId, orderHash: orderHash ?? undefined, dryRun })}
      keep="Keep it"
      act="Cancel order"
      onClose={onClose}
    />
  );
}

/** Part of the filter means nothing: no list stands under it as if it were what was asked for. */
export function NotSearched({ why, onClear }: { why: string; onClear: () => void }) {
  return (
    <Empty title="Nothing is searched for yet" actions={<Button onClick={onClear}>Clear all</Button>}>
      {why}
    </Empty>
  );
}

function NothingFound({ filters, stopped, onClear }: { filters: number; stopped: boolean; onClear: () => void }) {
  const isHalted = useDesk(({ status }) => status?.state === 'HALTED');
  if (filters === 0) {
    return (
      <Empty title="No firm quote yet" heading="h2">
        {isHalted
          ? 'We are HALTED: a firm request is refused, and its row appears here.'
          : 'A row appears here for every firm request the service sends.'}
      </Empty>
    );
  }
  const these = filters === 1 ? 'this filter' : `these ${filters} filters`;
  return (
    <Empty
      heading="h2"
      title={stopped ? `Nothing found for ${these} so far` : `No quote matches ${these}`}
      actions={<Button onClick={onClear}>Clear all</Button>}
    >
      {stopped ? 'The search was stopped before its end.' : 'What arrives and matches will appear here.'}
    </Empty>
  );
}

/** The row another page asks to have opened: `?open=SEQ`. */
function openedIn(query: string): number | null {
  const seq = Number(new URLSearchParams(query).get('open') ?? '');
  return Number.isSafeInteger(seq) && seq > 0 ? seq : null;
}

/** How many rows are here, how far the search has come, and how to stop it. */
function LogFoot({ found, onStop, onGoOn }: { found: SearchState<QuoteRow>; onStop: () => void; onGoOn: () => void }) {
  const { rows, more, searching, stopped, progress, tookMs } = found;
  const looked = progress === null ? 0 : progress.last - progress.at + 1;
  const of = progress === null ? 0 : progress.last - progress.first + 1;
  // A foot without a word is a line for nothing.
  if (rows.length === 0 && more && !stopped && !(searching && of > 0)) return null;
  return (
    <footer className={styles.foot}>
      {(rows.length > 0 || !more) && (
        <span>
          <b className="strong">{countText(rows.length)}</b>{' '}
          <span className="muted">
            {more ? 'read so far' : `${rows.length === 1 ? 'quote' : 'quotes'}, all there are`}
            {tookMs !== null && `, found in ${Math.max(1, Math.round(tookMs))} ms`}
          </span>
        </span>
      )}
      <span className="fill" />
      {searching && of > 0 && (
        <>
          <span className="muted" role="status">
            Looked through {countText(Math.max(0, looked))} of {countText(of)} rows
          </span>
          <progress max={of} value={Math.max(0, looked)} aria-label="Search" />
          <TextButton onClick={onStop}>Stop</TextButton>
        </>
      )}
      {stopped && more && (
        <>
          <span className="muted">
            Stopped after {countText(Math.max(0, looked))} of {countText(of)} rows
          </span>
          <TextButton onClick={onGoOn}>Go on</TextButton>
        </>
      )}
    </footer>
  );
}

type Progress = { checked: number; total: number; done: boolean; firstBad: number | null; detail: string | null };

/** Walks the chain of hashes and says how far it holds. */
function VerifyButton() {
  const client = useClient();
  const [progress, setProgress] = useState<Progress | null>(null);
  const verify = useCommand(async () => {
    setProgress(null);
    for await (const next of await client.log.verify()) setProgress(next);
  });
  return (
    <>
      {progress !== null && <Said progress={progress} />}
      {verify.refusal && <span className="stop">{verify.refusal.sentence}</span>}
      <Button disabled={verify.busy} onClick={() => verify.run()}>
        {verify.busy ? 'Verifying…' : 'Verify journal'}
      </Button>
    </>
  );
}

function Said({ progress }: { progress: Progress }) {
  const { checked, total, done, firstBad, detail } = progress;
  if (done && (firstBad !== null || detail !== null)) {
    return (
      <span className={`stop with-mark strong ${styles.verifySaid}`} role="alert" title={detail ?? undefined}>
        <Mark shape="refused" />
        {firstBad === null ? 'The journal is broken.' : `The journal is broken at row ${countText(firstBad)}.`} {detail}
      </span>
    );
  }
  return (
    <span className={`muted with-mark ${styles.verifySaid}`} role="status">
      {done && <Mark shape="done" tone="ok" />}
      Journal {done ? 'holds' : 'checked'} to row {countText(checked)}
      {!done && ` of ${countText(total)}`}
    </span>
  );
}
