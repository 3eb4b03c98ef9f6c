import { useMemo } from 'react';
import { countText, percentText } from '../../components/figures/counts.ts';
import { useDesk } from '../../state/console.tsx';
import { headingDollars, totalDollars, totalTitle } from './day-volume.ts';

/** Today's totals over all pairs, since 00:00 UTC. */
export function DeskFigures() {
  const pairs = useDesk((view) => view.pairs);
  const today = useMemo(() => {
    const totals = { signed: 0, filled: 0, refused: 0 };
    for (const row of pairs) {
      totals.signed += row.today.signed;
      totals.filled += row.today.filled;
      totals.refused += row.today.refused;
    }
    return totals;
  }, [pairs]);
  const signed = useMemo(() => totalDollars(pairs, 'signedVolume'), [pairs]);
  const filled = useMemo(() => totalDollars(pairs, 'filledVolume'), [pairs]);
  const asked = today.signed + today.refused;
  return (
    <dl className="figures" title="Since 00:00 UTC">
      <div>
        <dt>Signed today</dt>
        <dd className="live-figure" title={totalTitle(signed)}>
          {countText(today.signed)} <i>{headingDollars(signed)}</i>
        </dd>
      </div>
      <div>
        <dt>Filled</dt>
        <dd className="live-figure" title={totalTitle(filled)}>
          {countText(today.filled)}{' '}
          <i>
            {headingDollars(filled)} · {percentText(today.filled, today.signed)} %
          </i>
        </dd>
      </div>
      <div>
        <dt>Refused</dt>
        <dd className="live-figure">
          {countText(today.refused)} <i>{percentText(today.refused, asked)} %</i>
        </dd>
      </div>
    </dl>
  );
}
