import { memo, useMemo } from 'react';
import { Age } from '../../components/figures/age.tsx';
import { countText, percentText, plural } from '../../components/figures/counts.ts';
import { groupedText, readDecimal } from '../../components/figures/decimal-text.ts';
import { useDesk } from '../../state/console.tsx';
import { bpsOf, dollarsText, readDollars, volumeText } from '../results/dollars.ts';
import { useResultSpan } from '../results/result-span.ts';
import { useResults } from '../results/use-results.ts';
import { headingDollars, totalDollars, totalTitle } from './day-volume.ts';
import styles from './desk-figures.module.css';
import { fillRatioText } from './fill-ratio.ts';

/** Today's totals over all pairs, since 00:00 UTC, and how fast the desk answers. */
export function DeskFigures() {
  const pairs = useDesk((view) => view.pairs);
  const today = useMemo(() => {
    const totals = { signed: 0, filled: 0, refused: 0 };
    for (const row of pairs) {
      totals.signed += row.today.signed;
      totals.filled += row.today.filled;
      totals.refused += row.today.refused;
    }
    return totals;
  }, [pairs]);
  const signed = useMemo(() => totalDollars(pairs, 'signedVolume'), [pairs]);
  const filled = useMemo(() => totalDollars(pairs, 'filledVolume'), [pairs]);
  const asked = today.signed + today.refused;
  return (
    <dl className={styles.figures} title="Since 00:00 UTC">
      <div>
        <dt>Signed today</dt>
        <dd className="live-figure" title={totalTitle(signed)}>
          {countText(today.signed)} <i>{headingDollars(signed)}</i>
        </dd>
      </div>
      <div>
        <dt>Filled</dt>
        <dd className="live-figure" title={totalTitle(filled)}>
          {countText(today.filled)}{' '}
          <i>
            {headingDollars(filled)} · {fillRatioText(pairs)} %
          </i>
        </dd>
      </div>
      <EdgeToday />
      <div>
        <dt>Refused</dt>
        <dd className="live-figure">
          {countText(today.refused)} <i>{percentText(today.refused, asked)} %</i>
        </dd>
      </div>
      <AnswerTime />
    </dl>
  );
}

/** What the fills of today gained against the reference when their quotes were decided: the figure that Results has. */
const EdgeToday = memo(function EdgeToday() {
  const { shown: newest, isLastKnown, read } = useResults({ span: useResultSpan('today', null) }, 'pair');
  // Sums of another day are none of today.
  const shown = isLastKnown || read.isPlaceholderData ? undefined : newest;
  const { fills = 0, unpriced = 0, volume = null, parts, missing } = shown?.all ?? {};
  const edge = parts?.edge ?? null;
  const without = missing?.edge ?? 0;
  const isKnown = fills > 0 && edge !== null && edge !== 'not_yet';
  const title = [
    'Of the fills since 00:00 UTC, against the reference when each quote was decided; gains rounded down, losses up',
    ...(isKnown ? [`${dollarsText(readDollars(edge))} on ${volumeText(volume)} filled`] : []),
    ...(without > 0 ? [`${plural(without, 'fill')} had no reference then: counted with an edge of 0`] : []),
    ...(isKnown && read.isError ? ['It could not be read again: this is older than the rest of the page'] : []),
    ...(unpriced > 0 ? [`${plural(unpriced, 'fill')} left out: no dollar price is known`] : []),
  ];
  return (
    <div className="tight-out">
      <dt>Edge, volume-weighted</dt>
      <dd className="live-figure" title={title.join('\n')}>
        {isKnown ? (
          <>
            <span className={read.isError ? styles.old : ''}>{bpsOf(edge, volume, 1)} bps</span>
            {without > 0 && <span className="quiet">*</span>}{' '}
            {read.isError && shown !== undefined ? (
              <i className="stop">
                <Age since={shown.now} /> old
              </i>
            ) : (
              <i className="narrow-out">{dollarsText(readDollars(edge), 0)}</i>
            )}
          </>
        ) : (
          <span className={styles.none}>
            {shown !== undefined ? (fills === 0 ? 'no fill yet' : 'not known') : read.isError ? 'not read' : '—'}
          </span>
        )}
      </dd>
    </div>
  );
});

/** In what time 99 of 100 firm requests of the last hour had their answer, on the chain where that took longest. */
const AnswerTime = memo(function AnswerTime() {
  const chains = useDesk((view) => view.chains);
  const timed = chains.flatMap(({ name, answers }) =>
    answers ? [{ name, count: answers.count, p99: answers.p99Ms }] : [],
  );
  const longest = Math.max(...timed.map(({ p99 }) => p99));
  const told = timed.map(({ name, p99, count }) => `${name}: ${msText(p99)}, ${plural(count, 'answer')}`);
  return (
    <div className="narrow-out">
      <dt>Answer time p99</dt>
      <dd
        className="live-figure"
        title={['From the arrival of a firm request to its answer, refusals included', ...told].join('\n')}
      >
        {timed.length === 0 ? (
          <span className={styles.none}>none in the last hour</span>
        ) : (
          <>
            {msText(longest)} <i>last hour</i>
          </>
        )}
      </dd>
    </div>
  );
});

/** Milliseconds, with one decimal where it says anything: `4.8 ms`, `139 ms`. */
function msText(ms: number): string {
  const read = readDecimal(ms.toFixed(ms < 100 ? 1 : 0));
  return `${read === null ? '—' : groupedText(read)}\u00a0ms`;
}
