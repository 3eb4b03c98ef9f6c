import './firm-log.css';
import { useCallback, useMemo, useState } from 'react';
import { Empty, Waiting } from '../../components/empty.tsx';
import { dayText } from '../../components/figures/times.ts';
import { RefusalNote } from '../../components/note.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { useConsole, useDesk } from '../../state/console.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { useSize } from '../../state/use-size.ts';
import { ColumnsMenu } from './columns-menu.tsx';
import { ExportButton } from './export-button.tsx';
import { FilterBar } from './filter-bar.tsx';
import { fittingColumns, keepColumns, readKeptColumns } from './log-columns.ts';
import { LogFoot } from './log-foot.tsx';
import { LogHead, LogRow } from './log-row.tsx';
import { NftOrderButton } from './nft-order-dialog.tsx';
import { QuoteDrawer } from './quote-drawer.tsx';
import { TailButton } from './tail-button.tsx';
import { useFilter } from './use-filter.ts';
import { useLog } from './use-log.ts';
import { useRowKeys } from './use-row-keys.ts';
import { VerifyButton } from './verify-button.tsx';

/** Every quote we were asked for: signed, withheld and refused. */
export function FirmLogPage() {
  const { desk } = useConsole();
  const chains = useDesk((view) => view.chains.length);
  const filtering = useFilter();
  const [opened, setOpened] = useState<number | null>(openedIn(window.location.search));
  const [reading, setReading] = useState(false);
  const [chosen, setChosen] = useState(() => readKeptColumns(chains));
  const log = useLog(filtering.filter, reading || opened !== null);
  const { marked, mark } = useRowKeys(log.rows, opened, setOpened);
  const { ref, width } = useSize<HTMLElement>();
  const columns = useMemo(() => fittingColumns(chosen, width), [chosen, width]);
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
        <ColumnsMenu
          chosen={chosen}
          shown={columns}
          onChoose={(next) => {
            keepColumns(next);
            setChosen(next ?? readKeptColumns(chains));
          }}
        />
        <NftOrderButton onSigned={open} />
        <ExportButton filter={filtering.filter} />
        <VerifyButton />
      </PageHead>
      <FilterBar {...filtering} filters={filters}>
        <TailButton held={log.held} waiting={log.waiting} onHold={log.toggle} />
      </FilterBar>
      <div className={`page-body log-page ${opened === null ? '' : 'has-drawer'}`}>
        <section className="panel" aria-label="Quotes" ref={ref}>
          {log.rows.length === 0 && <LogHead columns={columns} />}
          {log.searching && log.rows.length === 0 && <Waiting rows={10} />}
          {log.error !== null && <RefusalNote refusal={refusalOf(log.error)} />}
          {!log.searching && log.error === null && log.rows.length === 0 && (
            <NothingFound filters={filters} stopped={log.stopped} onClear={filtering.clear} />
          )}
          {log.rows.length > 0 && width > 0 && (
            <VirtualRows
              name="Quotes"
              head={<LogHead columns={columns} />}
              rows={log.rows}
              keyOf={(row) => row.seq}
              onEnd={log.readMore}
              onReading={setReading}
              show={marked === null ? null : log.rows.findIndex((row) => row.seq === marked)}
              row={(row, style) => (
                <LogRow
                  key={row.seq}
                  row={row}
                  style={style}
                  columns={columns}
                  today={today}
                  selected={row.seq === (opened ?? marked)}
                  onOpen={open}
                />
              )}
            />
          )}
          <LogFoot found={log} onStop={log.stop} onGoOn={log.readMore} />
        </section>
        {opened !== null && <QuoteDrawer seq={opened} onClose={() => setOpened(null)} />}
      </div>
    </>
  );
}

function NothingFound({ filters, stopped, onClear }: { filters: number; stopped: boolean; onClear: () => void }) {
  if (filters === 0) {
    return <Empty title="No firm quote yet">A row appears here for every firm request the service sends.</Empty>;
  }
  const these = filters === 1 ? 'this filter' : `these ${filters} filters`;
  return (
    <Empty
      title={stopped ? `Nothing found for ${these} so far` : `No quote matches ${these}`}
      actions={
        <button type="button" className="button" onClick={onClear}>
          Clear all
        </button>
      }
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
