import { Link } from 'wouter';
import { type FillResult, type ResultBy, type ResultRow, UNPRICED_WORDS } from '../../../electron/contract/results.ts';
import { Button } from '../../components/button.tsx';
import { Empty, ReadState } from '../../components/empty.tsx';
import { plural, shortHex } from '../../components/figures/counts.ts';
import { PairName } from '../../components/figures/pair-name.tsx';
import { decimalText } from '../../components/figures/prices.ts';
import { clockText, momentText } from '../../components/figures/times.ts';
import { SideMark } from '../../components/mark.tsx';
import { Panel } from '../../components/panel.tsx';
import { Unreadable } from '../../components/unreadable.tsx';
import virtualRowsStyles from '../../components/virtual-rows.module.css';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { quotePath } from '../../state/pages.ts';
import { zoneName } from '../../state/time-zone.ts';
import { DollarFigure } from './dollar-figure.tsx';
import { added, readDollars, signedDollars, thousandsText } from './dollars.ts';
import styles from './result-fills.module.css';
import type { useResultFills } from './use-results.ts';

/** The fills behind a row, newest first, with what each came to. */
export function ResultFills(props: {
  row: ResultRow | null;
  by: ResultBy;
  name: string;
  path: string;
  now: number;
  read: ReturnType<typeof useResultFills>;
}) {
  const { row, by, name, path, now, read } = props;
  const { fills } = read;
  const columns = `${styles.columns} ${by === 'pair' ? styles.ofPair : styles.ofOther}`;
  return (
    <Panel
      name={row === null ? 'Fills behind a row' : name}
      aside={row === null ? '' : `${plural(row.fills, 'fill')}, newest first`}
      className={styles.panel}
      actions={
        row !== null && (
          <Button look="quiet" asChild>
            <Link href={path}>Open in Fills</Link>
          </Button>
        )
      }
      footer={<span className="quiet">A markout not reached yet counts as inventory so far.</span>}
    >
      {row === null && <Empty title="No row is chosen">The fills behind it stand here.</Empty>}
      {row !== null && fills.length === 0 && <ReadState read={read} rows={6} />}
      {row !== null && fills.length > 0 && (
        <>
          <VirtualRows
            name="Fills behind the row"
            head={
              <div className={`${virtualRowsStyles.head} ${columns}`}>
                <span>Time</span>
                <span className={styles.pair}>Pair</span>
                <span>We</span>
                <span className={`right ${styles.volume}`}>k$</span>
                <span className="right">Edge, $</span>
                <span className="right">Markout</span>
                <span className="right">Rest, $</span>
                <span className="right">Net, $</span>
                <span className={styles.user}>User</span>
              </div>
            }
            rows={fills}
            keyOf={(fill) => fill.seq}
            onEnd={() => read.hasNextPage && !read.isFetching && void read.fetchNextPage()}
            row={(fill, style) => <Row key={fill.seq} fill={fill} now={now} columns={columns} style={style} />}
          />
          <div className={`${virtualRowsStyles.head} ${columns} ${styles.total}`}>
            <span>All</span>
            <span className={styles.pair} />
            <span />
            <span className={`right ${styles.volume}`}>{thousandsText(row.volume)}</span>
            <span className="right">
              <DollarFigure figure={row.parts.edge} missing={row.missing.edge} />
            </span>
            <span className="right">
              <DollarFigure figure={row.markout} />
            </span>
            <span className="right">{signedDollars(added(row.parts.inventory, row.costs))}</span>
            <span className="right">{row.net === null ? 'no price' : signedDollars(readDollars(row.net))}</span>
            <span className={styles.user} />
          </div>
        </>
      )}
    </Panel>
  );
}

function Row(props: { fill: FillResult; now: number; columns: string; style: { transform: string } }) {
  const { fill, now, columns, style } = props;
  if (fill.unreadable !== undefined) {
    return (
      <div className={`${virtualRowsStyles.row} ${virtualRowsStyles.unreadable}`} style={style} data-seq={fill.seq}>
        <span className="muted">{momentText(fill.time, now)}</span>
        <Unreadable seq={fill.seq} why={fill.unreadable} />
      </div>
    );
  }
  const isToday = momentText(fill.time, now).length === clockText(fill.time).length;
  return (
    <div className={`${virtualRowsStyles.row} ${columns}`} style={style} data-seq={fill.seq}>
      <Link
        className="muted"
        href={quotePath(fill.quoteSeq ?? 0)}
        title={`${momentText(fill.time, now)} ${zoneName(fill.time)}. Opens its quote.`}
      >
        {isToday ? clockText(fill.time) : momentText(fill.time, now).slice(0, -3)}
      </Link>
      <span className={styles.pair}>
        <PairName pair={fill.pair} />
      </span>
      <SideMark side={fill.side} />
      <span
        className={`right ${styles.volume}`}
        title={fill.volume === null ? undefined : `$${decimalText(fill.volume, 2)}`}
      >
        {fill.volume === null ? '—' : thousandsText(fill.volume)}
      </span>
      <span className="right">
        <DollarFigure figure={fill.parts.edge} />
      </span>
      <span className="right">
        <DollarFigure figure={fill.markout} />
      </span>
      <span className="right">
        {fill.rest === null ? <span className="quiet">—</span> : signedDollars(readDollars(fill.rest))}
      </span>
      <span className="right">
        {fill.net === null ? (
          <span
            className="quiet"
            title={fill.unpriced === null ? undefined : `No net: ${UNPRICED_WORDS[fill.unpriced]}.`}
          >
            no price
          </span>
        ) : (
          <span className={fill.net.startsWith('-') ? 'strong' : undefined}>
            {signedDollars(readDollars(fill.net))}
          </span>
        )}
      </span>
      <span className={`mono muted ${styles.user}`} title={fill.user ?? undefined}>
        {fill.user === null ? '—' : shortHex(fill.user)}
      </span>
    </div>
  );
}
