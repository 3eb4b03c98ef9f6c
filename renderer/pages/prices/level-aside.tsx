import type { DraftLevel } from '../../../electron/contract/book.ts';
import { groupedText, toPixels, withPlaces } from '../../components/figures/decimal-text.ts';
import { distanceBpsText } from '../../components/figures/prices.ts';
import { Mark } from '../../components/mark.tsx';
import type { Side } from '../../components/side-mark.tsx';
import type { LadderScene } from './ladder-scene.ts';

/** Beside a level's cells: how far it is from the mid and what adds up to it, or why it cannot be published. */
export function LevelAside(props: { scene: LadderScene; side: Side; level: number; cells: DraftLevel | undefined }) {
  const { scene, side, level, cells } = props;
  const fault = cells?.price.fault ?? cells?.amount.fault ?? null;
  if (fault !== null) {
    return (
      <td colSpan={2} className={`fault is-${side}`} title={fault}>
        <span>
          <Mark shape="refused" /> {fault}
        </span>
      </td>
    );
  }
  const price = scene.draft[side][level]?.[0] ?? '';
  const total = scene.totals[side][level] ?? null;
  const bps = scene.mid === null ? null : distanceBpsText(price, scene.mid);
  const distance = <td className="right quiet">{bps}</td>;
  const sum = (
    <td className={`right total is-${side}`}>
      {total !== null && (
        <>
          <i style={{ width: `${scene.most === 0 ? 0 : (toPixels(total) / scene.most) * 100}%` }} />
          <span>{groupedText(withPlaces(total, scene.places.amount, 'down'))}</span>
        </>
      )}
    </td>
  );
  return side === 'bids' ? (
    <>
      {distance}
      {sum}
    </>
  ) : (
    <>
      {sum}
      {distance}
    </>
  );
}
