import './firm-log.css';
import { useState } from 'react';
import { Empty, Waiting } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { RefusalNote } from '../../components/note.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { refusalOf } from '../../state/refusal-of.ts';
import { FilterBar } from './filter-bar.tsx';
import { LogHead, LogRow } from './log-row.tsx';
import { QuoteDrawer } from './quote-drawer.tsx';
import { useFilter } from './use-filter.ts';
import { useLog } from './use-log.ts';
import { useRowKeys } from './use-row-keys.ts';
import { VerifyButton } from './verify-button.tsx';

/** Every quote we were asked for: signed, withheld and refused. */
export function FirmLogPage() {
  const filtering = useFilter();
  const [opened, setOpened] = useState<number | null>(null);
  const [reading, setReading] = useState(false);
  const log = useLog(filtering.filter, reading || opened !== null);
  const { marked, mark } = useRowKeys(log.rows, opened, setOpened);
  const filters = Object.keys(filtering.filter).length;
  return (
    <>
      <PageHead name="Firm log">
        <span className="quiet">every quote we were asked for: signed, withheld and refused</span>
        <span className="fill" />
        <VerifyButton />
      </PageHead>
      <FilterBar {...filtering} filters={filters} held={log.held} waiting={log.waiting} onHold={log.toggle} />
      <div className={`page-body log-page ${opened === null ? '' : 'has-drawer'}`}>
        <section className="panel" aria-label="Quotes">
          {log.rows.length === 0 && <LogHead />}
          {log.pending && <Waiting rows={10} />}
          {log.error !== null && <RefusalNote refusal={refusalOf(log.error)} />}
          {!log.pending && log.rows.length === 0 && (
            <Empty
              title={
                filters === 0
                  ? 'No firm quote yet'
                  : `No quote matches ${filters === 1 ? 'this filter' : `these ${filters} filters`}`
              }
              actions={
                filters > 0 && (
                  <button type="button" className="button" onClick={filtering.clear}>
                    Clear all
                  </button>
                )
              }
            >
              {filters === 0
                ? 'A row appears here for every firm request the service sends.'
                : 'What arrives and matches will appear here.'}
            </Empty>
          )}
          {log.rows.length > 0 && (
            <VirtualRows
              name="Quotes"
              head={<LogHead />}
              rows={log.rows}
              keyOf={(row) => row.seq}
              onEnd={log.more}
              onReading={setReading}
              show={marked === null ? null : log.rows.findIndex((row) => row.seq === marked)}
              row={(row, style) => (
                <LogRow
                  key={row.seq}
                  row={row}
                  style={style}
                  selected={row.seq === (opened ?? marked)}
                  onOpen={() => {
                    mark(row.seq);
                    setOpened(row.seq);
                  }}
                />
              )}
            />
          )}
          <footer>
            <span>
              <b className="strong">{countText(log.rows.length)}</b>{' '}
              <span className="muted">
                {log.whole
                  ? `${plural(log.rows.length, 'quote').replace(/^\S+ /, '')}, all there are`
                  : 'read so far; older ones come as you scroll'}
              </span>
            </span>
          </footer>
        </section>
        {opened !== null && <QuoteDrawer seq={opened} onClose={() => setOpened(null)} />}
      </div>
    </>
  );
}
