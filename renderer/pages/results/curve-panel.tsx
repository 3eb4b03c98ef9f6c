import { useMemo } from 'react';
import { MARKOUT_NAMES, MARKS } from '../../../electron/contract/quote-log.ts';
import type { Results } from '../../../electron/contract/results.ts';
import { plural } from '../../components/figures/counts.ts';
import { momentText, timeTickText } from '../../components/figures/times.ts';
import { Panel } from '../../components/panel.tsx';
import { useLater } from '../../state/use-later.ts';
import { useSize } from '../../state/use-size.ts';
import styles from './curve-panel.module.css';
import { type CurveScene, curveScene } from './curve-scene.ts';
import { dollarsText, readDollars, signedDollars, tickText } from './dollars.ts';

const LAST_MARK = MARKOUT_NAMES.at(-1) ?? 'after5m';

/** How net and parts grew over the time, each fill at its own moment with all that became of it. */
export function CurvePanel({ results }: { results: Results }) {
  const { all, curve, now } = results;
  const { ref, width, height } = useSize<HTMLDivElement>();
  const Lines = useLater(true, async () => (await import('./result-lines.tsx')).ResultLines);
  const { young } = all;
  const youngMs = young.fills > 0 && curve.until > now - MARKS[LAST_MARK].afterMs ? MARKS[LAST_MARK].afterMs : null;
  const scene = useMemo(() => curveScene(curve, youngMs, { width, height }), [curve, youngMs, width, height]);
  const figures = curve.points.at(-1);
  return (
    <Panel
      name={`Net since ${momentText(curve.since, now).slice(0, -3)}`}
      aside="and its parts, $"
      actions={
        young.fills > 0 && (
          <span className="quiet">
            shaded: {plural(young.fills, 'fill')} under {MARKS[LAST_MARK].text}, {dollarsText(readDollars(young.net))}{' '}
            still moving
          </span>
        )
      }
    >
      <div
        className={styles.curve}
        ref={ref}
        role="img"
        aria-label={
          figures === undefined
            ? 'No fills'
            : `Net ${signedDollars(readDollars(figures.net))} dollars over this time. Its parts stand beside it, and each row’s in the table below.`
        }
      >
        {scene !== null && Lines !== null && <Lines scene={scene} width={width} height={height} />}
        {scene !== null && <Labels scene={scene} figures={figures} />}
      </div>
    </Panel>
  );
}

function Labels({ scene, figures }: { scene: CurveScene; figures: Results['curve']['points'][number] | undefined }) {
  const { plot, since, until, low, high } = scene;
  const x = (time: number) => plot.left + ((time - since) / (until - since)) * (plot.right - plot.left);
  const y = (value: number) => plot.top + ((high - value) / (high - low)) * (plot.bottom - plot.top);
  return (
    <>
      {scene.moneyTicks.map((value) => (
        <span key={value} className={styles.amount} style={{ top: y(value) - 7, width: plot.left - 6 }}>
          {tickText(value)}
        </span>
      ))}
      {scene.timeTicks
        .filter((time) => x(time) > plot.left + 16 && x(time) < plot.right - 8)
        .map((time) => (
          <span key={time} className={styles.time} style={{ left: x(time), top: plot.bottom + 4 }}>
            {timeTickText(time, until - since)}
          </span>
        ))}
      {scene.ends.map(({ name, text, y: top, at }) => (
        <span
          key={name}
          className={name === 'net' ? `${styles.end} ${styles.net}` : styles.end}
          style={{ top: top - 7, left: plot.right }}
        >
          <svg width="8" height="15" aria-hidden="true" style={{ overflow: 'visible' }}>
            <path d={`M1 ${at - top + 7}L6 7`} fill="none" stroke="var(--line-strong)" />
          </svg>
          <span>{text}</span>
          <span data-line-end={name}>{figures === undefined ? '' : signedDollars(readDollars(figures[name]))}</span>
        </span>
      ))}
    </>
  );
}
