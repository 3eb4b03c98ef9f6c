import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { PastLane } from '../../../electron/contract/past.ts';
import { Button } from '../../components/button.tsx';
import { ageText, clockText, clockTextBeside, datedText, dayText, stampText } from '../../components/figures/times.ts';
import { Mark, type MarkShape } from '../../components/mark.tsx';
import { PanelBox } from '../../components/panel.tsx';
import { clockIn, momentsOf, zoneName } from '../../state/time-zone.ts';
import styles from './lanes.module.css';

export const DAY_MS = 86_400_000;
export const FINE_MS = 1_800_000;
/** Bars of ten minutes above, and of ten seconds below. */
export const STEPS = { day: 144, fine: 180 };

const SHAPES = { halt: 'octagon', alert: 'look', publish: 'buy' } as const satisfies Record<string, MarkShape>;
const NAMES = { halt: 'stopped', alert: 'alert', publish: 'published by hand' } as const;

/** The first moment of the day that a moment is in, by the clocks of the viewer. */
export function dayOf(moment: number): number {
  return momentsOf(`${clockIn(moment).slice(0, 10)}T00:00:00.000`)[0] ?? moment - (moment % DAY_MS);
}

interface Chosen {
  a: number;
  b: number | null;
}

/** Two lanes to choose moments on: the day above, half an hour of it below. A press or a drag puts A there, with Shift B. */
export function Lanes(props: {
  chosen: Chosen;
  /** Where the half hour begins. */
  fine: number;
  day: PastLane | undefined;
  half: PastLane | undefined;
  /** The last moment there is to choose. */
  now: number;
  /** `resting`: the hand has let go. */
  onChoose: (which: 'a' | 'b', moment: number, resting: boolean) => void;
  chainName: (chainId: number) => string;
}) {
  const { chosen, fine, day, half, now, onChoose, chainName } = props;
  const begin = dayOf(chosen.a);
  const onDay = (moment: number) => onChoose('a', Math.min(now, moment), true);
  return (
    <PanelBox className={styles.panel} aria-label="Moments">
      <div className={styles.side}>
        <div className={styles.days}>
          <Button look="quiet" aria-label="The day before" onClick={() => onDay(chosen.a - DAY_MS)}>
            <ChevronLeft aria-hidden="true" />
          </Button>
          <b className="strong">{datedText(chosen.a, now)}</b>
          <Button
            look="quiet"
            aria-label="The day after"
            disabled={chosen.a + 1 >= now}
            onClick={() => onDay(chosen.a + DAY_MS)}
          >
            <ChevronRight aria-hidden="true" />
          </Button>
        </div>
        <ul className={styles.legend}>
          {(['halt', 'alert', 'publish'] as const).map((kind) => (
            <li key={kind}>
              <Mark shape={SHAPES[kind]} /> {NAMES[kind]}
            </li>
          ))}
          <li>
            <i /> events
          </li>
        </ul>
      </div>
      <div className={styles.lanes}>
        <Lane
          name="The day"
          span={{ since: begin, until: begin + DAY_MS }}
          lane={day}
          ticks={8}
          chosen={chosen}
          now={now}
          chainName={chainName}
          frame={{ since: fine, until: fine + FINE_MS }}
          onChoose={onChoose}
        />
        <Lane
          name="Half an hour"
          span={{ since: fine, until: fine + FINE_MS }}
          lane={half}
          ticks={6}
          flags
          chosen={chosen}
          now={now}
          chainName={chainName}
          onChoose={onChoose}
        />
      </div>
    </PanelBox>
  );
}

interface Span {
  since: number;
  until: number;
}

