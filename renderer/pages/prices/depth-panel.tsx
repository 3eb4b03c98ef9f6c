import { useMemo } from 'react';
import { groupedText, withPlaces } from '../../components/figures/decimal-text.ts';
import { Panel } from '../../components/panel.tsx';
import { useSize } from '../../state/use-size.ts';
import { depthFrame, depthSteps, stepPath } from './depth-steps.ts';
import { totalsOf } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';

const SIDES = ['bids', 'asks'] as const;
const AXIS = 18;

/** Amount against price, both sides: the draft filled, what is live dashed where it differs. */
export function DepthPanel({ draft, live, base }: { draft: LadderValues; live: LadderValues; base: string }) {
  const { ref, width, height } = useSize<HTMLDivElement>();
  const figure = useMemo(() => {
    const steps = {
      draft: { bids: depthSteps(draft.bids), asks: depthSteps(draft.asks) },
      live: { bids: depthSteps(live.bids), asks: depthSteps(live.asks) },
    };
    const frame = depthFrame([steps.draft.bids, steps.draft.asks, steps.live.bids, steps.live.asks]);
    return { steps, frame };
  }, [draft, live]);
  const size = { width, height: Math.max(0, height - AXIS) };
  const { steps, frame } = figure;
  const totalText = (side: 'bids' | 'asks') => {
    const total = totalsOf(draft[side]).at(-1);
    return total === undefined || total === null
      ? '—'
      : groupedText(withPlaces(total, Math.min(total.places, 4), 'down'));
  };
  return (
    <Panel name="Depth" aside={<>dashed: live · {base}</>} className="depth">
      <div className="depth-figure" ref={ref}>
        {frame !== null && width > 0 && (
          <svg
            width={width}
            height={height}
            role="img"
            aria-label={`Depth: bids ${totalText('bids')}, asks ${totalText('asks')} ${base}`}
          >
            {SIDES.map((side) => {
              const outer = side === 'bids' ? frame.low : frame.high;
              return (
                <g key={side}>
                  <path className={`area is-${side}`} d={stepPath(steps.draft[side], frame, size, outer, true)} />
                  <path className={`edge is-${side}`} d={stepPath(steps.draft[side], frame, size, outer, false)} />
                  <path className="was" d={stepPath(steps.live[side], frame, size, outer, false)} />
                </g>
              );
            })}
            <line className="axis" x1="0" x2={width} y1={size.height} y2={size.height} />
            <text x="2" y={height - 4} className="bid">
              {totalText('bids')} {base}
            </text>
            <text x={width - 2} y={height - 4} textAnchor="end" className="ask">
              {totalText('asks')} {base}
            </text>
          </svg>
        )}
      </div>
    </Panel>
  );
}
