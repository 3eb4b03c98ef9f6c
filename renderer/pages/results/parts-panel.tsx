import { Link } from 'wouter';
import {
  PART_NAMES,
  type PartName,
  partText,
  type ResultRow,
  type Results,
  resultsBy,
  type Sums,
} from '../../../electron/contract/results.ts';
import { countText, plural } from '../../components/figures/counts.ts';
import { compareDecimals, toPixels } from '../../components/figures/decimal-text.ts';
import { User } from '../../components/figures/party.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { DollarFigure } from './dollar-figure.tsx';
import { bpsOf, dollarsText, noFillText, readDollars, signedDollars, volumeText } from './dollars.ts';
import styles from './parts-panel.module.css';

/** The net in one glance: how much, from whom, and which parts it is made of. */
export function PartsPanel(props: {
  sums: Sums | Results;
  pathOf: (row: ResultRow | null) => string;
  pairName: (row: ResultRow) => string;
}) {
  const { sums, pathOf, pairName } = props;
  const { all, netOfTime } = sums;
  const [users, pairs] = [resultsBy(sums, 'user'), resultsBy(sums, 'pair')];
  const ends = (end: 'most' | 'least') =>
    [extremes(users.rows)[end], extremes(pairs.rows)[end]]
      .flatMap((row) => (row === null ? [] : [row]))
      .map((row, index) => (
        <span key={row.user ?? row.pair}>
          {index > 0 && ' · '}
          <Link
            href={pathOf(row)}
            title={`${row.user ?? pairName(row)} ${dollarsText(readDollars(row.net))}\nOpens the fills behind it.`}
          >
            {row.user === null ? pairName(row) : <User address={row.user} />}
          </Link>{' '}
          {dollarsText(readDollars(row.net))}
        </span>
      ));
  const [most, least] = [ends('most'), ends('least')];
  const among = users.more > 0 ? ` among the ${countText(users.rows.length)} users who traded most` : '';
  return (
    <PanelBox aria-label="Net and its parts">
      <div className={styles.verdict}>
        <p className={styles.net}>
          <b className="live-figure" data-net>
            {netOfTime === null ? 'no price' : dollarsText(readDollars(netOfTime))}
          </b>
          <span className="muted">
            net{all.netBps !== null && ` · ${bpsOf(netOfTime, all.volume)} bps of ${volumeText(all.volume)}`} ·{' '}
            <Link href={pathOf(null)} title="Opens the fills behind it">
              {plural(all.fills, 'fill')}
            </Link>
          </span>
        </p>
        <p className={styles.line}>{most.length > 0 ? <>Most from {most}</> : `Nothing gained on anybody${among}`}</p>
        <p className={styles.line}>{least.length > 0 ? <>Lost on {least}</> : `Nothing lost on anybody${among}`}</p>
      </div>
      <Waterfall sums={sums} />
    </PanelBox>
  );
}

/** Whose net was the highest above nothing, and whose the lowest below. */
function extremes(rows: readonly ResultRow[]): { most: ResultRow | null; least: ResultRow | null } {
  const known = rows.filter(({ net }) => net !== null);
  const sorted = [...known].sort((a, b) => compareDecimals(readDollars(b.net), readDollars(a.net)));
  const [first, last] = [sorted[0], sorted.at(-1)];
  return {
    most: first !== undefined && readDollars(first.net).digits > 0n ? first : null,
    least: last !== undefined && readDollars(last.net).digits < 0n ? last : null,
  };
}

/** Each part begins where the one before it ended; a gain is filled, a loss hollow. */
function Waterfall({ sums: { all, noFill, netOfTime } }: { sums: Sums | Results }) {
  const steps: { name: PartName; from: number; to: number }[] = [];
  let reached = 0;
  for (const name of PART_NAMES) {
    const to = reached + toPixels(readDollars(all.parts[name]));
    steps.push({ name, from: reached, to });
    reached = to;
  }
  const paid = { from: reached, to: reached + toPixels(readDollars(noFill?.costs ?? null)) };
  const net = toPixels(readDollars(netOfTime));
  const ends = [0, net, paid.to, ...steps.map(({ to }) => to)];
  const lowest = Math.min(...ends);
  const whole = Math.max(...ends) - lowest || 1;
  const share = (dollars: number) => `${((dollars - lowest) / whole) * 100}%`;
  const bar = (from: number, to: number, look: string | undefined) => (
    <span className={styles.track}>
      <i className={styles.zero} style={{ left: share(0) }} />
      <i
        className={look}
        style={{ left: share(Math.min(from, to)), width: `${(Math.abs(to - from) / whole) * 100}%` }}
      />
    </span>
  );
  return (
    <div className={styles.parts}>
      <div className={`quiet ${styles.units}`}>
        <span />
        <span />
        <span className="right">$</span>
        <span className="right" title="Basis points of the volume">
          bps
        </span>
      </div>
      {steps.map(({ name, from, to }) => (
        <div key={name} data-part={name}>
          <span className="muted">{partText(name)}</span>
          {bar(from, to, to < from ? styles.loss : styles.gain)}
          <span className="right live-figure">
            <DollarFigure figure={all.parts[name]} missing={all.missing[name]} />
          </span>
          <span className="right quiet">{bpsOf(all.parts[name], all.volume)}</span>
        </div>
      ))}
      {noFill !== null && noFill.count > 0 && (
        <div data-part="no-fill" title={noFillText(noFill)}>
          <span className="muted">Cancels, approvals</span>
          {bar(paid.from, paid.to, styles.loss)}
          <span className="right">
            {signedDollars(readDollars(noFill.costs))}
            {noFill.unpriced > 0 && <span className="quiet">*</span>}
          </span>
          <span className="right quiet">{bpsOf(noFill.costs, all.volume)}</span>
        </div>
      )}
      <div className={styles.total} data-part="net">
        <span>Net</span>
        {bar(0, net, styles.netBar)}
        <span className="right live-figure">
          {netOfTime === null ? 'no price' : signedDollars(readDollars(netOfTime))}
        </span>
        <span className="right">{bpsOf(netOfTime, all.volume)}</span>
      </div>
    </div>
  );
}
