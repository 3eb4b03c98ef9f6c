import { useRef, useState } from 'react';
import type { NoFillCosts, Result, ResultBy, ResultRow } from '../../../electron/contract/results.ts';
import { PlainButton } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { countText, plural, shortHex, signedBpsText } from '../../components/figures/counts.ts';
import { toPixels } from '../../components/figures/decimal-text.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { ageText } from '../../components/figures/times.ts';
import { Panel } from '../../components/panel.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { RowTable } from '../../components/virtual-rows.tsx';
import { useChainOf } from '../fills/use-fills.ts';
import { DollarFigure, NetFigure } from './dollar-figure.tsx';
import { added, noFillText, readDollars, signedDollars, thousandsText } from './dollars.ts';
import styles from './result-table.module.css';
import { nameOf, type useResults } from './use-results.ts';

const NAMES = { pair: 'Pair', user: 'User', counterparty: 'Counterparty' } as const;
const BY = (['pair', 'user', 'counterparty'] as const).map((value) => ({ value, text: NAMES[value] }));
/** Prices that are older than this at the moment of the sums are said to be old. Milliseconds. */
const OLD_MS = 20_000;

/** Result of each pair, user or counterparty; a row chooses whose fills stand beside it. */
export function ResultTable(props: {
  by: ResultBy;
  onBy: (by: ResultBy) => void;
  sums: ReturnType<typeof useResults>;
  range: string;
  chosen: string;
  onChoose: (row: ResultRow) => void;
}) {
  const { by, onBy, sums, range, chosen, onChoose } = props;
  const { results, read, waiting, thousandths } = sums;
  const [reading, setReading] = useState(false);
  const rows = useHeldOrder(results?.rows ?? [], reading, by);
  return (
    <Panel
      name={`By ${by}`}
      aside={
        waiting && results !== undefined
          ? `${Math.floor(thousandths / 10)} % read`
          : results !== undefined && results.more > 0
            ? `most volume first · ${countText(results.more)} more in the sum`
            : 'most volume first · all in $ but volume'
      }
      actions={<Segmented label="Results by" options={BY} value={by} onChoose={onBy} />}
      footer={results === undefined ? undefined : <Notes all={results.all} now={results.now} />}
    >
      <div className={styles.body} onPointerEnter={() => setReading(true)} onPointerLeave={() => setReading(false)}>
        <RowTable
          rows={rows}
          read={read}
          bars={8}
          isBusy={waiting}
          head={
            <thead>
              <tr>
                <th>{NAMES[by]}</th>
                <th className={`right ${styles.volume}`}>
                  Volume
                  <small>k$</small>
                </th>
                <th className={`right ${styles.fills}`}>Fills</th>
                <th className={`right edge ${styles.figure}`}>
                  Edge
                  <small>$</small>
                </th>
                <th
                  className={`right ${styles.figure}`}
                  title="What the price did to the fills until 5 minutes after them"
                >
                  Markout
                  <small>5 min, $</small>
                </th>
                <th
                  className={`right ${styles.figure}`}
                  title="What the price did since the last mark, until the hedge or, where nothing is hedged, until now"
                >
                  Inventory
                  <small>since, $</small>
                </th>
                <th
                  className={`right ${styles.cost}`}
                  title="What hedges came to against the reference when they were placed"
                >
                  Hedge
                  <small>$</small>
                </th>
                <th className={`right wide-only ${styles.cost}`}>
                  Gas
                  <small>$</small>
                </th>
                <th className={`right wide-only ${styles.cost}`}>
                  Fees
                  <small>$</small>
                </th>
                <th className={`right ${styles.cost} ${styles.together}`}>
                  Gas, fees
                  <small>$</small>
                </th>
                <th className={`right edge ${styles.figure}`}>
                  Net
                  <small>$</small>
                </th>
                <th className={`right ${styles.bps}`}>
                  Net
                  <small>bps</small>
                </th>
                <th className={styles.spark}>{range}</th>
              </tr>
            </thead>
          }
          row={(row) => (
            <tr key={nameOf(row)} aria-selected={nameOf(row) === chosen} onClick={() => onChoose(row)}>
              <td title={row.user ?? row.counterparty ?? row.pair ?? undefined} data-may-clip>
                <PlainButton>
                  <RowName row={row} by={by} />
                </PlainButton>
              </td>
              <Cells result={row} />
              <td>
                <Spark curve={row.curve} />
              </td>
            </tr>
          )}
          foot={
            results !== undefined && (
              <tfoot>
                <tr>
                  <td>All</td>
                  <Cells result={results.all} isTotal={results.noFill === null || results.noFill.count === 0} />
                  <td>
                    <Spark curve={results.curve.points.map(({ net }) => net)} />
                  </td>
                </tr>
                {results.noFill !== null && results.noFill.count > 0 && (
                  <NoFillRows noFill={results.noFill} net={results.netOfTime} />
                )}
              </tfoot>
            )
          }
        >
          <Empty title="No fills in this time">A row appears for each {by} with the first fill.</Empty>
        </RowTable>
      </div>
    </Panel>
  );
}

function RowName({ row, by }: { row: ResultRow; by: ResultBy }) {
  const chain = useChainOf(row);
  if (row.user !== null) return <span className="mono">{shortHex(row.user)}</span>;
  if (by === 'counterparty') return row.counterparty ?? <span className="quiet">none named</span>;
  return (
    <>
      <PairName pair={row.pair} /> {chain !== null && <span className="unit">{chain}</span>}
    </>
  );
}

