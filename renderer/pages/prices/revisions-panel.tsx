import type { PublishedLadder } from '../../../electron/contract/book.ts';
import { countText } from '../../components/figures/counts.ts';
import { decimalText, pricePlaces } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { useConsole } from '../../state/console.tsx';
import { spreadOf } from './ladder-figures.ts';
import { changeText } from './revision-changes.ts';

/** What was published before: any of it can be compared with what is live, or loaded as a draft. */
export function RevisionsTable(props: {
  revisions: readonly PublishedLadder[];
  live: number;
  onLoad: (revision: PublishedLadder) => void;
  onCompare: (revision: PublishedLadder) => void;
}) {
  const { desk } = useConsole();
  const newestFirst = [...props.revisions].sort((a, b) => b.revision - a.revision);
  const places = pricePlaces(
    newestFirst.flatMap(({ ladder }) => [...ladder.bids, ...ladder.asks].map(([price]) => price)),
  );
  return (
    <div className="scroll">
      <table className="grid revisions-table">
        <thead>
          <tr>
            <th className="r-number">Revision</th>
            <th className="r-time">At, UTC</th>
            <th className="r-by">By</th>
            <th className="right r-price">Best bid</th>
            <th className="right r-price r-ask">Best ask</th>
            <th className="right r-spread">bps</th>
            <th className="r-change">Change</th>
            <td className="r-action" />
          </tr>
        </thead>
        <tbody>
          {newestFirst.map((published, index) => {
            const { revision, time, actor, ladder } = published;
            const before = newestFirst[index + 1];
            const change = before?.revision === revision - 1 ? changeText(before.ladder, ladder) : '';
            return (
              <tr key={revision}>
                <td>{countText(revision)}</td>
                <td className="muted">{momentText(time, desk.now())}</td>
                <td className="r-by" title={actor}>
                  {actor}
                </td>
                <td className="right bid">{bestText(ladder.bids, places)}</td>
                <td className="right ask r-ask">{bestText(ladder.asks, places)}</td>
                <td className="right r-spread">{spreadOf(ladder) ?? '—'}</td>
                <td className="muted r-change" title={change}>
                  {change}
                </td>
                <td className="right">
                  {revision === props.live ? (
                    <span className="chip is-outline">live</span>
                  ) : (
                    <>
                      <button type="button" className="link" onClick={() => props.onCompare(published)}>
                        Compare
                      </button>
                      &ensp;
                      <button type="button" className="link r-load" onClick={() => props.onLoad(published)}>
                        Load
                      </button>
                    </>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function bestText(levels: PublishedLadder['ladder']['bids'], places: number): string {
  return levels[0] === undefined ? '—' : decimalText(levels[0][0], places);
}
