import { useMemo } from 'react';
import { Link } from 'wouter';
import type { Trip } from '../../../electron/contract/protections.ts';
import { isSame, type WhatIfBand } from '../../../electron/contract/what-if.ts';
import { PlainButton } from '../../components/button.tsx';
import { countText, plural, signedBpsText } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { Mark } from '../../components/mark.tsx';
import { MoneyCurve } from '../../components/money-curve.tsx';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { fillsPath, pastPath } from '../../state/pages.ts';
import { useLater } from '../../state/use-later.ts';
import { useSize } from '../../state/use-size.ts';
import { tripWords } from '../protections/rule-words.ts';
import { dollarsText, readDollars } from '../results/dollars.ts';
import { bandScene, type Measure } from './band-scene.ts';
import styles from './curves-panel.module.css';
import type { Figure, WhatIfResult } from './use-what-if.ts';

/** So many stops have a number on the curve; the list has more. */
const MOST_NUMBERED = 9;
const TITLES = { edge: ['Edge', 'at the quote'], markout: ['Markout', 'after 5 min'] } as const;
const BEHIND: Figure = { group: 'dollars', pair: null };

/** What was and what would have been, over the time, with the protections that would have stopped trading. */
export function CurvesPanel(props: {
  result: WhatIfResult;
  /** What it is of that is not of what is chosen now; null where it is. */
  before: string | null;
  onOpen: (figure: Figure) => void;
}) {
  const { result, before, onOpen } = props;
  const { asked, end } = result;
  const trips = end.tried?.trips ?? [];
  const numbered = trips.slice(0, MOST_NUMBERED).map(({ at }) => at);
  return (
    <Panel
      name="As it was, and as it would have been"
      className={styles.panel}
      aside={before !== null && <span title={before}>{before}</span>}
      actions={
        <span className={styles.key}>
          <span>
            <i className={styles.wasKey} /> as it was
          </span>
          <span>
            <i className={styles.bandKey} /> would have been
          </span>
          {end.tried !== null && (
            <span>
              <Mark shape="halted" /> a protection stops
            </span>
          )}
        </span>
      }
    >
      <div className={styles.two}>
        {(['edge', 'markout'] as const).map((measure) => (
          <section key={measure} className={styles.one} aria-label={TITLES[measure].join(' ')}>
            <div className={styles.figures}>
              <h3>
                {TITLES[measure][0]}
                <small>{TITLES[measure][1]}</small>
              </h3>
              <div>
                <span className={styles.label}>as it was</span>
                <Link
                  href={fillsPath({ since: asked.since, until: end.until + 1 })}
                  title="Opens the fills of this time"
                  data-was={measure}
                >
                  <b className={styles.figure}>{wasWords(end.total[measure])}</b>
                </Link>
                <small>{bpsText(end.total[measure].bps.was)}</small>
              </div>
              <div className={styles.would}>
                <span className={styles.label}>would have been</span>
                <PlainButton onClick={() => onOpen(BEHIND)} title="Opens the requests behind it" data-would={measure}>
                  <b className={`${styles.figure} ${isSame(end.total[measure]) ? 'quiet' : ''}`}>
                    {bandWords(end.total[measure])}
                  </b>
                </PlainButton>
                <small>{bpsBandText(end.total[measure])}</small>
              </div>
            </div>
            <Curve end={end} measure={measure} stops={numbered} />
          </section>
        ))}
      </div>
      {end.tried !== null && <Stops trips={trips} all={end.tried.rules.reduce((sum, one) => sum + one.trips, 0)} />}
    </Panel>
  );
}

function Curve({ end, measure, stops }: { end: WhatIfResult['end']; measure: Measure; stops: readonly number[] }) {
  const { ref, width, height } = useSize<HTMLDivElement>('what-if curves');
  const Lines = useLater(true, async () => (await import('./band-lines.tsx')).BandLines);
  const times = stops.join(' ');
  const scene = useMemo(
    () => bandScene(end.curve, measure, times === '' ? [] : times.split(' ').map(Number), { width, height }),
    [end.curve, measure, times, width, height],
  );
  const total = end.total[measure];
  const said = `${TITLES[measure].join(' ')}: ${wasWords(total)} as it was, ${bandWords(total)} as it would have been.`;
  if (!isKnown(total)) {
    return (
      <p className={`quiet ${styles.none}`}>
        {measure === 'markout'
          ? 'No reference price is known five minutes after any fill of this time. For fills younger than that it is still to come.'
          : 'No fill of this time has a reference at its quote, and nothing might have been filled.'}
      </p>
    );
  }
  return (
    <MoneyCurve
      box={ref}
      className={styles.curve}
      frame={scene}
      amounts="right"
      said={said}
      lines={scene !== null && Lines !== null && <Lines scene={scene} width={width} height={height} />}
    >
      {scene?.stops.map((stop) => (
        <span key={stop.number} className={styles.stop} style={{ left: stop.x, top: stop.y }}>
          <b className={styles.number}>{stop.number}</b>
          <Mark shape="halted" />
        </span>
      ))}
    </MoneyCurve>
  );
}

/** What would have tripped, in its order; each opens the desk as it was at that moment. */
function Stops({ trips, all }: { trips: readonly Trip[]; all: number }) {
  return (
    <Scroll className={styles.stops} aria-label="Would have tripped">
      {trips.length === 0 && <p className="muted">No protection would have tripped.</p>}
      <ol>
        {trips.map((trip, index) => (
          <li key={`${trip.at} ${trip.rule.name} ${trip.chainId} ${trip.who}`}>
            <Mark shape="halted" /> <strong>{index + 1}</strong>
            <Link href={pastPath({ time: trip.at })} title="Opens the desk as it was then">
              {momentText(trip.at, trip.at)}
            </Link>{' '}
            <span title={tripWords(trip)}>
              {trip.rule.name}: {tripWords(trip)}
            </span>
          </li>
        ))}
      </ol>
      {all > trips.length && (
        <p className="muted">
          and {plural(all - trips.length, 'more', 'more')}: the first {countText(trips.length)} stand here
        </p>
      )}
    </Scroll>
  );
}

/** Whether anything was, or would have been, of which a reference says what it was worth. */
export function isKnown({ bps: { was, low, high } }: Pick<WhatIfBand, 'bps'>): boolean {
  return was !== null || low !== null || high !== null;
}

function wasWords(band: WhatIfBand): string {
  return isKnown(band) ? dollarsText(readDollars(band.was)) : '—';
}

/** `+$3,284.00 … +$5,159.00`, one figure where both ends are the same. */
function bandWords(band: WhatIfBand): string {
  if (!isKnown(band)) return '—';
  if (isSame(band)) return 'the same';
  const [low, high] = [dollarsText(readDollars(band.low)), dollarsText(readDollars(band.high))];
  return low === high ? low : `${low} … ${high}`;
}

function bpsText(tenthBps: number | null): string {
  return tenthBps === null ? '' : `${signedBpsText(tenthBps)} bps`;
}

function bpsBandText({ bps: { low, high }, ...band }: WhatIfBand): string {
  if (isSame(band) || low === null || high === null) return '';
  return low === high ? bpsText(low) : `${signedBpsText(low)} … ${bpsText(high)}`;
}
