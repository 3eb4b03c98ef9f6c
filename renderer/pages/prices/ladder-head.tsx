import type { LadderPerson } from '../../../electron/contract/ladder-preview.ts';
import { countText } from '../../components/figures/counts.ts';
import { COLUMNS } from './grid-cells.ts';
import type { LadderNames } from './ladder-grid.tsx';
import { initials } from './use-people.ts';

/** Two lines: who is where, then what each column holds. */
export function LadderHead({ names, people }: { names: LadderNames; people: readonly LadderPerson[] }) {
  const { base, quote, revision, from } = names;
  const live = revision === 0 ? 'Nothing live' : `Live · revision ${countText(revision)}`;
  return (
    <>
      <colgroup>
        <col className="l-live l-spare" />
        <col className="l-live" />
        <col className="l-mid" />
        <col className="l-total" />
        <col className="l-cell" />
        <col className="l-cell" />
        <col className="l-level" />
        <col className="l-cell" />
        <col className="l-cell" />
        <col className="l-total" />
        <col className="l-mid" />
        <col className="l-live" />
        <col className="l-live l-spare" />
      </colgroup>
      <thead>
        <tr className="sides">
          <td className="l-spare" />
          <th colSpan={2}>{live}</th>
          <th colSpan={3} className="right">
            <span className="bid strong">We buy {base}</span> · draft
          </th>
          <td />
          <th colSpan={2}>
            <span className="ask strong">We sell {base}</span> · draft
          </th>
          <td colSpan={3} className="right">
            <People people={people} />
          </td>
          <td className="l-spare" />
        </tr>
        <tr>
          <th className="right l-spare">{base}</th>
          <th className="right">{quote}</th>
          <th className="right">vs {from}, bps</th>
          <th className="right">Total {base}</th>
          <th className="right">Size {base}</th>
          <th className="right">Price {quote}</th>
          <th className="center">#</th>
          <th className="right">Price {quote}</th>
          <th className="right">Size {base}</th>
          <th className="right">Total {base}</th>
          <th className="right">vs {from}, bps</th>
          <th className="right">{quote}</th>
          <th className="right l-spare">{base}</th>
        </tr>
      </thead>
    </>
  );
}

/** Who else has this pair before them, and where. */
function People({ people }: { people: readonly LadderPerson[] }) {
  const [first, ...others] = people;
  if (first === undefined) return null;
  return (
    <span className="ladder-people" title={people.map(({ actor, at }) => `${actor} ${placeText(at)}`).join('\n')}>
      <b>{initials(first.actor)}</b> {first.actor} {placeText(first.at)}
      {others.length > 0 && ` and ${others.length} more`}
    </span>
  );
}

function placeText(at: LadderPerson['at']): string {
  if (at === null) return 'looks on';
  const sides = new Set(COLUMNS.slice(at.left, at.right + 1).map(({ side }) => side));
  const side = sides.size > 1 ? 'levels' : sides.has('bids') ? 'bids' : 'asks';
  return `is in ${side} ${at.top + 1}${at.bottom > at.top ? `–${at.bottom + 1}` : ''}`;
}
