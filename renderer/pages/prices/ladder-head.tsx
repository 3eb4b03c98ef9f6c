import type { PairRow } from '../../../electron/contract/book.ts';
import { countText } from '../../components/figures/counts.ts';

/** Two lines: who is where, then what each column holds. */
export function LadderHead({ row, revision }: { row: PairRow; revision: number }) {
  const live = revision === 0 ? 'Live · nothing published' : `Live · revision ${countText(revision)}`;
  return (
    <>
      <colgroup>
        <col className="l-live" />
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
        <col className="l-live" />
      </colgroup>
      <thead>
        <tr className="sides">
          <th colSpan={2}>{live}</th>
          <th colSpan={4} className="right">
            <span className="bid strong">We buy {row.base}</span> · draft
          </th>
          <td />
          <th colSpan={4}>
            <span className="ask strong">We sell {row.base}</span> · draft
          </th>
          <th colSpan={2} className="right">
            {live}
          </th>
        </tr>
        <tr>
          <th className="right">{row.base}</th>
          <th className="right">{row.quote}</th>
          <th className="right">vs mid, bps</th>
          <th className="right">Total {row.base}</th>
          <th className="right">Size {row.base}</th>
          <th className="right">Price {row.quote}</th>
          <th className="center">#</th>
          <th className="right">Price {row.quote}</th>
          <th className="right">Size {row.base}</th>
          <th className="right">Total {row.base}</th>
          <th className="right">vs mid, bps</th>
          <th className="right">{row.quote}</th>
          <th className="right">{row.base}</th>
        </tr>
      </thead>
    </>
  );
}