function Lane(props: {
  name: string;
  span: Span;
  lane: PastLane | undefined;
  ticks: number;
  flags?: boolean;
  frame?: Span;
  chosen: Chosen;
  now: number;
  onChoose: (which: 'a' | 'b', moment: number, resting: boolean) => void;
  chainName: (chainId: number) => string;
}) {
  const { name, span, lane, ticks, flags = false, frame, chosen, now, onChoose, chainName } = props;
  const [dragged, setDragged] = useState<'a' | 'b' | null>(null);
  const last = useRef(0);
  const width = span.until - span.since;
  const at = (moment: number) => `${(Math.max(0, Math.min(1, (moment - span.since) / width)) * 100).toFixed(3)}%`;
  const isIn = (moment: number) => moment >= span.since && moment <= span.until;
  const momentAt = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
    return Math.min(now, Math.round(span.since + share * width));
  };
  const put = (which: 'a' | 'b', event: PointerEvent<HTMLElement>) => {
    last.current = momentAt(event);
    onChoose(which, last.current, false);
  };
  const most = Math.max(1, ...(lane?.rows ?? []));
  const steps = lane?.rows.length ?? 1;
  const bars = (lane?.rows ?? [])
    .map((rows, index) => {
      const height = rows === 0 ? 0 : 1 + (19 * Math.log1p(rows)) / Math.log1p(most);
      return `M${index} 20v${-height}h.8v${height}z`;
    })
    .join('');
  const wide = (lane?.marks ?? []).filter(({ kind }) => kind === 'halt');
  return (
    <div className={`${styles.lane} ${flags ? styles.fine : ''}`}>
      <svg viewBox={`0 0 ${steps} 20`} preserveAspectRatio="none" aria-hidden="true">
        <path d={bars} />
      </svg>
      {flags &&
        wide.map(({ seq, time, until, chainId }) => {
          const end = Math.min(until ?? now, span.until);
          if (end <= span.since || time >= span.until) return null;
          return (
            <i
              key={`stop ${seq} ${chainId}`}
              className={styles.stopped}
              style={{ left: at(time), width: `calc(${at(end)} - ${at(time)})` }}
            >
              {chainId === null ? 'Desk' : chainName(chainId)} stopped {until == null ? '' : ageText(until - time)}
            </i>
          );
        })}
      {frame !== undefined && (
        <i
          className={styles.frame}
          style={{ left: at(frame.since), width: `calc(${at(frame.until)} - ${at(frame.since)})` }}
        />
      )}
      {(lane?.marks ?? [])
        .filter(({ time }) => isIn(time))
        .map(({ kind, seq, time, actor, chainId }) => (
          <span
            key={`${kind} ${seq} ${chainId}`}
            className={`${styles.mark} ${kind === 'publish' && !flags ? styles.tick : ''}`}
            style={{ left: at(time) }}
            title={`${stampText(time)} · ${kind === 'halt' ? `${chainId === null ? 'desk' : chainName(chainId)} ` : ''}${NAMES[kind]} · ${actor}`}
          >
            {(kind !== 'publish' || flags) && <Mark shape={SHAPES[kind]} />}
          </span>
        ))}
      {chosen.b !== null && flags && (
        <i
          className={styles.between}
          style={{
            left: at(Math.min(chosen.a, chosen.b)),
            width: `calc(${at(Math.max(chosen.a, chosen.b))} - ${at(Math.min(chosen.a, chosen.b))})`,
          }}
        />
      )}
      <div
        className={styles.area}
        title={`${name}: press or drag to choose a moment, with Shift the one it is compared with`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          const which = event.shiftKey ? 'b' : 'a';
          setDragged(which);
          put(which, event);
        }}
        onPointerMove={(event) => dragged !== null && put(dragged, event)}
        onPointerUp={() => {
          if (dragged !== null) onChoose(dragged, last.current, true);
          setDragged(null);
        }}
        onPointerCancel={() => setDragged(null)}
      />
      {flags && isIn(chosen.a) && (
        <Flag
          which="a"
          moment={chosen.a}
          other={chosen.b}
          at={at(chosen.a)}
          side={sideOf(chosen.a, chosen.b, width)}
          now={now}
          onChoose={onChoose}
        />
      )}
      {flags && chosen.b !== null && isIn(chosen.b) && (
        <Flag
          which="b"
          moment={chosen.b}
          other={chosen.a}
          at={at(chosen.b)}
          side={sideOf(chosen.b, chosen.a, width)}
          now={now}
          onChoose={onChoose}
        />
      )}
      {!flags && isIn(chosen.a) && <i className={styles.line} style={{ left: at(chosen.a) }} />}
      <div className={styles.times} aria-hidden="true">
        {Array.from({ length: ticks }, (_, index) => span.since + (index * width) / ticks).map((time) => (
          <span key={time} style={{ left: at(time) }}>
            {clockText(time).slice(0, 5)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Below this share of a lane the words of two flags would lie over each other. */
const CLOSE = 0.12;

/** On which side of its flag a moment is told, so that the other one can be read beside it. */
function sideOf(moment: number, other: number | null, width: number): 'before' | 'after' | undefined {
  if (other === null || other === moment || Math.abs(other - moment) > CLOSE * width) return undefined;
  return moment < other ? 'before' : 'after';
}

/** How far an arrow moves a flag, alone and with Shift; a page key moves it a bar of the day. Milliseconds. */
const KEY_MS = { arrow: 1_000, shift: 30_000, page: 600_000 };

function Flag(props: {
  which: 'a' | 'b';
  moment: number;
  /** Where the other flag is. */
  other: number | null;
  at: string;
  side: 'before' | 'after' | undefined;
  now: number;
  onChoose: (which: 'a' | 'b', moment: number, resting: boolean) => void;
}) {
  const { which, moment, other, at, side, now, onChoose } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.shiftKey ? KEY_MS.shift : KEY_MS.arrow;
    const step = { ArrowLeft: -by, ArrowRight: by, PageDown: -KEY_MS.page, PageUp: KEY_MS.page }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    onChoose(which, Math.max(0, Math.min(now, moment + step)), true);
  };
  return (
    <div
      className={styles.flag}
      data-which={which}
      data-side={side}
      role="slider"
      tabIndex={0}
      aria-label={which === 'a' ? 'Moment A' : 'Moment B'}
      aria-valuemin={0}
      aria-valuemax={now}
      aria-valuenow={moment}
      aria-valuetext={`${dayText(moment)} ${clockTextBeside(moment, other)} ${zoneName(moment)}`}
      style={{ left: at }}
      onKeyDown={onKeyDown}
    >
      <b>
        {which.toUpperCase()} {clockTextBeside(moment, other)}
      </b>
    </div>
  );
}
