import type { PartFigure } from '../../../electron/contract/results.ts';
import { plural } from '../../components/figures/counts.ts';
import { type Decimal, readDecimal } from '../../components/figures/decimal-text.ts';
import { readDollars, signedDollars } from './dollars.ts';

/**
 * Dollars with their sign. `missing` of the fills have no reference there, or of the `marks` where the figure is of several: what they
 * made counts in the next part.
 */
export function DollarFigure(props: { figure: PartFigure; missing?: number; of?: 'fill' | 'mark' }) {
  const { figure, missing = 0, of = 'fill' } = props;
  if (figure === 'not_yet') return <span className="quiet">not yet</span>;
  if (figure === null || readDecimal(figure) === null) {
    return (
      <span className="quiet" title="No reference price at that moment: it counts as inventory.">
        —
      </span>
    );
  }
  const text = signedDollars(readDollars(figure));
  if (missing === 0) return text;
  return (
    <span title={missingText(missing, of)}>
      {text}
      <span className="quiet">*</span>
    </span>
  );
}

function missingText(missing: number, of: 'fill' | 'mark'): string {
  const without = `${plural(missing, of)} ${missing === 1 ? 'has' : 'have'} no reference price at that moment`;
  return `${without}: ${missing === 1 ? 'its' : 'their'} part counts as inventory.`;
}

/** A net: a loss has its sign and weight, not only its colour. */
export function NetFigure({ net }: { net: Decimal | null }) {
  if (net === null) return <span className="quiet">no price</span>;
  return <span className={net.digits < 0n ? 'ask strong' : 'strong'}>{signedDollars(net)}</span>;
}
