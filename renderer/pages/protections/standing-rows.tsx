import { Link } from 'wouter';
import type { StandingRow } from '../../../electron/contract/protections.ts';
import { TextButton } from '../../components/button.tsx';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { pagePath } from '../../state/pages.ts';
import styles from './protections-page.module.css';
import { limitsWords, switchShareOf } from './rule-words.ts';

/** The columns after the first in the narrowest window. A cell over more of them than are shown adds empty ones, and takes their room. */
const LEAST_BESIDE = 6;

/** What protects the desk beside its rules, as further rows of their table. */
export function StandingRows(props: { rows: readonly StandingRow[]; now: number; onPeople: () => void }) {
  return (
    <tbody>
      {props.rows.map((row) => (
        <Standing key={`${row.kind} ${row.chainId}`} row={row} now={props.now} onPeople={props.onPeople} />
      ))}
    </tbody>
  );
}

function Standing({ row, now, onPeople }: { row: StandingRow; now: number; onPeople: () => void }) {
  const { kind, name, limits, used, limit, where, peak, state, does, todo } = row;
  const isTripped = state === 'tripped';
  const tone = isTripped ? 'stop' : state === 'near' ? 'attn' : undefined;
  const isOff = state === 'off';
  const isFine = isOff || state === 'fine';
  const act = isOff ? 'Set…' : 'Change…';
  const figures = (
    <tr data-tripped={isTripped || undefined} data-off={isOff || undefined}>
      <td className={isTripped ? 'strong stop' : isOff ? undefined : 'strong'}>
        <span className="with-mark">
          {isTripped && <Mark shape="halted" />}
          <span title={name} data-may-clip>
            {name}
          </span>
        </span>
      </td>
      <td className={styles.counts}>{isFine ? limits : limitsWords(row)}</td>
      <td className={`${styles.amount} right`}>{limitWords(row)}</td>
      <td className={`${styles.amount} right ${tone ?? ''}`} title={where === '' ? undefined : where}>
        {amountOf(row, used)}
        {used !== null && limit !== null && <span className={styles.percent}>{switchShareOf(row, used)} %</span>}
      </td>
      <td className={styles.share}>{limit !== null && <Share row={row} />}</td>
      <td className={`${styles.where} muted`} title={where} data-may-clip>
        {where === '' ? '—' : where}
      </td>
      <td className={`${styles.peak} right`}>
        {peak === null ? (
          '—'
        ) : (
          <>
            {amountOf(row, peak.used)}{' '}
            <span className="quiet">{peak.used === 0 ? '—' : momentText(peak.at, now).slice(-8, -3)}</span>
          </>
        )}
      </td>
      <td className={styles.then}>{isOff ? 'off' : does}</td>
      <td className={`${styles.last} quiet`} title="Trips of switches are not kept">
        not kept
      </td>
      <td className={`${styles.acts} right`}>
        {kind === 'people' ? (
          <TextButton aria-label={`${act} the dead-man switch on people`} onClick={onPeople}>
            {act}
          </TextButton>
        ) : (
          <Link href={pagePath(PLACES[kind])} aria-label={`${placeWords(row)}: ${name}, ${limits}`}>
            {placeWords(row)}
          </Link>
        )}
      </td>
    </tr>
  );
  if (isFine) return figures;
  return (
    <>
      {figures}
      <tr data-tripped={isTripped || undefined}>
        <td />
        <td colSpan={LEAST_BESIDE} className={styles.todo}>
          {todo}
        </td>
      </tr>
    </>
  );
}

/** Where each is set, or seen to. */
const PLACES = { fence: 'settings', reference: 'service', engine: 'service', unsigned: 'settings' } as const;

function placeWords({ kind, state }: Pick<StandingRow, 'kind' | 'state'>): string {
  if (kind === 'reference' || kind === 'engine') return 'See Service';
  return state === 'off' ? 'Set in Settings' : 'Change in Settings';
}

function amountOf({ unit }: Pick<StandingRow, 'unit'>, value: number | null): string {
  if (value === null) return '—';
  return `${unit === 'bps' ? value.toFixed(1) : value} ${unit === 'fills' && value === 1 ? 'fill' : unit}`;
}

/** `50 | 100 bps`, `20 s`, `not set`. */
function limitWords({ soft, limit, unit, state, kind }: StandingRow): string {
  if (state === 'off') return 'not set';
  if (kind === 'fence') return `${soft ?? '—'} | ${limit ?? '—'} ${unit}`;
  return amountOf({ unit }, limit);
}

/** How much of the limit is used, with the peak of the day as a line and the soft limit as a notch. */
function Share({ row }: { row: StandingRow }) {
  const { used, soft, peak } = row;
  const at = (value: number | null) => `${Math.min(100, switchShareOf(row, value))}%`;
  return (
    <span className={styles.meter}>
      <span className={styles.bar} aria-hidden="true">
        <i style={{ width: at(used) }} />
        {soft !== null && <u style={{ left: at(soft) }} />}
        {peak !== null && peak.used > 0 && <b style={{ left: at(peak.used) }} />}
      </span>
      {switchShareOf(row, used)} %
    </span>
  );
}
