import type { PartFigure } from '../../../electron/contract/results.ts';
import { type Decimal, readDecimal } from '../../components/figures/decimal-text.ts';
import { readDollars, signedDollars } from './dollars.ts';

/** Dollars with their sign. `missing` of the fills have no reference there: what they made counts in the next part. */
export function DollarFigure({ figure, missing = 0 }: { figure: PartFigure; missing?: number }) {
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
    <span title={`${missing} fills have no reference price at that moment: theirs counts as inventory.`}>
      {text}
      <span className="quiet">*</span>
    </span>
  );
}

/** A net: a loss has its sign and weight, not only its colour. */
export function NetFigure({ net }: { net: Decimal | null }) {
  if (net === null) return <span className="quiet">no price</span>;
  return <span className={net.digits < 0n ? 'ask strong' : 'strong'}>{signedDollars(net)}</span>;
}
