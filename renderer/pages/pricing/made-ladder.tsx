import type { Ladder } from '../../../electron/contract/desk-file.ts';
import { PlainButton } from '../../components/button.tsx';
import { Empty } from '../../components/empty.tsx';
import { decimalText, exactText, pricePlaces } from '../../components/figures/prices.ts';
import { Panel } from '../../components/panel.tsx';
import { Scroll } from '../../components/scroll.tsx';
import { Table } from '../../components/table.tsx';
import styles from './made-ladder.module.css';

/** The ladder that a formula makes. A price chosen there is told term by term beside it. */
export function MadeLadder(props: {
  ladder: Ladder;
  base: string;
  level: number;
  isDraft?: boolean;
  onLevel: (level: number) => void;
}) {
  const { ladder, base, level, isDraft, onLevel } = props;
  const { bids, asks } = ladder;
  const places = Math.min(
    4,
    pricePlaces([...bids, ...asks].map(([, amount]) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount))),
  );
  const most = Math.max(bids.length, asks.length);
  const price = (side: 'bids' | 'asks', at: number) => {
    const text = ladder[side][at]?.[0];
    if (text === undefined) return '—';
    const name = `${side === 'bids' ? 'Bid' : 'Ask'} ${at + 1}: ${exactText(text)}`;
    return (
      <PlainButton title={`Why ${exactText(text)}`} aria-label={`Why ${name}`} onClick={() => onLevel(at)}>
        {exactText(text)}
      </PlainButton>
    );
  };
  const size = (side: 'bids' | 'asks', at: number) => {
    const text = ladder[side][at]?.[1];
    return text === undefined ? '—' : decimalText(text, places);
  };
  return (
    <Panel
      name={isDraft ? 'Ladder it would make' : 'Ladder it makes'}
      aside={most === 0 ? '' : 'press a price to see why'}
      className={styles.made}
    >
      <Scroll>
        {most === 0 ? (
          <Empty title="It makes no prices now">See what closes it, above.</Empty>
        ) : (
          <Table aria-label="Levels">
            <thead>
              <tr>
                <th className="right">{base}</th>
                <th className="right">We buy</th>
                <th className={`center ${styles.level}`}>
                  <span className="only-read">Level</span>#
                </th>
                <th className="right">We sell</th>
                <th className="right">{base}</th>
              </tr>
            </thead>
            <tbody>
              {Array.from({ length: most }, (_, at) => `level ${at}`).map((key, at) => (
                <tr key={key} aria-selected={at === level}>
                  <td className="right muted">{size('bids', at)}</td>
                  <td className="right bid strong">{price('bids', at)}</td>
                  <td className="center quiet">{at + 1}</td>
                  <td className="right ask strong">{price('asks', at)}</td>
                  <td className="right muted">{size('asks', at)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        )}
      </Scroll>
    </Panel>
  );
}
