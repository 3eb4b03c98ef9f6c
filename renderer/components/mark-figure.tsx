import type { Mark } from '../../electron/contract/marks.ts';
import { markText } from './figures/counts.ts';

/** A signed figure in basis points: + is good for us; a loss has its sign and weight, not only its colour. */
export function MarkFigure({ mark }: { mark: Mark }) {
  if (mark === null)
    return (
      <span className="quiet" title="No reference price at that moment.">
        —
      </span>
    );
  if (mark === 'not_yet') return <span className="quiet live-figure">not yet</span>;
  return <span className={mark < 0 ? 'ask strong' : undefined}>{markText(mark)}</span>;
}
