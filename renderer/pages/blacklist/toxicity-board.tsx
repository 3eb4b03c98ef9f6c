import { useMemo, useState } from 'react';
import type { TradedRow } from '../../../electron/contract/console/fills.ts';
import { MARK_NAMES, MARKOUT_NAMES, MARKS } from '../../../electron/contract/quote-log.ts';
import { TextButton } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { FilterSelect } from '../../components/field.tsx';
import { Address } from '../../components/figures/address.tsx';
import { countText, markText, percentText, plural } from '../../components/figures/counts.ts';
import { decimalText } from '../../components/figures/prices.ts';
import { MarkFigure } from '../../components/mark-figure.tsx';
import { Panel } from '../../components/panel.tsx';
import { RowTable } from '../../components/virtual-rows.tsx';
import { brushedSpan, FILL_RANGES } from '../fills/fill-ranges.ts';
import { useBarFrame } from '../fills/use-bars.ts';
import { useSummary } from '../fills/use-summary.ts';
import { BlacklistDialog } from './blacklist-dialog.tsx';
import blacklistPageStyles from './blacklist-page.module.css';
import { SORTS, type SortName, sortUsers } from './sort-users.ts';
import styles from './toxicity-board.module.css';

const [, , , DAY = FILL_RANGES[0]] = FILL_RANGES;
const SORT_OPTIONS = SORTS.map(({ value, name }) => ({ value, text: name }));

/** What each user asked for and what their fills were worth afterwards, the worst first. */
export function ToxicityBoard({ listed }: { listed: ReadonlySet<string> }) {
  const [range, setRange] = useState(DAY);
  const [sort, setSort] = useState<SortName>('after1m');
  const [blacklisting, setBlacklisting] = useState<TradedRow | null>(null);
  const frame = useBarFrame(range);
  const span = useMemo(() => brushedSpan(range, frame, 0, frame.count - 1), [range, frame]);
  const { summary, read, waiting, thousandths } = useSummary({ span, by: 'user' });
  const rows = useMemo(() => sortUsers(summary?.rows ?? [], sort), [summary, sort]);
  return (
    <Panel
      name="Who trades against us"
      aside={waiting && summary !== undefined ? `${Math.floor(thousandths / 10)} % read` : plural(rows.length, 'user')}
      className={blacklistPageStyles.toxicity}
      actions={
        <>
          <FilterSelect
            label="First"
            any="most asked"
            value={sort}
            options={SORT_OPTIONS}
            onChange={(value) => setSort(value === '' ? 'asked' : value)}
          />
          <FilterSelect
            label="Last"
            any={DAY.name}
            value={range === DAY ? '' : range.name}
            options={FILL_RANGES.filter((choice) => choice !== DAY).map(({ name }) => ({ value: name, text: name }))}
            onChange={(name) => setRange(FILL_RANGES.find((choice) => choice.name === name) ?? DAY)}
          />
        </>
      }
    >
      <RowTable
        rows={rows}
        read={read}
        bars={6}
        isBusy={waiting}
        head={
          <thead>
            <tr>
              <th className={styles.userColumn}>User</th>
              <th className={`right ${styles.countColumn}`}>Asked</th>
              <th className={`right ${styles.countColumn}`}>Fills</th>
              <th
                className={`right ${styles.ratioColumn} narrow-out`}
                title="Of the orders we signed, how many were filled at least in part"
              >
                Ratio
                <small>%</small>
              </th>
              <th className={`right ${styles.volumeColumn}`}>
                Volume
                <small>USD</small>
              </th>
              {MARK_NAMES.map((name) => (
                <th key={name} className={`right ${styles.markColumn} ${name === 'edge' ? 'narrow-out' : ''}`}>
                  {MARKS[name].text}
                  <small>bps</small>
                </th>
              ))}
              <th className={`right ${styles.actColumn}`}>Blacklist</th>
            </tr>
          </thead>
        }
        row={(row) => (
          <tr key={row.user}>
            <td>
              <Address hex={row.user ?? ''} of="user’s address" />
            </td>
            <td className="right">{countText(row.asked)}</td>
            <td className="right">{countText(row.fills)}</td>
            <td className="right narrow-out">{percentText(row.filled, row.signed)}</td>
            <td className="right">
              {row.fills === 0 ? '0' : row.volume === null ? '—' : decimalText(row.volume, row.unit === 'USD' ? 0 : 4)}
            </td>
            {MARK_NAMES.map((name) => (
              <td key={name} className={`right ${name === 'edge' ? 'narrow-out' : ''}`}>
                <MarkFigure mark={row[name]} />
              </td>
            ))}
            <td className="right">
              {listed.has(row.user ?? '') ? (
                <span className="muted">on the list</span>
              ) : (
                <TextButton aria-label={`Blacklist ${row.user} for 24 h…`} onClick={() => setBlacklisting(row)}>
                  24 h…
                </TextButton>
              )}
            </td>
          </tr>
        )}
      >
        <Empty title="Nobody asked in this time">A row appears for each user who asks for a firm quote.</Empty>
      </RowTable>
      {blacklisting !== null && (
        <BlacklistDialog
          address={blacklisting.user ?? ''}
          reason={reasonOf(blacklisting, range.name)}
          onClose={() => setBlacklisting(null)}
        />
      )}
    </Panel>
  );
}

/** What stands in the history later: the figures that were on the screen. */
function reasonOf(row: TradedRow, within: string): string {
  const marks = MARKOUT_NAMES.map((name) => `${MARKS[name].text} ${markText(row[name])}`);
  return `Markout ${marks.join(', ')} bps over ${plural(row.fills, 'fill')}, ${countText(row.asked)} asked, in ${within}`;
}
