import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { clockText, dayText, stampText } from '../../components/figures/times.ts';
import { zoneName } from '../../state/time-zone.ts';
import { useSize } from '../../state/use-size.ts';
import { brushedSpan, coveredBars, type FillRange, type Span } from './fill-ranges.ts';
import styles from './time-brush.module.css';
import type { FillBar } from './use-bars.ts';
import { useFillBars } from './use-fill-bars.ts';

const HEIGHT = 44;
const PAGE = 10;
const DAY = 86_400_000;
const SECONDS_UNDER = 600_000;

/**
 * How many fills fell into each bar of the range: bought upwards, sold downwards. The part between the two handles is
 * what the page shows; drag over it, drag a handle, or move a handle with the arrow keys.
 */
export function TimeBrush(props: {
  /** Null where they are not known. */
  bars: readonly FillBar[] | null;
  /** Whose fills the bars count. */
  of: string;
  isOfAll: boolean;
  range: FillRange;
  frame: { first: number; count: number };
  span: Span;
  /** Whether the page has its figures. */
  ready: boolean;
  onBrush: (span: Span | null) => void;
}) {
  const { bars, of, isOfAll, range, frame, span, ready, onBrush } = props;
  const { ref, width } = useSize<HTMLDivElement>('time brush');
  const Chart = useFillBars(ready);
  const began = useRef<number | null>(null);
  const [from, to] = coveredBars(range, frame, span);
  const share = (bar: number) => `${(bar / frame.count) * 100}%`;
  const set = (first: number, last: number) => {
    const [a, b] = [Math.max(0, Math.min(first, last)), Math.min(frame.count - 1, Math.max(first, last))];
    onBrush(a === 0 && b === frame.count - 1 ? null : brushedSpan(range, frame, a, b));
  };
  const barAt = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(frame.count - 1, Math.floor(((event.clientX - box.left) / box.width) * frame.count)));
  };
  const moved = (event: KeyboardEvent, bar: number): number | null => {
    const by = event.shiftKey ? PAGE : 1;
    const to = { ArrowLeft: bar - by, ArrowRight: bar + by, PageDown: bar - PAGE, PageUp: bar + PAGE }[event.key];
    if (to !== undefined) return Math.max(0, Math.min(frame.count - 1, to));
    if (event.key === 'Home') return 0;
    return event.key === 'End' ? frame.count - 1 : null;
  };
  const handle = (which: 'from' | 'to') => {
    const bar = which === 'from' ? from : to;
    const moment = frame.first + (which === 'from' ? bar : bar + 1) * range.bucketMs;
    return (
      <div
        className={styles.handle}
        role="slider"
        tabIndex={0}
        aria-label={which === 'from' ? 'Start of what is shown' : 'End of what is shown'}
        aria-valuemin={0}
        aria-valuemax={frame.count - 1}
        aria-valuenow={bar}
        aria-valuetext={which === 'to' && span.until === null ? 'now' : `${stampText(moment)} ${zoneName(moment)}`}
        style={{ left: share(which === 'from' ? from : to + 1) }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onBrush(null);
          const next = moved(event, bar);
          if (next === null) return;
          event.preventDefault();
          if (which === 'from') set(Math.min(next, to), to);
          else set(from, Math.max(next, from));
        }}
      />
    );
  };
  const tickText = (time: number) =>
    range.ms > DAY ? dayText(time) : clockText(time).slice(0, range.ms < SECONDS_UNDER ? 8 : 5);
  const ticks = Array.from({ length: 6 }, (_, index) => Math.floor((frame.count * index) / 6)).map(
    (bar) => frame.first + bar * range.bucketMs,
  );
  return (
    <div className={styles.brush} ref={ref}>
      {Chart !== null && bars !== null && width > 0 && (
        <Chart bars={bars} isOfAll={isOfAll} width={width} height={HEIGHT} />
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handles beside it do the same with keys */}
      <div
        className={styles.area}
        style={{ height: HEIGHT }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const bar = barAt(event);
          // Near a handle that handle is dragged, anywhere else a new part begins.
          began.current = Math.abs(bar - from) <= 1 ? to : Math.abs(bar - to) <= 1 ? from : bar;
          set(began.current, bar);
        }}
        onPointerMove={(event) => {
          if (began.current !== null) set(began.current, barAt(event));
        }}
        onPointerUp={() => {
          began.current = null;
        }}
        onDoubleClick={() => onBrush(null)}
      >
        <i className={styles.shade} style={{ left: 0, width: share(from) }} />
        <i className={styles.shade} style={{ left: share(to + 1), right: 0 }} />
        <i className={styles.chosen} style={{ left: share(from), width: share(to + 1 - from) }} />
      </div>
      {bars !== null && <span className={`${styles.of} quiet`}>{of}</span>}
      {handle('from')}
      {handle('to')}
      <div className={styles.times}>
        {ticks.map((time) => (
          <span key={time} style={{ left: share((time - frame.first) / range.bucketMs) }}>
            {tickText(time)}
          </span>
        ))}
      </div>
    </div>
  );
}
