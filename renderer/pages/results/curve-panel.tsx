import { useMemo } from 'react';
import { LAST_MARK, MARKS } from '../../../electron/contract/marks.ts';
import type { Results, Sums } from '../../../electron/contract/results.ts';
import { plural } from '../../components/figures/counts.ts';
import { momentText } from '../../components/figures/times.ts';
import { MoneyCurve } from '../../components/money-curve.tsx';
import { Panel } from '../../components/panel.tsx';
import { useLater } from '../../state/use-later.ts';
import { useSize } from '../../state/use-size.ts';
import styles from './curve-panel.module.css';
import { type CurveScene, curveScene } from './curve-scene.ts';
import { dollarsText, readDollars, signedDollars } from './dollars.ts';

/** How net and parts grew over the time, each fill at its own moment with all that became of it. */
export function CurvePanel({ results }: { results: Sums | Results }) {
  const { all, curve, now } = results;
  const { ref, width, height } = useSize<HTMLDivElement>('results curve');
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
      <MoneyCurve
        box={ref}
        className={styles.curve}
        frame={scene}
        amounts="left"
        said={
          figures === undefined
            ? 'No fills'
            : `Net ${signedDollars(readDollars(figures.net))} dollars over this time. Its parts stand beside it, and each row’s in the table below.`
        }
        lines={scene !== null && Lines !== null && <Lines scene={scene} width={width} height={height} />}
      >
        {scene !== null && <Ends scene={scene} figures={figures} />}
      </MoneyCurve>
    </Panel>
  );
}

/** The name of each line where it ends, with what it came to. */
function Ends({ scene, figures }: { scene: CurveScene; figures: Sums['curve']['points'][number] | undefined }) {
  const { plot, ends } = scene;
  return ends.map(({ name, text, y: top, at }) => (
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
  ));
}
