import { Empty } from '../../components/empty.tsx';
import { clockText } from '../../components/figures/times.ts';
import { Panel } from '../../components/panel.tsx';
import { useToldAlerts } from '../../state/alerts.ts';

/** What tripped since this page was opened, with its numbers, and whether the computer showed it. */
export function ToldPanel() {
  const told = useToldAlerts();
  return (
    <Panel name="Tripped" aside="since this console was opened" className="told">
      <div className="scroll">
        {told.length === 0 && (
          <Empty title="Nothing tripped">An alert stands here with its numbers, newest first.</Empty>
        )}
        <ul className="check-list">
          {told.map(({ id, at, title, detail, shown }) => (
            <li key={id}>
              <span className="quiet">{clockText(at)}</span>
              <div className="fill">
                <b>{title}</b>
                <p>{detail}</p>
              </div>
              <span className="quiet">notification {shown}</span>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
