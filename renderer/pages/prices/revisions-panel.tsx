import type { PublishedLadder } from '../../../electron/contract/book.ts';
import type { Ladder } from '../../../electron/contract/desk-file.ts';
import { countText } from '../../components/figures/counts.ts';
import { exactText } from '../../components/figures/prices.ts';
import { momentText } from '../../components/figures/times.ts';
import { Panel } from '../../components/panel.tsx';
import { useConsole } from '../../state/console.tsx';

/** What was published before; any of it can be loaded as a draft. */
export function RevisionsPanel(props: {
  revisions: readonly PublishedLadder[];
  live: number;
  onLoad: (ladder: Ladder) => void;
}) {
  const { desk } = useConsole();
  const newestFirst = [...props.revisions].sort((a, b) => b.revision - a.revision);
  return (
    <Panel name="Revisions" aside="any of them can be loaded as a draft" className="revisions">
      <div className="scroll">
        <table className="grid">
          <thead>
            <tr>
              <th className="r-number">Revision</th>
              <th className="r-time">Published, UTC</th>
              <th>By</th>
              <th className="right">Best bid</th>
              <th className="right">Best ask</th>
              <td className="r-action" />
            </tr>
          </thead>
          <tbody>
            {newestFirst.map(({ revision, time, actor, ladder }) => (
              <tr key={revision}>
                <td>{countText(revision)}</td>
                <td className="muted">{momentText(time, desk.now())}</td>
                <td>{actor}</td>
                <td className="right bid">{ladder.bids[0] === undefined ? '—' : exactText(ladder.bids[0][0])}</td>
                <td className="right ask">{ladder.asks[0] === undefined ? '—' : exactText(ladder.asks[0][0])}</td>
                <td className="right">
                  {revision === props.live ? (
                    <span className="chip is-outline">live</span>
                  ) : (
                    <button type="button" className="link" onClick={() => props.onLoad(ladder)}>
                      Load
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
