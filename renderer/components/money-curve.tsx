import type { ReactNode, RefCallback } from 'react';
import { timeTickText } from './figures/times.ts';
import styles from './money-curve.module.css';
import { type MoneyFrame, tickText, xOf, yOf } from './money-frame.ts';

/** The box of a curve of money over time, with the amounts at one of its sides and the times below. `said`: what it shows, in words. */
export function MoneyCurve(props: {
  box: RefCallback<HTMLDivElement>;
  said: string;
  frame: MoneyFrame | null;
  amounts: 'left' | 'right';
  /** The drawing; null until it is there. */
  lines: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const { box, said, frame, amounts, lines, className = '', children } = props;
  return (
    <div className={`${styles.curve} ${className}`} ref={box} role="img" aria-label={said}>
      {lines}
      {frame !== null && <Labels frame={frame} amounts={amounts} />}
      {frame !== null && children}
    </div>
  );
}

function Labels({ frame, amounts }: { frame: MoneyFrame; amounts: 'left' | 'right' }) {
  const { plot, since, until, moneyTicks, timeTicks } = frame;
  const place = amounts === 'left' ? { width: plot.left - 6 } : { left: plot.right + 8 };
  return (
    <>
      {moneyTicks.map((value) => (
        <span
          key={value}
          className={amounts === 'left' ? styles.left : undefined}
          style={{ top: yOf(frame, value) - 7, ...place }}
        >
          {tickText(value)}
        </span>
      ))}
      {timeTicks
        .map((time) => ({ time, x: xOf(frame, time) }))
        .filter(({ x }) => x > plot.left + 16 && x < plot.right - 8)
        .map(({ time, x }) => (
          <span key={time} className={styles.time} style={{ left: x, top: plot.bottom + 4 }}>
            {timeTickText(time, until - since)}
          </span>
        ))}
    </>
  );
}
