import type { Side } from '../../components/side-mark.tsx';
import { cellText } from './ladder-figures.ts';
import type { LadderScene } from './ladder-scene.ts';

/** What is live at this level; struck through where the draft would replace it. */
export function LiveLevel({ scene, side, level }: { scene: LadderScene; side: Side; level: number }) {
  const live = scene.live[side][level];
  const draft = scene.draft[side][level];
  const figure = (part: 0 | 1, places: number) => (
    <td className="right live">
      {live !== undefined &&
        (live[part] === draft?.[part] ? cellText(live[part], places) : <s>{cellText(live[part], places)}</s>)}
    </td>
  );
  const amount = figure(1, scene.places.amount);
  const price = figure(0, scene.places.price);
  return side === 'bids' ? (
    <>
      {amount}
      {price}
    </>
  ) : (
    <>
      {price}
      {amount}
    </>
  );
}
