import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions, Lead } from '../../components/dialog.tsx';
import { countText } from '../../components/figures/counts.ts';
import { distanceBpsText } from '../../components/figures/prices.ts';
import { stampText } from '../../components/figures/times.ts';
import type { Side } from '../../components/mark.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import { zoneName } from '../../state/time-zone.ts';
import styles from './compare-dialog.module.css';
import { cellText, columnPlaces } from './ladder-figures.ts';
import type { LadderValues } from './ladder-values.ts';

/** An earlier revision beside the one that is live, level by level, with how far each price has moved since. */
export function CompareDialog(props: {
  then: PublishedLadder;
  live: PublishedLadder;
  base: string;
  quote: string;
  onLoad: () => void;
  onClose: () => void;
}) {
  const { then, live, base, quote } = props;
  const rows = Math.max(
    then.ladder.bids.length,
    then.ladder.asks.length,
    live.ladder.bids.length,
    live.ladder.asks.length,
  );
  const places = columnPlaces({
    bids: [...then.ladder.bids, ...live.ladder.bids],
    asks: [...then.ladder.asks, ...live.ladder.asks],
  });
  const names = [`Revision ${countText(then.revision)}`, `live ${countText(live.revision)}`] as const;
  const side = (of: Side, level: number) => (
    <SideCells then={then.ladder} live={live.ladder} side={of} level={level} places={places} />
  );
  return (
    <Dialog title={`${names[0]} against ${names[1]}`} width="widest" onClose={props.onClose}>
      <Lead>
        {stampText(then.time)} {zoneName(then.time)} by {then.actor}, against {stampText(live.time)} by {live.actor}.
        Prices in {quote}, sizes in {base}; what differs is bold.
      </Lead>
      <Scroll className={styles.scroll}>
        <Table>
          <thead>
            <tr>
              <th className={`center ${styles.levelColumn}`}>#</th>
              <th className="right">size then</th>
              <th className="right">now</th>
              <th className="right bid">bid then</th>
              <th className="right bid">now</th>
              <th className="right">moved, bps</th>
              <th className="right ask edge">ask then</th>
              <th className="right ask">now</th>
              <th className="right">moved, bps</th>
              <th className="right">size then</th>
              <th className="right">now</th>
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows }, (_, level) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a level is its number.
              <tr key={level}>
                <td className="center quiet">{level + 1}</td>
                {side('bids', level)}
                {side('asks', level)}
              </tr>
            ))}
          </tbody>
        </Table>
      </Scroll>
      <DialogActions>
        <Button size="large" onClick={props.onClose}>
          Keep what is live
        </Button>
        <Button look="primary" size="large" onClick={props.onLoad}>
          Load revision {countText(then.revision)} as a draft
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function SideCells(props: {
  then: LadderValues;
  live: LadderValues;
  side: Side;
  level: number;
  places: { price: number; amount: number };
}) {
  const { then, live, side, level, places } = props;
  const [was, is] = [then[side][level], live[side][level]];
  const tone = side === 'bids' ? 'bid' : 'ask';
  const figure = (part: 0 | 1, looks: string) => {
    const differs = was?.[part] !== is?.[part];
    const text = (value: string | undefined) =>
      value === undefined ? '—' : cellText(value, part === 0 ? places.price : places.amount);
    const style = `right ${looks} ${differs ? 'strong' : 'quiet'}`;
    return [
      <td key={`then ${part}`} className={`${style} ${part === 0 && side === 'asks' ? 'edge' : ''}`}>
        {text(was?.[part])}
      </td>,
      <td key={`now ${part}`} className={style}>
        {text(is?.[part])}
      </td>,
    ];
  };
  const moved = was === undefined || is === undefined || was[0] === is[0] ? '' : (distanceBpsText(is[0], was[0]) ?? '');
  const distance = (
    <td key="moved" className="right muted">
      {moved}
    </td>
  );
  return side === 'bids'
    ? [...figure(1, ''), ...figure(0, tone), distance]
    : [...figure(0, tone), distance, ...figure(1, '')];
}
