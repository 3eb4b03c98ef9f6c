import { type ReactNode, useMemo } from 'react';
import type { TradedRow } from '../../../electron/contract/console/fills.ts';
import { Empty, ReadState } from '../../components/empty.tsx';
import { countText, plural } from '../../components/figures/counts.ts';
import { Panel } from '../../components/panel.tsx';
import { useDesk } from '../../state/console.tsx';
import { useNames, userText } from '../../state/names.tsx';
import { useSize } from '../../state/use-size.ts';
import fillsPageStyles from './fills-page.module.css';
import styles from './markout-panel.module.css';
import { type MarkoutLine, type MarkoutScene, MOST_LINES, markoutScene } from './markout-scene.ts';
import { byVolume, keyOf } from './traded-panel.tsx';
import type { useSummary } from './use-summary.ts';

/** The two lines under the curve. */
const AXIS = 32;
const LABEL_GAP = 10;

/** What our fills were worth on average some time after them, as a curve of each pair or user; the span of the page narrows it. */
export function MarkoutPanel(props: {
  by: 'pair' | 'user';
  aside: string;
  sums: ReturnType<typeof useSummary>;
  chosen: string;
  actions: ReactNode;
}) {
  const { by, aside, sums, chosen, actions } = props;
  const { shown: summary } = sums;
  const chains = useDesk((view) => view.chains);
  const names = useNames();
  const { ref, width, height } = useSize<HTMLDivElement>('markouts');
  const rows = useMemo(() => {
    const filled = byVolume(summary?.rows ?? []).filter(({ fills }) => fills > 0);
    const isTwice = (pair: string | null) => filled.filter((row) => row.pair === pair).length > 1;
    const place = ({ chainId, pair }: TradedRow) =>
      isTwice(pair) ? ` ${chains.find((chain) => chain.chainId === chainId)?.name ?? ''}` : '';
    return filled.map((row) => ({
      key: keyOf(row),
      name: row.user === null ? `${row.pair}${place(row)}` : userText(names, row.user),
      traded: row,
    }));
  }, [summary, chains, names]);
  const scene = useMemo(
    () =>
      summary === undefined || width === 0
        ? null
        : markoutScene(rows, summary.all, chosen, { width, height: Math.max(60, height - AXIS) }),
    [rows, summary, chosen, width, height],
  );
  const left = rows.length > MOST_LINES ? ` · ${MOST_LINES} of ${countText(rows.length)}` : '';
  return (
    <Panel
      name={`Markout by ${by}`}
      aside={
        <>
          average bps<span className="roomy-only"> · {aside}</span>
          {left}
        </>
      }
      className={fillsPageStyles.markout}
      actions={actions}
    >
      <div className={styles.place} ref={ref}>
        {summary === undefined && (
          <ReadState
            read={sums.read}
            rows={4}
            unknown="Markouts are not known here; fills and references are written down all the same"
          />
        )}
        {scene !== null && rows.length === 0 && (
          <Empty title="No fill in this time">The curve begins with the first one.</Empty>
        )}
        {scene !== null && rows.length > 0 && <Curves scene={scene} width={width} height={height} />}
      </div>
    </Panel>
  );
}

function Curves({ scene, width, height }: { scene: MarkoutScene; width: number; height: number }) {
  const bottom = Math.max(60, height - AXIS);
  const right = scene.moments.at(-1)?.x ?? width;
  const said = scene.lines.map(({ points }) => points.map((point) => point.said).join('; ')).join('. ');
  return (
    <svg
      className="live-figure"
      width={width}
      height={bottom + AXIS}
      role="img"
      aria-label={`Average markout. ${said}`}
    >
      {scene.bps.map(({ y, text }) => (
        <g key={text}>
          <line className={styles.grid} x1={44} x2={right} y1={y} y2={y} />
          <text className={styles.axis} x={38} y={y + 4} textAnchor="end">
            {text}
          </text>
        </g>
      ))}
      <line className={styles.zero} x1={44} x2={right} y1={scene.zero} y2={scene.zero} />
      {scene.moments.map(({ x, text, count }) => (
        <g key={text}>
          <text className={styles.axis} x={x} y={bottom + 11} textAnchor="middle">
            {text}
          </text>
          <text className={styles.axis} data-count="" x={x} y={bottom + 26} textAnchor="middle">
            {count === 0 ? 'not yet' : plural(count, 'fill')}
          </text>
        </g>
      ))}
      {scene.lines.map((line) => (
        <Curve key={line.key} line={line} right={right} />
      ))}
    </svg>
  );
}

function Curve({ line: { points, kind, label }, right }: { line: MarkoutLine; right: number }) {
  const last = points.at(-1);
  if (last === undefined) return null;
  return (
    <g className={styles.line} data-kind={kind}>
      <polyline points={points.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {points.map(({ x, y, said }) => (
        <circle key={x} cx={x} cy={y} r={kind === 'other' ? 2.5 : 3.5}>
          <title>{said}</title>
        </circle>
      ))}
      <path className={styles.lead} d={`M${last.x + 4} ${last.y}L${right + LABEL_GAP} ${label.y}`} />
      <text className={label.isLoss ? styles.loss : undefined} x={right + LABEL_GAP + 3} y={label.y + 4}>
        {label.text}
      </text>
    </g>
  );
}