function Cells({ result, isTotal = false }: { result: Result; isTotal?: boolean }) {
  const { parts, missing, net } = result;
  const noMark = missing.after10s + missing.after1m + missing.after5m;
  return (
    <>
      <td className="right">{result.volume === null ? '—' : thousandsText(result.volume)}</td>
      <td className="right" title={unpricedText(result)}>
        {countText(result.fills)}
        {result.unpriced + result.unreadable > 0 && <span className="quiet">*</span>}
      </td>
      <td className="right edge">
        <DollarFigure figure={parts.edge} missing={missing.edge} />
      </td>
      <td className="right">
        <DollarFigure figure={result.markout} missing={noMark} />
      </td>
      <td className="right">
        <DollarFigure figure={parts.inventory} />
      </td>
      <td className="right muted">
        <DollarFigure figure={parts.hedge} />
      </td>
      <td className="right muted wide-only">
        <DollarFigure figure={parts.gas} />
      </td>
      <td className="right muted wide-only">
        <DollarFigure figure={parts.fees} />
      </td>
      <td className={`right muted ${styles.together}`}>
        {parts.gas === null ? <DollarFigure figure={null} /> : signedDollars(added(parts.gas, parts.fees))}
      </td>
      <td className="right edge">
        {isTotal && net !== null ? (
          <span data-total>{signedDollars(readDollars(net))}</span>
        ) : (
          <NetFigure net={net === null ? null : readDollars(net)} />
        )}
      </td>
      <td className="right">{result.netBps === null ? '—' : signedBpsText(result.netBps)}</td>
    </>
  );
}

/** What was paid for no fill, and the net with it. */
function NoFillRows({ noFill, net }: { noFill: NoFillCosts; net: string | null }) {
  const figure = (dollars: string) => signedDollars(readDollars(dollars));
  return (
    <>
      <tr data-no-fill title={noFillText(noFill)}>
        <td>For no fill</td>
        <td colSpan={5} />
        <td />
        <td className="right muted wide-only">{figure(noFill.gas)}</td>
        <td className="right muted wide-only">{figure(noFill.fees)}</td>
        <td className={`right muted ${styles.together}`}>{figure(noFill.costs)}</td>
        <td className="right edge">
          {figure(noFill.costs)}
          {noFill.unpriced > 0 && <span className="quiet">*</span>}
        </td>
        <td colSpan={2} />
      </tr>
      <tr>
        <td>Net</td>
        <td colSpan={6} />
        <td className="wide-only" />
        <td className="wide-only" />
        <td className={styles.together} />
        <td className="right edge">
          <span data-total>{net === null ? 'no price' : figure(net)}</span>
        </td>
        <td colSpan={2} />
      </tr>
    </>
  );
}

function unpricedText({ unpriced, unreadable }: Result): string | undefined {
  const words = [
    unpriced > 0 && `${plural(unpriced, 'fill')} without a price`,
    unreadable > 0 && `${plural(unreadable, 'fill')} that cannot be read`,
  ].filter((text) => text !== false);
  return words.length === 0 ? undefined : `${words.join(' and ')}: in the count alone`;
}

/** What the figures do not say by themselves. */
function Notes({ all, now }: { all: Result; now: number }) {
  const unpriced = unpricedText(all);
  const old = all.valuedAt !== null && now - all.valuedAt > OLD_MS;
  const text = [
    unpriced,
    old && all.valuedAt !== null && `open parts valued at prices up to ${ageText(now - all.valuedAt)} old`,
    `${plural(all.open, 'fill')} not wholly hedged`,
    'a hedge covers fills first in, first out',
    'dollars as of each fill',
  ]
    .filter((part) => part !== undefined && part !== false)
    .join(' · ');
  return (
    <span className={`quiet ${styles.note}`} title={text} data-may-clip>
      {text}
    </span>
  );
}

/** The net as it grew, with nothing as a line. */
function Spark({ curve }: { curve: readonly string[] }) {
  const values = [0, ...curve.map((net) => toPixels(readDollars(net)))];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const y = (value: number) => 2 + ((high - value) / (high - low || 1)) * 12;
  const step = 60 / Math.max(1, values.length - 1);
  const path = values.map((value, index) => `${(index * step).toFixed(1)} ${y(value).toFixed(1)}`).join('L');
  return (
    <svg className={styles.line} viewBox="0 0 60 16" preserveAspectRatio="none" aria-hidden="true">
      <path d={`M0 ${y(0).toFixed(1)}H60`} stroke="var(--line)" vectorEffect="non-scaling-stroke" />
      <path d={`M${path}`} fill="none" stroke="var(--fg-2)" vectorEffect="non-scaling-stroke" />
    </svg>
  );
}

/** Rows keep their places while somebody reads them; new ones come after them. */
function useHeldOrder(rows: readonly ResultRow[], reading: boolean, by: ResultBy): readonly ResultRow[] {
  const order = useRef<{ by: ResultBy; names: readonly string[] }>({ by, names: [] });
  if (!reading || order.current.by !== by) {
    order.current = { by, names: rows.map(nameOf) };
    return rows;
  }
  const places = new Map(order.current.names.map((name, index) => [name, index]));
  const placeOf = (row: ResultRow) => places.get(nameOf(row)) ?? places.size;
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}
